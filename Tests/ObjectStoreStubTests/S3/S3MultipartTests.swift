import ObjectStoreStub
import Testing
import TransferPrimitives

@Suite struct S3MultipartTests {
    private static let partLength: UInt64 = 5 << 20

    @Test func anUploadFromItsStartToItsEnd() async throws {
        let s3 = try await S3Fixture()
        s3.server.storage.createBucket("dst-bucket", keepsVersions: true)
        try s3.server.storage.putObject("s", in: "src-bucket", .generated(seed: 1, length: Self.partLength))
        let created = try s3.send(
            "POST", "/dst-bucket/k", query: [("uploads", "")],
            headers: [("Content-Type", "video/mp4"), ("x-amz-storage-class", "GLACIER_IR"), ("x-amz-meta-a", "1")])
        #expect(created.text.contains("<InitiateMultipartUploadResult xmlns="))
        #expect(try created.element("Bucket") == "dst-bucket")
        #expect(try created.element("Key") == "k")
        let upload = try created.element("UploadId")
        let copied = try s3.copyPart(1, of: upload)
        #expect(copied.text.contains("<CopyPartResult xmlns="))
        let first = try copied.element("ETag")
        let tail = Array("tail".utf8)
        let sent = try s3.send(
            "PUT", "/dst-bucket/k", query: [("partNumber", "2"), ("uploadId", upload)], body: tail)
        let second = try #require(sent.headers["etag"])
        #expect(second == "\"\(Hex.encode(Digest.md5(tail)))\"")

        let done = try s3.complete(upload, [(1, first), (2, second.replacing("\"", with: ""))])
        #expect(done.status == 200)
        #expect(done.text.contains("<CompleteMultipartUploadResult xmlns="))
        let digests = try #require(Hex.decode(first.replacing("\"", with: ""))) + Digest.md5(tail)
        #expect(try done.element("ETag") == "\"\(Hex.encode(Digest.md5(digests)))-2\"")
        #expect(try done.element("Location") == "http://\(s3.stub.host)/dst-bucket/k")
        let head = try s3.send("HEAD", "/dst-bucket/k")
        #expect(head.headers["x-amz-version-id"] == done.headers["x-amz-version-id"])
        #expect(head.headers["x-amz-version-id"] != nil)
        #expect(head.headers["content-type"] == "video/mp4")
        #expect(head.headers["x-amz-storage-class"] == "GLACIER_IR")
        #expect(head.headers["x-amz-meta-a"] == "1")
        #expect(head.headers["content-length"] == "\(Self.partLength + 4)")
        let again = try s3.complete(upload, [(1, first), (2, second)])
        #expect(again.status == 404)
        #expect(try again.element("Code") == "NoSuchUpload")
    }

    @Test func copiesRangesOfASource() async throws {
        let s3 = try await S3Fixture()
        let source = ObjectContent.generated(seed: 1, length: 100_000)
        let etag = try s3.server.storage.putObject("s", in: "src-bucket", source).etag
        let upload = try s3.createUpload("/dst-bucket/k")
        let reply = try s3.copyPart(1, of: upload, range: "bytes=5-70000")
        #expect(
            try reply.element("ETag") == "\"\(Hex.encode(Digest.md5(try #require(source.slice(5..<70_001).read()))))\"")
        #expect(reply.headers.keys.contains { $0.contains("crc64") } == false)
        #expect(s3.server.storage.upload(upload)?.parts.first?.length == 69_996)
        for range in ["bytes=0-100000", "bytes=5-", "bytes=-5", "0-9"] {
            let refused = try s3.copyPart(2, of: upload, range: range)
            #expect(refused.status == 400, "\(range)")
            #expect(try refused.element("Code") == "InvalidArgument")
        }
        let ifMatch = "x-amz-copy-source-if-match"
        #expect(try s3.copyPart(2, of: upload, headers: [(ifMatch, "\"\(etag)\"")]).status == 200)
        let changed = try s3.copyPart(2, of: upload, headers: [(ifMatch, "\"0\"")])
        #expect(changed.status == 412)
        #expect(try changed.element("Code") == "PreconditionFailed")
        #expect(try s3.copyPart(2, of: upload, from: "/src-bucket/none").element("Code") == "NoSuchKey")
    }

    @Test func completeRefusesWrongLists() async throws {
        let s3 = try await S3Fixture()
        try s3.server.storage.putObject("s", in: "src-bucket", .pretended(length: Self.partLength))
        try s3.server.storage.putObject("small", in: "src-bucket", .pretended(length: Self.partLength - 1))
        let upload = try s3.createUpload("/dst-bucket/k")
        let a = try s3.copyPart(1, of: upload).element("ETag")
        let b = try s3.copyPart(2, of: upload).element("ETag")
        let c = try s3.copyPart(3, of: upload, from: "/src-bucket/small").element("ETag")
        let d = try s3.copyPart(4, of: upload).element("ETag")
        let cases: [([(Int, String)], String)] = [
            ([], "MalformedXML"), ([(2, b), (1, a)], "InvalidPartOrder"), ([(1, a), (2, "\"0\"")], "InvalidPart"),
            ([(1, a), (9, a)], "InvalidPart"), ([(1, a), (3, c), (4, d)], "EntityTooSmall"),
        ]
        for (parts, code) in cases {
            let reply = try s3.complete(upload, parts)
            #expect(reply.status == 400)
            #expect(try reply.element("Code") == code)
        }
        let all = try s3.send(
            "POST", "/dst-bucket/k", query: [("uploadId", upload)], headers: [("x-amz-complete-all", "yes")])
        #expect(try all.element("Code") == "MalformedXML")
        let junk = try s3.send("POST", "/dst-bucket/k", query: [("uploadId", upload)], body: Array("{}".utf8))
        #expect(try junk.element("Code") == "MalformedXML")
        #expect(try s3.complete(upload, [(1, a), (2, b), (4, d)]).status == 200)
    }

    @Test func abortEndsAnUpload() async throws {
        let s3 = try await S3Fixture()
        let upload = try s3.createUpload("/dst-bucket/k")
        #expect(try s3.send("DELETE", "/dst-bucket/k", query: [("uploadId", upload)]).status == 204)
        let again = try s3.send("DELETE", "/dst-bucket/k", query: [("uploadId", upload)])
        #expect(try again.element("Code") == "NoSuchUpload")
        #expect(try again.element("UploadId") == upload)
    }

    // MARK: Lists

    @Test func partsAreListedInPages() async throws {
        let s3 = try await S3Fixture()
        try s3.server.storage.putObject("s", in: "src-bucket", .text("part"))
        let upload = try s3.createUpload("/dst-bucket/k")
        for number in [9, 1, 5] { _ = try s3.copyPart(number, of: upload) }
        let first = try s3.send("GET", "/dst-bucket/k", query: [("max-parts", "2"), ("uploadId", upload)])
        #expect(first.text.contains("<ListPartsResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"))
        #expect(first.elements("PartNumber") == ["1", "5"])
        #expect(first.elements("Size") == ["4", "4"])
        #expect(first.elements("ETag") == Array(repeating: "\"\(Hex.encode(Digest.md5("part".utf8)))\"", count: 2))
        #expect(try first.element("LastModified") == "2025-07-01T08:00:00.000Z")
        #expect(try first.element("UploadId") == upload)
        #expect(try first.element("StorageClass") == "STANDARD")
        #expect(try first.element("MaxParts") == "2")
        #expect(try first.element("IsTruncated") == "true")
        let marker = try first.element("NextPartNumberMarker")
        #expect(marker == "5")
        let second = try s3.send(
            "GET", "/dst-bucket/k", query: [("part-number-marker", marker), ("uploadId", upload)])
        #expect(second.elements("PartNumber") == ["9"])
        #expect(try second.element("PartNumberMarker") == "5")
        #expect(try second.element("IsTruncated") == "false")
        #expect(try s3.send("GET", "/dst-bucket/k", query: [("max-parts", "x"), ("uploadId", upload)]).status == 400)
    }

    @Test func uploadsAreListedInPages() async throws {
        let s3 = try await S3Fixture()
        let paths = ["a/x", "a/y", "b/1", "b/2", "c%20d%2Be"]
        for path in paths { _ = try s3.createUpload("/dst-bucket/" + path) }
        let second = try s3.createUpload("/dst-bucket/a/y")
        func list(_ query: [(String, String)]) throws -> RawClient.Reply {
            try s3.send("GET", "/dst-bucket", query: [("uploads", "")] + query)
        }
        let all = try list([])
        #expect(all.elements("Key") == ["a/x", "a/y", "a/y", "b/1", "b/2", "c d+e"])
        #expect(try all.element("IsTruncated") == "false")
        #expect(try all.element("Initiated") == "2025-07-01T08:00:00.000Z")
        #expect(try all.element("Bucket") == "dst-bucket")
        #expect(try list([("prefix", "a%2F")]).elements("Key") == ["a/x", "a/y", "a/y"])
        let grouped = try list([("delimiter", "%2F")])
        #expect(grouped.elements("Key") == ["c d+e"])
        #expect(grouped.text.ranges(of: "<CommonPrefixes>").count == 2)
        #expect(grouped.elements("Prefix") == ["", "a/", "b/"])

        let page = try list([("max-uploads", "2")])
        #expect(page.elements("Key") == ["a/x", "a/y"])
        #expect(try page.element("IsTruncated") == "true")
        #expect(try page.element("NextKeyMarker") == "a/y")
        let next = try list([
            ("key-marker", "a%2Fy"), ("max-uploads", "2"), ("upload-id-marker", try page.element("NextUploadIdMarker")),
        ])
        #expect(next.elements("Key") == ["a/y", "b/1"])
        #expect(try next.element("UploadId") == second)

        let encoded = try list([("encoding-type", "url"), ("prefix", "c%20")])
        #expect(encoded.elements("Key") == ["c+d%2Be"])
        #expect(try encoded.element("Prefix") == "c+")
        #expect(try encoded.element("EncodingType") == "url")
        #expect(!all.text.contains("EncodingType"))
        // The other documents with keys have no such form.
        let url = ("encoding-type", "url")
        let created = try s3.send("POST", "/dst-bucket/c%20d", query: [url, ("uploads", "")])
        #expect(try created.element("Key") == "c d")
        let parts = try s3.send(
            "GET", "/dst-bucket/c%20d", query: [url, ("uploadId", try created.element("UploadId"))])
        #expect(try parts.element("Key") == "c d")
    }
}
