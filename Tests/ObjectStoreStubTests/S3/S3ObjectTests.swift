import ObjectStoreStub
import Testing
import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct S3ObjectTests {
    @Test func storesAndReturnsAnObject() async throws {
        let s3 = try await S3Fixture()
        let put = try s3.send(
            "PUT", "/dst-bucket/a.txt",
            headers: [
                ("Content-Type", "text/plain"), ("Cache-Control", "no-cache"), ("x-amz-meta-name", "value"),
                ("x-amz-storage-class", "STANDARD_IA"), ("x-amz-tagging", "a=1&b=2"),
                ("x-amz-website-redirect-location", "/other"), ("x-amz-acl", "private"),
                ("x-amz-grant-read", "id=\"1\""),
            ], body: Array("hello".utf8))
        #expect(put.status == 200)
        #expect(put.headers["etag"] == "\"5d41402abc4b2a76b9719d911017c592\"")
        #expect(put.headers.keys.contains { $0.contains("crc64") } == false)

        let head = try s3.send("HEAD", "/dst-bucket/a.txt")
        #expect(head.status == 200)
        #expect(head.headers["content-length"] == "5")
        #expect(head.headers["content-type"] == "text/plain")
        #expect(head.headers["cache-control"] == "no-cache")
        #expect(head.headers["last-modified"] == "Tue, 01 Jul 2025 08:00:00 GMT")
        #expect(head.headers["x-amz-meta-name"] == "value")
        #expect(head.headers["x-amz-storage-class"] == "STANDARD_IA")
        #expect(head.headers["x-amz-tagging-count"] == "2")
        #expect(head.headers["x-amz-website-redirect-location"] == "/other")
        #expect(head.headers.keys.contains { $0.contains("crc64") || $0.hasPrefix("x-tos-") } == false)
        let stored = try #require(s3.server.storage.object("a.txt", in: "dst-bucket"))
        #expect(stored.attributes.acl == "private")
        #expect(stored.attributes.grants == ["grant-read": "id=\"1\""])

        #expect(try s3.send("GET", "/dst-bucket/a.txt").text == "hello")
        let tags = try s3.send("GET", "/dst-bucket/a.txt", query: [("tagging", "")])
        #expect(tags.text.contains("<Tagging xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"))
        #expect(tags.elements("Key") == ["a", "b"])
        #expect(tags.elements("Value") == ["1", "2"])
        _ = try s3.send("PUT", "/dst-bucket/plain", headers: [("x-amz-storage-class", "STANDARD")])
        #expect(try s3.send("HEAD", "/dst-bucket/plain").headers["x-amz-storage-class"] == nil)
    }

    @Test func rangesAndConditions() async throws {
        let s3 = try await S3Fixture()
        let etag = try s3.server.storage.putObject("a", in: "dst-bucket", .text("0123456789")).etag
        let cases: [([(String, String)], Int, String)] = [
            ([("Range", "bytes=1-3")], 206, "123"), ([("Range", "bytes=8-99")], 206, "89"),
            ([("Range", "bytes=-3")], 206, "789"), ([("Range", "bytes=0-1,3-4")], 200, "0123456789"),
            ([("If-Match", "\"\(etag)\"")], 200, "0123456789"), ([("If-None-Match", etag)], 304, ""),
            ([("If-Modified-Since", "Tue, 01 Jul 2025 08:00:00 GMT")], 304, ""),
        ]
        for (headers, status, text) in cases {
            let reply = try s3.send("GET", "/dst-bucket/a", headers: headers)
            #expect(reply.status == status, "\(headers)")
            #expect(reply.text == text)
        }
        let beyond = try s3.send("GET", "/dst-bucket/a", headers: [("Range", "bytes=10-")])
        #expect(beyond.status == 416)
        #expect(try beyond.element("Code") == "InvalidRange")
        #expect(try beyond.element("RangeRequested") == "bytes=10-")
        let other = try s3.send("GET", "/dst-bucket/a", headers: [("If-Match", "\"0\"")])
        #expect(other.status == 412)
        #expect(try other.element("Code") == "PreconditionFailed")
    }

    @Test func refusals() async throws {
        let s3 = try await S3Fixture()
        try s3.server.storage.putObject("archived", in: "dst-bucket", .text("x"))
        try s3.server.storage.updateObject("archived", in: "dst-bucket") { $0.isArchived = true }
        let cases: [(String, String, [(String, String)], [(String, String)], Int, String)] = [
            ("GET", "/dst-bucket/none", [], [], 404, "NoSuchKey"), ("GET", "/none/none", [], [], 404, "NoSuchBucket"),
            ("GET", "/dst-bucket/none", [("versionId", "1")], [], 404, "NoSuchVersion"),
            ("GET", "/dst-bucket/none", [("uploadId", "1")], [], 404, "NoSuchUpload"),
            ("GET", "/dst-bucket/archived", [], [], 403, "InvalidObjectState"),
            ("PUT", "/dst-bucket/a", [], [("x-amz-metadata-directive", "MOVE")], 400, "InvalidArgument"),
            ("PUT", "/dst-bucket/a", [], [("x-amz-acl", "open")], 400, "InvalidArgument"),
            ("PUT", "/dst-bucket/a", [], [("Content-MD5", "x")], 400, "InvalidDigest"),
            ("PUT", "/dst-bucket/a", [], [("Content-MD5", "AAAAAAAAAAAAAAAAAAAAAA==")], 400, "BadDigest"),
            ("PATCH", "/dst-bucket/a", [], [], 501, "NotImplemented"),
            ("PUT", "/dst-bucket/" + String(repeating: "k", count: 1_025), [], [], 400, "KeyTooLongError"),
        ]
        for (method, path, query, headers, status, code) in cases {
            let reply = try s3.send(method, path, query: query, headers: headers)
            #expect(reply.status == status, "\(method) \(path.prefix(40)) \(headers)")
            #expect(try reply.element("Code") == code)
            #expect(reply.text.contains("<Error>"))
        }
        let head = try s3.send("HEAD", "/dst-bucket/none")
        #expect(head.status == 404)
        #expect(head.headers["content-length"] == "0")
        #expect(head.headers["x-amz-request-id"] != nil)
        s3.server.quirks.wrapsErrors = true
        #expect(try s3.send("GET", "/dst-bucket/none").text.hasPrefix("{\"Error\":{\"Code\":\"NoSuchKey\","))
    }

    @Test func objectsAreNotReplacedByWhoeverSaysSo() async throws {
        let s3 = try await S3Fixture()
        let condition = [("If-None-Match", "*")]
        #expect(try s3.send("PUT", "/dst-bucket/a", headers: condition, body: [1]).status == 200)
        let second = try s3.send("PUT", "/dst-bucket/a", headers: condition, body: [2])
        #expect(second.status == 412)
        #expect(try second.element("Code") == "PreconditionFailed")
        // What is no header of S3 is passed over.
        let unknown = [("x-amz-forbid-overwrite", "true")]
        #expect(try s3.send("PUT", "/dst-bucket/a", headers: unknown, body: [3]).status == 200)
        #expect(try s3.send("GET", "/dst-bucket/a").body == [3])
    }

    @Test func deletesObjectsAndVersions() async throws {
        let s3 = try await S3Fixture()
        #expect(try s3.send("DELETE", "/dst-bucket/none").status == 204)
        s3.server.storage.createBucket("versions", keepsVersions: true)
        let first = try #require(try s3.send("PUT", "/versions/a", body: [1]).headers["x-amz-version-id"])
        let marker = try s3.send("DELETE", "/versions/a")
        #expect(marker.headers["x-amz-delete-marker"] == "true")
        #expect(marker.headers["x-amz-version-id"] != nil)
        #expect(try s3.send("GET", "/versions/a").status == 404)
        #expect(try s3.send("GET", "/versions/a", query: [("versionId", first)]).body == [1])
    }

    @Test func bucketsAreMadeOnce() async throws {
        let s3 = try await S3Fixture()
        #expect(try s3.send("HEAD", "/new-bucket").status == 404)
        let made = try s3.send("PUT", "/new-bucket")
        #expect(made.status == 200)
        #expect(made.headers["location"] == "/new-bucket")
        let head = try s3.send("HEAD", "/new-bucket")
        #expect(head.status == 200)
        #expect(head.headers["x-amz-bucket-region"] == "cn-beijing")
        let again = try s3.send("PUT", "/new-bucket")
        #expect(again.status == 409)
        #expect(try again.element("Code") == "BucketAlreadyOwnedByYou")
        #expect(try s3.send("PUT", "/New_Bucket").element("Code") == "InvalidBucketName")
        #expect(try s3.send("PUT", "/new-bucket", query: [("versioning", "")]).status == 501)
        #expect(s3.server.wireLog.entries(of: .createBucket).count == 3)
    }

    // MARK: Copy

    @Test func copiesWithAndWithoutMetadata() async throws {
        let s3 = try await S3Fixture()
        s3.server.storage.createBucket("src-bucket", keepsVersions: true)
        var attributes = ObjectAttributes()
        attributes.contentType = "text/a"
        attributes.metadata = ["a": "1"]
        attributes.tagging = "t=1"
        let original = try s3.server.storage.putObject("s", in: "src-bucket", .text("x"), attributes: attributes)
        let source = [("x-amz-copy-source", "/src-bucket/s")]
        let plain = try s3.send("PUT", "/dst-bucket/copy", headers: source + [("x-amz-meta-b", "2")])
        #expect(plain.status == 200)
        #expect(plain.text.contains("<CopyObjectResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"))
        #expect(try plain.element("ETag") == "\"9dd4e461268c8034f5c8564e155c67a6\"")
        #expect(try plain.element("LastModified") == "2025-07-01T08:00:00.000Z")
        #expect(plain.headers["x-amz-copy-source-version-id"] == original.versionID)
        let copy = try #require(s3.server.storage.object("copy", in: "dst-bucket"))
        #expect(copy.attributes.contentType == "text/a")
        #expect(copy.attributes.metadata == ["a": "1"])
        #expect(copy.attributes.tagging == "t=1")

        let replacing = [
            ("x-amz-metadata-directive", "REPLACE"), ("x-amz-meta-b", "2"), ("x-amz-tagging-directive", "REPLACE"),
            ("x-amz-tagging", "u=2"),
        ]
        _ = try s3.send("PUT", "/dst-bucket/copy", headers: source + replacing)
        let replaced = try #require(s3.server.storage.object("copy", in: "dst-bucket"))
        #expect(replaced.attributes.contentType == nil)
        #expect(replaced.attributes.metadata == ["b": "2"])
        #expect(replaced.attributes.tagging == "u=2")
        #expect(try s3.send("PUT", "/src-bucket/s", headers: source).element("Code") == "InvalidRequest")
        try s3.server.storage.putObject("large", in: "src-bucket", .pretended(length: 5 << 30 + 1))
        let large = try s3.send("PUT", "/dst-bucket/a", headers: [("x-amz-copy-source", "/src-bucket/large")])
        #expect(try large.element("Code") == "EntityTooLarge")
    }

    @Test func encryptionIsSaidAgain() async throws {
        let s3 = try await S3Fixture()
        let bytes = [UInt8](repeating: 7, count: 32)
        let prefix = "server-side-encryption-customer-"
        let values = [
            ("algorithm", "AES256"), ("key", Base64.encode(bytes)), ("key-MD5", Base64.encode(Digest.md5(bytes))),
        ]
        let key = values.map { ("x-amz-" + prefix + $0.0, $0.1) }
        let put = try s3.send("PUT", "/dst-bucket/a", headers: key, body: [1])
        #expect(put.headers["x-amz-server-side-encryption-customer-algorithm"] == "AES256")
        #expect(put.headers["x-amz-server-side-encryption-customer-key-md5"] == values[2].1)
        #expect(put.headers.values.contains(values[1].1) == false)
        #expect(try s3.send("HEAD", "/dst-bucket/a").status == 400)
        #expect(try s3.send("HEAD", "/dst-bucket/a", headers: key).status == 200)
        let source = [("x-amz-copy-source", "dst-bucket/a")]
        #expect(try s3.send("PUT", "/dst-bucket/b", headers: source).status == 400)
        let from = values.map { ("x-amz-copy-source-" + prefix + $0.0, $0.1) }
        #expect(try s3.send("PUT", "/dst-bucket/b", headers: source + from).status == 200)

        let kms = [
            ("x-amz-server-side-encryption", "aws:kms"), ("x-amz-server-side-encryption-aws-kms-key-id", "key-1"),
        ]
        let created = try s3.send("POST", "/dst-bucket/c", query: [("uploads", "")], headers: kms)
        #expect(created.headers["x-amz-server-side-encryption"] == "aws:kms")
        #expect(created.headers["x-amz-server-side-encryption-aws-kms-key-id"] == "key-1")
    }

    // MARK: Addresses and other wires

    @Test func findsTheBucketInTheHostOrThePath() async throws {
        let s3 = try await S3Fixture { $0.serviceDomains = ["store.test"] }
        try s3.server.storage.putObject("a/b", in: "dst-bucket", .text("x"))
        let addresses = [
            (s3.stub.host, "/dst-bucket/a/b"), ("dst-bucket.localhost", "/a/b"), ("dst-bucket.store.test", "/a/b"),
            ("dst-bucket.tos-s3-cn-beijing.volces.com", "/a/b"), ("tos-s3-cn-beijing.volces.com", "/dst-bucket/a/b"),
            ("dst-bucket.s3.us-east-1.amazonaws.com", "/a/b"), ("s3.us-east-1.amazonaws.com", "/dst-bucket/a/b"),
        ]
        for (host, path) in addresses {
            let client = try s3.stub.connect()
            try client.send(s3.stub.signer.request("GET", path, host: host))
            #expect(try client.receive().text == "x", "\(host)\(path)")
        }
    }

    @Test func isToldApartFromTheOtherWires() async throws {
        let s3 = try await S3Fixture()
        let cases = [
            ("GET /b/k", "Host: x\r\nx-amz-date: 1", "s3"),
            ("GET /b/k", "Host: x\r\nAuthorization: AWS4-HMAC-SHA256 ", "s3"),
            ("GET /b/k?X-Amz-Signature=1", "Host: x", "s3"), ("GET /k", "Host: b.tos-s3-cn-beijing.volces.com", "s3"),
            ("GET /k", "Host: b.s3.us-east-1.amazonaws.com", "s3"), ("GET /k", "Host: s3.example.test", "s3"),
            ("GET /b/k", "Host: x", "tos"), ("GET /k", "Host: b.tos-cn-beijing.volces.com", "tos"),
            ("GET /k", "Host: tos-s3-bucket.tos-cn-beijing.volces.com", "tos"),
            ("GET /b/k", "Host: x\r\nx-tos-date: 1", "tos"), ("GET /b/k", "Host: x\r\nx-oss-date: 1", "oss"),
        ]
        for (line, headers, dialect) in cases {
            let client = try s3.stub.connect()
            try client.send("\(line) HTTP/1.1\r\n\(headers)\r\n\r\n")
            _ = try client.receive()
            #expect(s3.server.wireLog.entries.last?.request.dialect == dialect, "\(line) \(headers)")
        }
    }

    @Test func anObjectOfOneWireIsReadByAnother() async throws {
        let s3 = try await S3Fixture()
        var tos = s3.stub
        tos.signer.wire = .tos
        _ = try s3.send("PUT", "/dst-bucket/a", headers: [("x-amz-meta-k", "v")], body: Array("hello".utf8))
        let native = try tos.send("GET", "/dst-bucket/a")
        #expect(native.text == "hello")
        #expect(native.headers["x-tos-meta-k"] == "v")
        #expect(native.headers["x-tos-hash-crc64ecma"] == "11177612005948864433")
        let upload = try tos.createUpload("/dst-bucket/k")
        #expect(try s3.send("GET", "/dst-bucket", query: [("uploads", "")]).element("UploadId") == upload)
    }

    @Test func withoutASignatureOnlyPublicObjectsAreRead() async throws {
        let s3 = try await S3Fixture()
        let client = try s3.stub.connect()
        #expect(
            try s3.send("PUT", "/src-bucket/open", headers: [("x-amz-acl", "public-read")], body: [1]).status == 200)
        #expect(try s3.send("PUT", "/src-bucket/closed", body: [1]).status == 200)
        let host = "src-bucket.tos-s3-cn-beijing.volces.com"
        try client.send("GET /open HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        #expect(try client.receive().body == [1])
        try client.send("GET /closed HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        #expect(try client.receive().element("Code") == "AccessDenied")
    }
}
