import ObjectStoreStub
import Testing
import TransferPrimitives

@Suite struct MultipartTests {
    private static let megabyte: UInt64 = 1 << 20

    private func copyPart(
        _ stub: StubFixture, _ upload: String, _ number: String = "1", source: String = "/src-bucket/s",
        headers: [(String, String)] = [], key: String = "/dst-bucket/k"
    ) throws -> RawClient.Reply {
        try stub.send(
            "PUT", key, query: [("partNumber", number), ("uploadId", upload)],
            headers: [("x-tos-copy-source", source)] + headers)
    }

    private func complete(_ stub: StubFixture, _ upload: String, _ parts: [(Int, String)]) throws -> RawClient.Reply {
        let list = parts.map { "{\"PartNumber\": \($0.0), \"ETag\": \"\($0.1.replacing("\"", with: "\\\""))\"}" }
        return try stub.send(
            "POST", "/dst-bucket/k", query: [("uploadId", upload)],
            body: Array("{\"Parts\": [\(list.joined(separator: ", "))]}".utf8))
    }

    // MARK: Part copies

    @Test func copiesRangesOfASource() async throws {
        let stub = try await StubFixture()
        let source = ObjectContent.generated(seed: 1, length: 100_000)
        try stub.server.storage.putObject("s", in: "src-bucket", source)
        let upload = try stub.createUpload("/dst-bucket/k")
        let cases: [(String?, Range<UInt64>)] = [
            (nil, 0..<100_000), ("bytes=0-0", 0..<1), ("bytes=99999-99999", 99_999..<100_000),
            ("bytes=5-70000", 5..<70_001), ("bytes=5-", 5..<100_000),
        ]
        for (index, (range, expected)) in cases.enumerated() {
            let headers = range.map { [("x-tos-copy-source-range", $0)] } ?? []
            let reply = try copyPart(stub, upload, "\(index + 1)", headers: headers)
            #expect(reply.status == 200)
            let part = try #require(stub.server.storage.upload(upload)?.parts.last)
            #expect(part.content.firstDifference(from: source.slice(expected)) == nil)
            let digest = Hex.encode(Digest.md5(try #require(source.slice(expected).read())))
            #expect(try reply.member("ETag") == "\"\(digest)\"")
            #expect(try reply.member("LastModified") == "2025-07-01T08:00:00.000Z")
            #expect(reply.headers["x-tos-hash-crc64ecma"] == nil)
        }
    }

    @Test func refusesRangesBeyondTheSource() async throws {
        let stub = try await StubFixture()
        try stub.server.storage.putObject("s", in: "src-bucket", .text("0123456789"))
        let upload = try stub.createUpload("/dst-bucket/k")
        for range in ["bytes=0-10", "bytes=10-12"] {
            let reply = try copyPart(stub, upload, headers: [("x-tos-copy-source-range", range)])
            #expect(reply.status == 416)
            #expect(try reply.member("Code") == "InvalidRange")
        }
        for range in ["bytes=5-4", "0-3", "bytes=0-3,5-6", "bytes=-"] {
            #expect(try copyPart(stub, upload, headers: [("x-tos-copy-source-range", range)]).status == 400)
        }
    }

    @Test func partNumbersEndAtTenThousand() async throws {
        let stub = try await StubFixture()
        try stub.server.storage.putObject("s", in: "src-bucket", .text("x"))
        let upload = try stub.createUpload("/dst-bucket/k")
        for (number, status) in [("0", 400), ("1", 200), ("10000", 200), ("10001", 400), ("x", 400)] {
            #expect(try copyPart(stub, upload, number).status == status)
        }
        stub.server.quirks.maximumPartNumber = 20_000
        #expect(try copyPart(stub, upload, "10001").status == 200)
    }

    @Test func conditionsOnTheSource() async throws {
        let stub = try await StubFixture()
        let etag = try stub.server.storage.putObject("s", in: "src-bucket", .text("x")).etag
        let upload = try stub.createUpload("/dst-bucket/k")
        let prefix = "x-tos-copy-source-if-"
        let cases: [(String, String, Int)] = [
            ("match", etag, 200), ("match", "\"\(etag)\"", 200), ("match", "other", 412),
            ("none-match", etag, 412), ("none-match", "\"other\"", 200),
            ("modified-since", "Tue, 01 Jul 2025 07:59:59 GMT", 200),
            ("modified-since", "Tue, 01 Jul 2025 08:00:00 GMT", 412),
            ("unmodified-since", "Tue, 01 Jul 2025 08:00:00 GMT", 200),
            ("unmodified-since", "Tue, 01 Jul 2025 07:59:59 GMT", 412),
            ("unmodified-since", "Tue, 01 07 2025 07:59:59 GMT", 400),
        ]
        for (name, value, status) in cases {
            let reply = try copyPart(stub, upload, headers: [(prefix + name, value)])
            #expect(reply.status == status, "\(name) \(value)")
            if status == 412 { #expect(try reply.member("Code") == "PreconditionFailed") }
        }
        stub.server.quirks.honoursCopyConditions = false
        #expect(try copyPart(stub, upload, headers: [(prefix + "match", "other")]).status == 200)
    }

    @Test(arguments: [
        "/src-bucket/a/b c+%25.txt", "/src-bucket/a%2Fb%20c%2B%2525.txt", "/src-bucket/a%2Fb+c%2B%2525.txt",
        "/src-bucket/a/b%20c%2B%2525.txt", "src-bucket/a/b%20c%2B%2525.txt",
    ])
    func readsTheCopySourceOfEveryClient(source: String) async throws {
        let stub = try await StubFixture()
        try stub.server.storage.putObject("a/b c+%25.txt", in: "src-bucket", .text("x"))
        let upload = try stub.createUpload("/dst-bucket/k")
        let reply = try copyPart(stub, upload, source: source)
        // A key that is not encoded at all means another key as soon as it holds a sign of the encoding.
        #expect(reply.status == (source.contains(" ") ? 404 : 200))
    }

    @Test func sourcesThatCannotBeCopied() async throws {
        let stub = try await StubFixture()
        let storage = stub.server.storage
        storage.createBucket("far", region: "cn-shanghai")
        try storage.putObject("s", in: "far", .text("x"))
        try storage.putObject("archived", in: "src-bucket", .text("x"))
        try storage.updateObject("archived", in: "src-bucket") { $0.isArchived = true }
        try storage.putObject("appended", in: "src-bucket", .text("x"))
        try storage.updateObject("appended", in: "src-bucket") { $0.kind = .appendable }
        let upload = try stub.createUpload("/dst-bucket/k")
        let cases = [
            ("/far/s", 400, "InvalidCrossRegionCopy"), ("/src-bucket/archived", 403, "InvalidObjectState"),
            ("/src-bucket/appended", 400, "InvalidRequest"), ("/src-bucket/none", 404, "NoSuchKey"),
            ("/none/s", 404, "NoSuchBucket"), ("/src-bucket", 400, "InvalidArgument"),
            ("/src-bucket/s%", 400, "InvalidArgument"), ("/src-bucket/s?version=1", 400, "InvalidArgument"),
        ]
        for (source, status, code) in cases {
            let reply = try copyPart(stub, upload, source: source)
            #expect(reply.status == status, "\(source)")
            #expect(try reply.member("Code") == code)
        }
    }

    @Test func versionsOfTheSource() async throws {
        let stub = try await StubFixture()
        let storage = stub.server.storage
        storage.createBucket("src-bucket", keepsVersions: true)
        let first = try storage.putObject("s", in: "src-bucket", .text("one"))
        try storage.putObject("s", in: "src-bucket", .text("three"))
        let upload = try stub.createUpload("/dst-bucket/k")
        let old = try copyPart(stub, upload, source: "/src-bucket/s?versionId=\(try #require(first.versionID))")
        #expect(old.headers["x-tos-copy-source-version-id"] == first.versionID)
        #expect(storage.upload(upload)?.parts.first?.length == 3)
        _ = try copyPart(stub, upload)
        #expect(storage.upload(upload)?.parts.first?.length == 5)

        let marker = try #require(try stub.send("DELETE", "/src-bucket/s").headers["x-tos-version-id"])
        #expect(try copyPart(stub, upload).status == 404)
        #expect(try copyPart(stub, upload, source: "/src-bucket/s?versionId=\(marker)").status == 400)
        #expect(try copyPart(stub, upload, source: "/src-bucket/s?versionId=none").status == 404)
    }

    // MARK: Complete

    @Test func completeTakesETagsInBothForms() async throws {
        let stub = try await StubFixture()
        let upload = try stub.createUpload("/dst-bucket/k")
        try stub.server.storage.putObject("s", in: "src-bucket", .generated(seed: 2, length: 6 * Self.megabyte))
        let first = try copyPart(stub, upload, "2").member("ETag")
        let second = try stub.send(
            "PUT", "/dst-bucket/k", query: [("partNumber", "7"), ("uploadId", upload)], body: Array("end".utf8))
        let plain = try #require(second.headers["etag"]).replacing("\"", with: "")
        let reply = try complete(stub, upload, [(2, first), (7, plain)])
        #expect(reply.status == 200)
        #expect(try reply.member("Location").hasSuffix("/dst-bucket/k"))
        let digests = try #require(Hex.decode(first.replacing("\"", with: ""))) + (try #require(Hex.decode(plain)))
        #expect(try reply.member("ETag") == "\"\(Hex.encode(Digest.md5(digests)))-2\"")
        #expect(stub.server.storage.object("k", in: "dst-bucket")?.length == 6 * Self.megabyte + 3)
        #expect(try complete(stub, upload, [(2, first), (7, plain)]).status == 404)
    }

    @Test func completeRefusesWrongLists() async throws {
        let stub = try await StubFixture()
        let upload = try stub.createUpload("/dst-bucket/k")
        try stub.server.storage.putObject("s", in: "src-bucket", .pretended(length: 5 * Self.megabyte))
        try stub.server.storage.putObject("small", in: "src-bucket", .pretended(length: 5 * Self.megabyte - 1))
        let a = try copyPart(stub, upload, "1").member("ETag")
        let b = try copyPart(stub, upload, "2").member("ETag")
        let c = try copyPart(stub, upload, "3", source: "/src-bucket/small").member("ETag")
        let d = try copyPart(stub, upload, "4").member("ETag")
        let cases: [([(Int, String)], String)] = [
            ([], "MalformedBody"), ([(2, b), (1, a)], "InvalidPartOrder"), ([(1, a), (1, a)], "InvalidPartOrder"),
            ([(1, a), (2, "\"0\"")], "InvalidPart"), ([(1, a), (9, a)], "InvalidPart"),
            ([(1, a), (3, c), (4, d)], "EntityTooSmall"),
        ]
        for (parts, code) in cases {
            let reply = try complete(stub, upload, parts)
            #expect(reply.status == 400)
            #expect(try reply.member("Code") == code)
        }
        let junk = try stub.send("POST", "/dst-bucket/k", query: [("uploadId", upload)], body: Array("<xml/>".utf8))
        #expect(try junk.member("Code") == "MalformedBody")

        stub.server.quirks.completeMustListEveryPart = true
        #expect(try complete(stub, upload, [(1, a), (2, b)]).member("Code") == "InvalidPart")
        stub.server.quirks.completeMustListEveryPart = false
        stub.server.quirks.acceptsPartsOutOfOrder = true
        #expect(try complete(stub, upload, [(2, b), (1, a)]).status == 200)
    }

    @Test func completeAllTakesEveryPart() async throws {
        let stub = try await StubFixture()
        let upload = try stub.createUpload("/dst-bucket/k")
        let all = [("x-tos-complete-all", "yes")]
        let empty = try stub.send("POST", "/dst-bucket/k", query: [("uploadId", upload)], headers: all)
        #expect(try empty.member("Code") == "NoUploadPart")
        _ = try stub.send("PUT", "/dst-bucket/k", query: [("partNumber", "1"), ("uploadId", upload)])
        let both = try stub.send(
            "POST", "/dst-bucket/k", query: [("uploadId", upload)], headers: all, body: Array("{\"Parts\":[]}".utf8))
        #expect(both.status == 400)
        let reply = try stub.send("POST", "/dst-bucket/k", query: [("uploadId", upload)], headers: all)
        #expect(reply.status == 200)
        #expect(reply.text.contains("\"CompletedParts\":[{\"PartNumber\":1,\"ETag\":"))
        #expect(reply.headers["x-tos-hash-crc64ecma"] == "0")
        #expect(stub.server.storage.object("k", in: "dst-bucket")?.length == 0)
    }

    @Test func completeGivesTheObjectWhatCreateSaid() async throws {
        let stub = try await StubFixture()
        stub.server.storage.createBucket("dst-bucket", keepsVersions: true)
        let created = try stub.send(
            "POST", "/dst-bucket/k", query: [("uploads", "")],
            headers: [
                ("Content-Type", "video/mp4"), ("Cache-Control", "no-cache"), ("x-tos-meta-name", "%E7%81%AB"),
                ("x-tos-storage-class", "IA"), ("x-tos-acl", "private"), ("x-tos-tagging", "a=1&b=2"),
                ("Expires", "Tue, 01 Jul 2025 09:00:00 GMT"),
            ])
        let upload = try created.member("UploadId")
        let part = try stub.send("PUT", "/dst-bucket/k", query: [("partNumber", "1"), ("uploadId", upload)], body: [1])
        let done = try complete(stub, upload, [(1, try #require(part.headers["etag"]))])
        let head = try stub.send("HEAD", "/dst-bucket/k")
        #expect(head.headers["content-type"] == "video/mp4")
        #expect(head.headers["cache-control"] == "no-cache")
        #expect(head.headers["expires"] == "Tue, 01 Jul 2025 09:00:00 GMT")
        #expect(head.headers["x-tos-meta-name"] == "%E7%81%AB")
        #expect(head.headers["x-tos-storage-class"] == "IA")
        #expect(head.headers["x-tos-tagging-count"] == "2")
        #expect(head.headers["x-tos-version-id"] == done.headers["x-tos-version-id"])
        #expect(head.headers["x-tos-version-id"] != nil)
        let tags = try stub.send("GET", "/dst-bucket/k", query: [("tagging", "")])
        #expect(
            tags.text == "{\"TagSet\":{\"Tags\":[{\"Key\":\"a\",\"Value\":\"1\"},{\"Key\":\"b\",\"Value\":\"2\"}]}}")
    }

    // MARK: Abort and lists

    @Test func keysAreEncodedWhenAskedFor() async throws {
        let stub = try await StubFixture()
        let reply = try stub.send(
            "POST", "/dst-bucket/a%20%0A", query: [("encoding-type", "url"), ("uploads", "")])
        #expect(try reply.member("Key") == "a%20%0A")
        #expect(try reply.member("EncodingType") == "url")
        let list = try stub.send(
            "GET", "/dst-bucket",
            query: [("delimiter", "%2F"), ("encoding-type", "url"), ("prefix", "a%20"), ("uploads", "")])
        #expect(list.text.contains("\"Key\":\"a%20%0A\""))
        #expect(try list.member("Prefix") == "a%20")
        #expect(try list.member("Delimiter") == "%2F")
        #expect(try list.member("EncodingType") == "url")
        let parts = try stub.send(
            "GET", "/dst-bucket/a%20%0A",
            query: [("encoding-type", "url"), ("uploadId", try reply.member("UploadId"))])
        #expect(try parts.member("Key") == "a%20%0A")
        #expect(try parts.member("EncodingType") == "url")
        let plain = try stub.send("GET", "/dst-bucket", query: [("uploads", "")])
        #expect(plain.text.contains("\"Key\":\"a \\n\""))
    }

    @Test func abortEndsAnUpload() async throws {
        let stub = try await StubFixture()
        let upload = try stub.createUpload("/dst-bucket/k")
        #expect(try stub.send("DELETE", "/dst-bucket/other", query: [("uploadId", upload)]).status == 404)
        let abort = try stub.send("DELETE", "/dst-bucket/k", query: [("uploadId", upload)])
        #expect(abort.status == 204)
        #expect(abort.headers["content-length"] == nil)
        let again = try stub.send("DELETE", "/dst-bucket/k", query: [("uploadId", upload)])
        #expect(try again.member("Code") == "NoSuchUpload")
        #expect(try stub.send("GET", "/dst-bucket/k", query: [("uploadId", upload)]).status == 404)
    }

    @Test func listsPartsPageByPage() async throws {
        let stub = try await StubFixture()
        try stub.server.storage.putObject("s", in: "src-bucket", .text("x"))
        let upload = try stub.createUpload("/dst-bucket/k")
        for number in [5, 1, 9, 3] { _ = try copyPart(stub, upload, "\(number)") }
        func list(_ marker: Int) throws -> String {
            try stub.send(
                "GET", "/dst-bucket/k",
                query: [("max-parts", "3"), ("part-number-marker", "\(marker)"), ("uploadId", upload)]
            ).text
        }
        let first = try list(0)
        #expect(first.contains("\"NextPartNumberMarker\":5,\"MaxParts\":3,\"IsTruncated\":true"))
        #expect(first.contains("\"PartNumber\":1,") && first.contains("\"PartNumber\":3,"))
        #expect(!first.contains("\"PartNumber\":9,"))
        let second = try list(5)
        #expect(second.contains("\"NextPartNumberMarker\":9,\"MaxParts\":3,\"IsTruncated\":false"))
        #expect(second.contains("\"Size\":1}"))
        let all = try stub.send("GET", "/dst-bucket/k", query: [("max-parts", "5000"), ("uploadId", upload)])
        #expect(all.text.contains("\"MaxParts\":1000,"))
        stub.server.quirks.maximumPageLength = 2
        let short = try stub.send("GET", "/dst-bucket/k", query: [("uploadId", upload)])
        #expect(short.text.contains("\"MaxParts\":2,\"IsTruncated\":true"))
    }

    @Test func listsUploadsByPrefixDelimiterAndPage() async throws {
        let stub = try await StubFixture()
        for key in ["a/1", "a/2", "a/b/3", "c", "a/1"] { _ = try stub.createUpload("/dst-bucket/" + key) }
        let grouped = try stub.send(
            "GET", "/dst-bucket/", query: [("delimiter", "%2F"), ("prefix", "a%2F"), ("uploads", "")])
        #expect(grouped.text.contains("\"CommonPrefixes\":[{\"Prefix\":\"a/b/\"}]"))
        #expect(grouped.text.components("\"UploadId\":") == 3)
        var seen: [String] = []
        var marker = ("", "")
        for _ in 0..<10 {
            let page = try stub.send(
                "GET", "/dst-bucket/",
                query: [
                    ("key-marker", marker.0.replacing("/", with: "%2F")), ("max-uploads", "2"),
                    ("upload-id-marker", marker.1), ("uploads", ""),
                ])
            seen += page.text.values("UploadId")
            marker = (try page.member("NextKeyMarker"), try page.member("NextUploadIdMarker"))
            if page.text.contains("\"IsTruncated\":false") { break }
        }
        #expect(seen.count == 5)
        #expect(Set(seen) == Set(stub.server.storage.uploads.map(\.id)))
    }

    @Test func forbidsOverwritingWhenToldTo() async throws {
        let stub = try await StubFixture()
        try stub.server.storage.putObject("k", in: "dst-bucket", .text("there"))
        let created = try stub.send(
            "POST", "/dst-bucket/k", query: [("uploads", "")], headers: [("x-tos-forbid-overwrite", "true")])
        let upload = try created.member("UploadId")
        let part = try stub.send("PUT", "/dst-bucket/k", query: [("partNumber", "1"), ("uploadId", upload)], body: [1])
        let reply = try complete(stub, upload, [(1, try #require(part.headers["etag"]))])
        #expect(reply.status == 409)
        #expect(reply.headers["x-tos-ec"] == "0017-00000004")
        #expect(stub.server.storage.upload(upload) != nil)
        stub.server.storage.removeObject("k", in: "dst-bucket")
        #expect(try complete(stub, upload, [(1, try #require(part.headers["etag"]))]).status == 200)
    }
}

extension String {
    /// How often `text` occurs.
    fileprivate func components(_ text: String) -> Int { ranges(of: text).count }

    /// The values of every member of this name in a document.
    fileprivate func values(_ name: String) -> [String] {
        ranges(of: "\"\(name)\":\"").map { String(self[$0.upperBound...].prefix { $0 != "\"" }) }
    }
}
