import ObjectStoreStub
import Testing
import TransferPrimitives

@Suite struct OSSMultipartTests {
    private static let partLength = 102_400

    private func copyPart(
        _ stub: OSSFixture, _ upload: String, _ number: Int, range: String? = nil,
        headers: [(String, String)] = []
    ) throws -> RawClient.Reply {
        try stub.send(
            "PUT", "k", query: [("partNumber", "\(number)"), ("uploadId", upload)],
            headers: [("x-oss-copy-source", "/src-bucket/s")] + headers
                + (range.map { [("x-oss-copy-source-range", $0)] } ?? []))
    }

    @Test(arguments: [OSSTestSigner.Version.v4, .v1])
    func anUploadFromItsStartToItsEnd(version: OSSTestSigner.Version) async throws {
        var stub = try await OSSFixture()
        stub.signer.version = version
        let upload = try stub.createUpload(
            "k", headers: [("Content-Type", "video/mp4"), ("x-oss-storage-class", "IA")])
        // The checksums are those of the wire notes, 2.15.
        let a = (0..<Self.partLength).map { UInt8(truncatingIfNeeded: $0) }
        let b = [UInt8](repeating: 0, count: Self.partLength)
        let c = Array("tail".utf8)
        var parts: [(Int, String)] = []
        let sums = [7: "7233985612489857427", 8: "15337097285471591505", 10_000: "1564134088860173973"]
        for (number, bytes) in [(10_000, c), (7, a), (8, b)] {
            let reply = try stub.send(
                "PUT", "k", query: [("partNumber", "\(number)"), ("uploadId", upload)], body: bytes)
            #expect(reply.headers["x-oss-hash-crc64ecma"] == sums[number])
            #expect(reply.headers["content-md5"] == Base64.encode(Digest.md5(bytes)))
            parts.append((number, try #require(reply.headers["etag"])))
        }
        parts.sort { $0.0 < $1.0 }
        let done = try stub.complete(upload, "k", parts)
        #expect(done.status == 200)
        #expect(done.headers["content-type"] == "application/xml")
        #expect(done.headers["x-oss-hash-crc64ecma"] == "7221706865955418761")
        let digests = Digest.md5(Digest.md5(a) + Digest.md5(b) + Digest.md5(c))
        #expect(try done.element("ETag") == "\"\(Hex.encode(digests).uppercased())-3\"")
        #expect(done.headers["etag"] == "\"\(Hex.encode(digests).uppercased())-3\"")
        #expect(try done.element("Bucket") == "dst-bucket")
        #expect(try done.element("Key") == "k")
        #expect(try done.element("Location") == "http://\(stub.host)/dst-bucket/k")
        let head = try stub.send("HEAD", "k")
        #expect(head.headers["x-oss-object-type"] == "Multipart")
        #expect(head.headers["content-type"] == "video/mp4")
        #expect(head.headers["x-oss-storage-class"] == "IA")
        #expect(head.headers["etag"] == "\"\(Hex.encode(digests).uppercased())-3\"")
        #expect(try stub.send("GET", "k").body == a + b + c)
        let again = try stub.complete(upload, "k", parts)
        #expect(try again.element("Code") == "NoSuchUpload")
        #expect(again.headers["x-oss-ec"] == "0042-00000203")
    }

    @Test func keysAreEncodedWhenAskedFor() async throws {
        let stub = try await OSSFixture()
        let key = "dir/中文 a+b%c~(1)!*'.mp4"
        let encoded = "dir/%E4%B8%AD%E6%96%87%20a%2Bb%25c~%281%29%21%2A%27.mp4"
        let url = [("encoding-type", "url")]
        let reply = try stub.send("POST", key, query: [("uploads", "")] + url)
        #expect(try reply.element("EncodingType") == "url")
        #expect(try reply.element("Key") == encoded)
        let upload = try reply.element("UploadId")
        #expect(try stub.send("GET", key, query: [("uploadId", upload)] + url).element("Key") == encoded)
        #expect(try stub.send("GET", "", query: [("uploads", "")] + url).element("Key") == encoded)
        let plain = try stub.send("GET", "", query: [("uploads", "")])
        #expect(try plain.element("Key") == key)
        #expect(!plain.text.contains("EncodingType"))
        _ = try stub.createUpload("a\u{1}<&>\r")
        #expect(try stub.send("GET", "", query: [("uploads", "")]).element("Key") == "a&#1;&lt;&amp;&gt;&#13;")
    }

    // MARK: Part copies

    @Test func copiesRangesOfASource() async throws {
        let stub = try await OSSFixture()
        let source = ObjectContent.generated(seed: 1, length: 100_000)
        let object = try stub.server.storage.putObject("s", in: "src-bucket", source)
        let upload = try stub.createUpload("k")
        let cases: [(String?, Range<UInt64>)] = [
            (nil, 0..<100_000), ("bytes=0-0", 0..<1), ("bytes=5-70000", 5..<70_001), ("bytes=99999-", 99_999..<100_000),
        ]
        for (index, (range, expected)) in cases.enumerated() {
            let reply = try copyPart(stub, upload, index + 1, range: range)
            #expect(reply.status == 200)
            let digest = Hex.encode(Digest.md5(try #require(source.slice(expected).read())))
            #expect(try reply.element("ETag") == "\"\(digest.uppercased())\"")
            #expect(reply.headers["etag"] == "\"\(digest.uppercased())\"")
            #expect(reply.text.contains("<CopyPartResult>"))
            #expect(
                stub.server.storage.upload(upload)?.parts.last?.content.length == expected.upperBound
                    - expected.lowerBound)
        }
        #expect(try copyPart(stub, upload, 9, range: "bytes=0-100000").element("Code") == "InvalidRange")
        #expect(try copyPart(stub, upload, 9, range: "0-9").element("Code") == "InvalidArgument")
        let ifMatch = "x-oss-copy-source-if-match"
        #expect(try copyPart(stub, upload, 9, headers: [(ifMatch, object.etag.uppercased())]).status == 200)
        #expect(try copyPart(stub, upload, 9, headers: [(ifMatch, "\"0\"")]).status == 412)
    }

    @Test func encryptionIsSaidAtTheStartAlone() async throws {
        let stub = try await OSSFixture()
        let header = "x-oss-server-side-encryption"
        let created = try stub.send("POST", "k", query: [("uploads", "")], headers: [(header, "AES256")])
        #expect(created.headers[header] == "AES256")
        let upload = try created.element("UploadId")
        let query = [("partNumber", "1"), ("uploadId", upload)]
        let refused = try stub.send("PUT", "k", query: query, headers: [(header, "AES256")], body: [1])
        #expect(try refused.element("Code") == "InvalidArgument")
        let part = try stub.send("PUT", "k", query: query, body: [1])
        #expect(part.headers[header] == "AES256")
        let done = try stub.complete(upload, "k", [(1, try #require(part.headers["etag"]))])
        #expect(done.headers[header] == "AES256")
        #expect(try stub.send("HEAD", "k").headers[header] == "AES256")
    }

    // MARK: Complete

    @Test func completeTakesDocumentsOfEveryClient() async throws {
        let stub = try await OSSFixture()
        let documents: [@Sendable (String) -> String] = [
            { etag in
                "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>\(etag)</ETag></Part>"
                    + "</CompleteMultipartUpload>"
            },
            { etag in
                """
                \u{FEFF}<?xml version="1.0" encoding="UTF-8"?>
                <!-- one part -->
                <o:CompleteMultipartUpload xmlns:o="http://doc.oss-cn-hangzhou.aliyuncs.com">
                  <o:Part><o:ETag> &quot;\(etag.lowercased())&#34; </o:ETag><o:PartNumber>
                    1</o:PartNumber><Size/></o:Part>
                </o:CompleteMultipartUpload>
                """
            },
        ]
        for document in documents {
            let upload = try stub.createUpload("k")
            let etag = try stub.uploadPart(1, of: upload, "k", [1]).filter { $0 != "\"" }
            let body = Array(document(etag).utf8)
            let reply = try stub.send(
                "POST", "k", query: [("uploadId", upload)],
                headers: [("Content-MD5", Base64.encode(Digest.md5(body)))], body: body)
            #expect(reply.status == 200, "\(reply.text)")
        }
    }

    @Test(arguments: [
        "no XML", "<", "<CompleteMultipartUpload>", "<CompleteMultipartUpload></Complete>",
        "<Other><Part><PartNumber>1</PartNumber><ETag>e</ETag></Part></Other>",
        "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber></Part></CompleteMultipartUpload>",
        "<CompleteMultipartUpload><Part><PartNumber>x</PartNumber><ETag>e</ETag></Part></CompleteMultipartUpload>",
        "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>&e;</ETag></Part></CompleteMultipartUpload>",
        "<CompleteMultipartUpload></CompleteMultipartUpload>", "<CompleteMultipartUpload/>trailing", "",
        "<!DOCTYPE a []><CompleteMultipartUpload/>", "<CompleteMultipartUpload a=1/>",
        "{\"Parts\":[]}",
    ])
    func completeRefusesOtherDocuments(document: String) async throws { try await expectRefusal(of: document) }

    @Test func completeRefusesADocumentWithoutEnd() async throws {
        try await expectRefusal(of: String(repeating: "<a>", count: 100_000))
    }

    private func expectRefusal(of document: String) async throws {
        let stub = try await OSSFixture()
        let upload = try stub.createUpload("k")
        _ = try stub.uploadPart(1, of: upload, "k", [1])
        let reply = try stub.send("POST", "k", query: [("uploadId", upload)], body: Array(document.utf8))
        #expect(reply.status == 400)
        #expect(try reply.element("Code") == "MalformedXML")
        #expect(stub.server.storage.upload(upload) != nil)
    }

    @Test func completeChecksTheDigestOfItsDocument() async throws {
        let stub = try await OSSFixture()
        let upload = try stub.createUpload("k")
        let etag = try stub.uploadPart(1, of: upload, "k", [1])
        let wrong = [("Content-MD5", "1B2M2Y8AsgTpgAmY7PhCfg==")]
        #expect(try stub.complete(upload, "k", [(1, etag)], headers: wrong).element("Code") == "InvalidDigest")
        // That of an empty body is right for an empty body.
        let abort = try stub.send("DELETE", "k", query: [("uploadId", upload)], headers: wrong)
        #expect(abort.status == 204)
    }

    @Test func completeRefusesWrongLists() async throws {
        let stub = try await OSSFixture()
        let upload = try stub.createUpload("k")
        let a = try stub.uploadPart(1, of: upload, "k", [UInt8](repeating: 1, count: Self.partLength))
        let b = try stub.uploadPart(2, of: upload, "k", [UInt8](repeating: 2, count: Self.partLength - 1))
        let c = try stub.uploadPart(3, of: upload, "k", [3])
        let cases: [([(Int, String)], String)] = [
            ([(2, b), (1, a)], "InvalidPartOrder"), ([(1, a), (1, a)], "InvalidPartOrder"), ([(1, b)], "InvalidPart"),
            ([(1, a), (9, b)], "InvalidPart"), ([(1, a), (2, b), (3, c)], "EntityTooSmall"),
        ]
        for (parts, code) in cases {
            let reply = try stub.complete(upload, "k", parts)
            #expect(reply.status == 400)
            #expect(try reply.element("Code") == code)
            if code == "InvalidPartOrder" { #expect(reply.headers["x-oss-ec"] == "0042-00000209") }
        }
        stub.server.quirks.minimumPartLength = 1
        #expect(try stub.complete(upload, "k", [(1, a), (2, b), (3, c)]).status == 200)
    }

    @Test func completeAllTakesEveryPart() async throws {
        let stub = try await OSSFixture()
        let upload = try stub.createUpload("k")
        let all = [("x-oss-complete-all", "yes")]
        let query = [("uploadId", upload)]
        #expect(try stub.send("POST", "k", query: query, headers: all).element("Code") == "InvalidPart")
        let etag = try stub.uploadPart(2, of: upload, "k", [2])
        #expect(try stub.complete(upload, "k", [(2, etag)], headers: all).element("Code") == "InvalidArgument")
        #expect(try stub.send("POST", "k", query: query, headers: all).status == 200)
        #expect(stub.server.storage.object("k", in: "dst-bucket")?.length == 1)
    }

    @Test func forbiddingToOverwriteIsSaidAgainAtTheEnd() async throws {
        let stub = try await OSSFixture()
        let forbid = [("x-oss-forbid-overwrite", "true")]
        let upload = try stub.createUpload("k", headers: forbid)
        let etag = try stub.uploadPart(1, of: upload, "k", [1])
        try stub.server.storage.putObject("k", in: "dst-bucket", .text("there meanwhile"))
        let refused = try stub.complete(upload, "k", [(1, etag)], headers: forbid)
        #expect(refused.status == 409)
        #expect(try refused.element("Code") == "FileAlreadyExists")
        #expect(try stub.complete(upload, "k", [(1, etag)]).status == 200)
    }

    @Test func aCallbackAnswersInPlaceOfTheDocument() async throws {
        let stub = try await OSSFixture()
        let callback = Base64.encode(#"{"callbackUrl":"http://a.example/","callbackBody":"b"}"#.utf8)
        let headers = [("x-oss-callback", callback)]
        let upload = try stub.createUpload("k")
        let etag = try stub.uploadPart(1, of: upload, "k", [1])
        for reply in [
            try stub.send("PUT", "p", headers: headers, body: [1]),
            try stub.complete(upload, "k", [(1, etag)], headers: headers),
        ] {
            #expect(reply.status == 200)
            #expect(reply.text == #"{"Status":"OK"}"#)
            #expect(reply.headers["content-type"] == "application/json")
            #expect(reply.headers["etag"] != nil)
        }
    }

    // MARK: Abort and lists

    @Test func abortEndsAnUpload() async throws {
        let stub = try await OSSFixture()
        let upload = try stub.createUpload("k")
        let query = [("uploadId", upload)]
        #expect(try stub.send("DELETE", "other", query: query).element("Code") == "NoSuchUpload")
        #expect(try stub.send("DELETE", "k", query: query).status == 204)
        let again = try stub.send("DELETE", "k", query: query)
        #expect(again.status == 404)
        #expect(try again.element("UploadId") == upload)
        let part = try stub.send("PUT", "k", query: query + [("partNumber", "1")], body: [1])
        #expect(part.headers["x-oss-ec"] == "0017-00000244")
        #expect(try stub.send("GET", "k", query: query).status == 404)
    }

    @Test func listsPartsPageByPage() async throws {
        let stub = try await OSSFixture()
        let upload = try stub.createUpload("k")
        for number in [5, 1, 9, 3] { _ = try stub.uploadPart(number, of: upload, "k", Array("hello".utf8)) }
        func list(_ marker: String) throws -> RawClient.Reply {
            try stub.send(
                "GET", "k", query: [("max-parts", "3"), ("part-number-marker", marker), ("uploadId", upload)])
        }
        // The Python client sends the marker's name with an empty value at first.
        let first = try list("")
        #expect(first.elements("PartNumber") == ["1", "3", "5"])
        #expect(try first.element("NextPartNumberMarker") == "5")
        #expect(try first.element("IsTruncated") == "true")
        #expect(try first.element("MaxParts") == "3")
        #expect(try first.element("UploadId") == upload)
        let second = try list("5")
        #expect(second.elements("PartNumber") == ["9"])
        #expect(try second.element("IsTruncated") == "false")
        #expect(try second.element("PartNumberMarker") == "5")
        #expect(try second.element("ETag") == "\"5D41402ABC4B2A76B9719D911017C592\"")
        #expect(try second.element("Size") == "5")
        #expect(try second.element("HashCrc64ecma") == "11177612005948864433")
        #expect(try second.element("LastModified") == "2025-01-15T08:30:00.000Z")
        let all = try stub.send("GET", "k", query: [("max-parts", "5000"), ("uploadId", upload)])
        #expect(try all.element("MaxParts") == "1000")
        #expect(try list("x").element("Code") == "InvalidArgument")
    }

    @Test func listsUploadsByPrefixDelimiterAndPage() async throws {
        let stub = try await OSSFixture()
        for key in ["a/1", "a/2", "a/b/3", "c", "a/1"] { _ = try stub.createUpload(key) }
        let grouped = try stub.send("GET", "", query: [("delimiter", "/"), ("prefix", "a/"), ("uploads", "")])
        #expect(grouped.elements("UploadId").count == 3)
        #expect(grouped.elements("Prefix") == ["a/", "a/b/"])
        var seen: [String] = []
        var marker = ("", "")
        for _ in 0..<10 {
            let page = try stub.send(
                "GET", "",
                query: [
                    ("key-marker", marker.0), ("max-uploads", "2"), ("upload-id-marker", marker.1), ("uploads", ""),
                ])
            seen += page.elements("UploadId")
            marker = (try page.element("NextKeyMarker"), try page.element("NextUploadIdMarker"))
            if try page.element("IsTruncated") == "false" { break }
        }
        #expect(seen.count == 5)
        #expect(Set(seen) == Set(stub.server.storage.uploads.map(\.id)))
    }
}
