import ObjectStoreStub
import Testing
import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct ObjectTests {
    private let sse = "x-tos-server-side-encryption-customer-"

    private func customerKey(_ byte: UInt8, prefix: String) -> [(String, String)] {
        let key = [UInt8](repeating: byte, count: 32)
        return [
            (prefix + "algorithm", "AES256"), (prefix + "key", Data(key).base64EncodedString()),
            (prefix + "key-MD5", Data(Digest.md5(key)).base64EncodedString()),
        ]
    }

    // MARK: Put, head, get, delete

    @Test func storesAndReturnsBytesWithTheirChecksum() async throws {
        let stub = try await StubFixture()
        let put = try stub.send(
            "PUT", "/dst-bucket/a.txt", headers: [("Content-Type", "text/plain")], body: Array("hello".utf8))
        #expect(put.status == 200)
        #expect(put.headers["x-tos-hash-crc64ecma"] == "11177612005948864433")
        #expect(put.headers["etag"] == "\"5d41402abc4b2a76b9719d911017c592\"")
        #expect(put.headers["server"] == "TosServer")

        let head = try stub.send("HEAD", "/dst-bucket/a.txt")
        #expect(head.status == 200)
        #expect(head.headers["content-length"] == "5")
        #expect(head.headers["content-type"] == "text/plain")
        #expect(head.headers["last-modified"] == "Tue, 01 Jul 2025 08:00:00 GMT")

        stub.server.quirks.reportsChecksums = false
        #expect(try stub.send("HEAD", "/dst-bucket/a.txt").headers["x-tos-hash-crc64ecma"] == nil)
    }

    @Test func rangesOfAnObject() async throws {
        let stub = try await StubFixture()
        try stub.server.storage.putObject("a", in: "dst-bucket", .text("0123456789"))
        let cases: [(String, Int, String, String?)] = [
            ("bytes=1-3", 206, "123", "bytes 1-3/10"), ("bytes=8-99", 206, "89", "bytes 8-9/10"),
            ("bytes=9-", 206, "9", "bytes 9-9/10"), ("bytes=-3", 206, "789", "bytes 7-9/10"),
            ("bytes=10-", 416, "", nil), ("nonsense", 200, "0123456789", nil),
        ]
        for (range, status, text, contentRange) in cases {
            let reply = try stub.send("GET", "/dst-bucket/a", headers: [("Range", range)])
            #expect(reply.status == status, "\(range)")
            if status != 416 { #expect(reply.text == text) }
            #expect(reply.headers["content-range"] == contentRange)
        }
        try stub.server.storage.putObject("empty", in: "dst-bucket", .text(""))
        #expect(try stub.send("GET", "/dst-bucket/empty", headers: [("Range", "bytes=0-0")]).status == 416)
        #expect(try stub.send("GET", "/dst-bucket/empty").headers["content-length"] == "0")
    }

    @Test func conditionsOnReading() async throws {
        let stub = try await StubFixture()
        let etag = try stub.server.storage.putObject("a", in: "dst-bucket", .text("x")).etag
        let cases: [([(String, String)], Int)] = [
            ([("If-Match", "\"\(etag)\"")], 200), ([("If-Match", "\"other\"")], 412), ([("If-Match", "*")], 200),
            ([("If-None-Match", etag)], 304), ([("If-None-Match", "\"a\", \"\(etag)\"")], 304),
            ([("If-Modified-Since", "Tue, 01 Jul 2025 08:00:00 GMT")], 304),
            ([("If-Unmodified-Since", "Tue, 01 Jul 2025 07:00:00 GMT")], 412),
        ]
        for (headers, status) in cases {
            #expect(try stub.send("GET", "/dst-bucket/a", headers: headers).status == status, "\(headers)")
            #expect(try stub.send("HEAD", "/dst-bucket/a", headers: headers).status == status)
        }
    }

    @Test func errorsOfHeadHaveNoBody() async throws {
        let stub = try await StubFixture()
        let key = try stub.send("HEAD", "/dst-bucket/none")
        #expect(key.status == 404)
        #expect(key.headers["x-tos-ec"] == "0017-00000003")
        #expect(key.headers["content-length"] == "0")
        let bucket = try stub.send("HEAD", "/none/none")
        #expect(bucket.status == 404)
        #expect(bucket.headers["x-tos-ec"] == "0006-00000001")
    }

    @Test func headersOfAnAnswerCanBeAskedFor() async throws {
        let stub = try await StubFixture()
        try stub.server.storage.putObject("a", in: "dst-bucket", .text("x"))
        let reply = try stub.send(
            "GET", "/dst-bucket/a",
            query: [("response-cache-control", "no-store"), ("response-content-type", "text%2Fx")])
        #expect(reply.headers["content-type"] == "text/x")
        #expect(reply.headers["cache-control"] == "no-store")
    }

    @Test func otherHeadersOfAnAnswerCannotBeAskedFor() async throws {
        let stub = try await StubFixture()
        try stub.server.storage.putObject("a", in: "dst-bucket", .text("x"))
        let query = [("response-etag", "0"), ("response-x-made-up", "1")]
        let reply = try stub.send("GET", "/dst-bucket/a", query: query)
        #expect(reply.headers["etag"] == "\"9dd4e461268c8034f5c8564e155c67a6\"")
        #expect(reply.headers["x-made-up"] == nil)
    }

    @Test func keepsWhatIsSaidOfAnObjectBesideItsContent() async throws {
        let stub = try await StubFixture()
        let headers = [
            ("x-tos-object-expires", "3"), ("x-tos-website-redirect-location", "/b"), ("x-tos-grant-read", "id=\"1\""),
            ("x-tos-grant-write-acp", "id=\"2\""), ("x-tos-acl", "bucket-owner-read"),
        ]
        #expect(try stub.send("PUT", "/dst-bucket/a", headers: headers).status == 200)
        let upload = try stub.send("POST", "/dst-bucket/m", query: [("uploads", "")], headers: headers)
            .member("UploadId")
        let query = [("uploadId", upload)]
        #expect(try stub.send("PUT", "/dst-bucket/m", query: [("partNumber", "1")] + query).status == 200)
        let all = [("x-tos-complete-all", "yes")]
        #expect(try stub.send("POST", "/dst-bucket/m", query: query, headers: all).status == 200)
        let source = [("x-tos-copy-source", "/dst-bucket/a")]
        #expect(try stub.send("PUT", "/dst-bucket/c", headers: source + headers).status == 200)
        for key in ["a", "m", "c"] {
            let head = try stub.send("HEAD", "/dst-bucket/" + key)
            // The third day after the one on which it was stored is the last.
            #expect(head.headers["x-tos-expiration"] == "expiry-date=\"Sat, 05 Jul 2025 00:00:00 GMT\"")
            #expect(head.headers["x-tos-website-redirect-location"] == "/b")
            let attributes = try #require(stub.server.storage.object(key, in: "dst-bucket")).attributes
            #expect(attributes.grants == ["grant-read": "id=\"1\"", "grant-write-acp": "id=\"2\""])
            #expect(attributes.acl == "bucket-owner-read")
        }
        #expect(try stub.send("PUT", "/dst-bucket/plain", headers: source).status == 200)
        #expect(try stub.send("HEAD", "/dst-bucket/plain").headers["x-tos-expiration"] == nil)
    }

    @Test func valuesOfHeadersAreThoseOfTheManual() async throws {
        let stub = try await StubFixture()
        let cases = [
            ("x-tos-acl", "open"), ("x-tos-storage-class", "Standard"), ("x-tos-metadata-directive", "MOVE"),
            ("x-tos-tagging-directive", "Move"), ("x-tos-server-side-encryption", "AES"),
            ("x-tos-forbid-overwrite", "1"), ("x-tos-complete-all", "true"), ("x-tos-object-expires", "0"),
            ("x-tos-object-expires", "soon"),
        ]
        for header in cases {
            let reply = try stub.send("PUT", "/dst-bucket/a", headers: [header])
            #expect(reply.status == 400, "\(header)")
            #expect(try reply.member("Code") == "InvalidArgument")
        }
        #expect(stub.server.storage.object("a", in: "dst-bucket") == nil)
        let encryption = [("x-tos-server-side-encryption", "AES256")]
        #expect(try stub.send("PUT", "/dst-bucket/a", headers: encryption).status == 200)
        #expect(try stub.send("GET", "/dst-bucket/a", headers: encryption).status == 400)
    }

    @Test func whatIsAskedForMakesNoHeaderLineOfItsOwn() async throws {
        let stub = try await StubFixture()
        try stub.server.storage.putObject("a", in: "dst-bucket", .text("x"))
        let reply = try stub.send(
            "GET", "/dst-bucket/a", query: [("response-content-type", "text%2Fx%0D%0Ax-made-up%3A%201")])
        #expect(reply.status == 400)
        #expect(reply.headers["x-made-up"] == nil)
    }

    @Test func tellsWhetherABucketExists() async throws {
        let stub = try await StubFixture()
        #expect(try stub.send("HEAD", "/dst-bucket").status == 200)
        #expect(try stub.send("HEAD", "/none").status == 404)
        #expect(try stub.send("PATCH", "/dst-bucket/a").status == 501)
    }

    @Test func keysAreComparedByteByByte() async throws {
        let stub = try await StubFixture()
        for (path, text) in [("/dst-bucket/%C3%A9", "one"), ("/dst-bucket/e%CC%81", "two"), ("/dst-bucket/..", "up")] {
            #expect(try stub.send("PUT", path, body: Array(text.utf8)).status == 200)
        }
        #expect(try stub.send("GET", "/dst-bucket/%C3%A9").text == "one")
        #expect(try stub.send("GET", "/dst-bucket/e%CC%81").text == "two")
        #expect(try stub.send("GET", "/dst-bucket/..").text == "up")
        #expect(stub.server.storage.keys(in: "dst-bucket").count == 3)
    }

    @Test func deletesObjectsAndVersions() async throws {
        let stub = try await StubFixture()
        #expect(try stub.send("DELETE", "/dst-bucket/none").status == 204)
        stub.server.storage.createBucket("versions", keepsVersions: true)
        let first = try #require(try stub.send("PUT", "/versions/a", body: [1]).headers["x-tos-version-id"])
        let second = try #require(try stub.send("PUT", "/versions/a", body: [2]).headers["x-tos-version-id"])
        #expect(first != second)
        let marker = try stub.send("DELETE", "/versions/a")
        #expect(marker.headers["x-tos-delete-marker"] == "true")
        #expect(try stub.send("GET", "/versions/a").status == 404)
        #expect(try stub.send("GET", "/versions/a", query: [("versionId", first)]).body == [1])
        let id = try #require(marker.headers["x-tos-version-id"])
        #expect(try stub.send("GET", "/versions/a", query: [("versionId", id)]).status == 405)
        #expect(try stub.send("DELETE", "/versions/a", query: [("versionId", id)]).status == 204)
        #expect(try stub.send("GET", "/versions/a").body == [2])
        #expect(stub.server.storage.versions(of: "a", in: "versions").count == 2)
    }

    @Test func checksContentDigests() async throws {
        let stub = try await StubFixture()
        let right = Data(Digest.md5("hello".utf8)).base64EncodedString()
        let wrong = Data(Digest.md5("other".utf8)).base64EncodedString()
        for (digest, status, code) in [(right, 200, nil), (wrong, 400, "BadDigest"), ("x", 400, "InvalidDigest")] {
            let reply = try stub.send(
                "PUT", "/dst-bucket/a", headers: [("Content-MD5", digest)], body: Array("hello".utf8))
            #expect(reply.status == status)
            if let code { #expect(try reply.member("Code") == code) }
        }
    }

    @Test func archivedObjectsAreNotRead() async throws {
        let stub = try await StubFixture()
        try stub.server.storage.putObject("a", in: "dst-bucket", .text("x"))
        try stub.server.storage.updateObject("a", in: "dst-bucket") {
            $0.isArchived = true
            $0.kind = .symlink
        }
        let head = try stub.send("HEAD", "/dst-bucket/a")
        #expect(head.status == 200)
        #expect(head.headers["x-tos-object-type"] == "Symlink")
        #expect(try stub.send("GET", "/dst-bucket/a").member("Code") == "InvalidObjectState")
    }

    // MARK: Keys of the customer

    @Test func customerKeysMustAgree() async throws {
        let stub = try await StubFixture()
        let key = customerKey(1, prefix: sse)
        let put = try stub.send("PUT", "/dst-bucket/a", headers: key, body: [1])
        #expect(put.status == 200)
        #expect(put.headers[sse.lowercased() + "key-md5"] == key[2].1)
        #expect(try stub.send("HEAD", "/dst-bucket/a", headers: key).status == 200)
        #expect(try stub.send("HEAD", "/dst-bucket/a").status == 400)
        #expect(try stub.send("HEAD", "/dst-bucket/a", headers: customerKey(2, prefix: sse)).status == 403)
        var mixed = key
        mixed[2] = customerKey(2, prefix: sse)[2]
        #expect(try stub.send("HEAD", "/dst-bucket/a", headers: mixed).status == 400)
        #expect(stub.server.storage.object("a", in: "dst-bucket")?.customerKeyMD5 == key[2].1)

        let from = customerKey(1, prefix: "x-tos-copy-source-server-side-encryption-customer-")
        let source = [("x-tos-copy-source", "/dst-bucket/a")]
        #expect(try stub.send("PUT", "/dst-bucket/b", headers: source).status == 400)
        #expect(try stub.send("PUT", "/dst-bucket/b", headers: source + from).status == 200)
        #expect(try stub.send("GET", "/dst-bucket/b").body == [1])

        let created = try stub.send("POST", "/dst-bucket/c", query: [("uploads", "")], headers: key)
        let query = [("partNumber", "1"), ("uploadId", try created.member("UploadId"))]
        #expect(try stub.send("PUT", "/dst-bucket/c", query: query, body: [1]).status == 400)
        #expect(try stub.send("PUT", "/dst-bucket/c", query: query, headers: key, body: [1]).status == 200)
    }

    // MARK: Copy

    @Test func copiesWithAndWithoutMetadata() async throws {
        let stub = try await StubFixture()
        var attributes = ObjectAttributes()
        attributes.contentType = "text/a"
        attributes.metadata = ["a": "1"]
        attributes.tagging = "t=1"
        attributes.acl = "public-read"
        try stub.server.storage.putObject("s", in: "src-bucket", .text("x"), attributes: attributes)
        let source = [("x-tos-copy-source", "/src-bucket/s")]
        let plain = try stub.send("PUT", "/dst-bucket/copy", headers: source + [("x-tos-meta-b", "2")])
        #expect(plain.status == 200)
        #expect(try plain.member("ETag") == "\"9dd4e461268c8034f5c8564e155c67a6\"")
        let copy = try #require(stub.server.storage.object("copy", in: "dst-bucket"))
        #expect(copy.attributes.contentType == "text/a")
        #expect(copy.attributes.metadata == ["a": "1"])
        #expect(copy.attributes.tagging == "t=1")
        #expect(copy.attributes.acl == nil)

        let replacing = [
            ("x-tos-metadata-directive", "REPLACE"), ("x-tos-meta-b", "2"), ("x-tos-tagging-directive", "Replace"),
            ("x-tos-tagging", "u=2"),
        ]
        _ = try stub.send("PUT", "/dst-bucket/copy", headers: source + replacing)
        let replaced = try #require(stub.server.storage.object("copy", in: "dst-bucket"))
        #expect(replaced.attributes.contentType == nil)
        #expect(replaced.attributes.metadata == ["b": "2"])
        #expect(replaced.attributes.tagging == "u=2")
    }

    @Test func anObjectIsCopiedOntoItselfOnlyToChangeIt() async throws {
        let stub = try await StubFixture()
        try stub.server.storage.putObject("s", in: "src-bucket", .text("x"))
        let source = [("x-tos-copy-source", "/src-bucket/s")]
        #expect(try stub.send("PUT", "/src-bucket/s", headers: source).status == 400)
        #expect(
            try stub.send("PUT", "/src-bucket/s", headers: source + [("x-tos-storage-class", "IA")]).status == 200)
        #expect(
            try stub.send("PUT", "/src-bucket/s", headers: source + [("x-tos-metadata-directive", "REPLACE")]).status
                == 200)
    }

    @Test func aSingleCopyEndsAtFiveGibibytes() async throws {
        let stub = try await StubFixture()
        try stub.server.storage.putObject("s", in: "src-bucket", .pretended(length: 5 << 30))
        try stub.server.storage.putObject("t", in: "src-bucket", .pretended(length: 5 << 30 + 1))
        #expect(try stub.send("PUT", "/dst-bucket/a", headers: [("x-tos-copy-source", "/src-bucket/s")]).status == 200)
        let large = try stub.send("PUT", "/dst-bucket/a", headers: [("x-tos-copy-source", "/src-bucket/t")])
        #expect(try large.member("Code") == "EntityTooLarge")
    }

    @Test func aPretendedTebibyteIsCopiedInParts() async throws {
        let stub = try await StubFixture()
        let size: UInt64 = 1 << 40
        let original = try stub.server.storage.putObject("s", in: "src-bucket", .pretended(length: size))
        let upload = try stub.createUpload("/dst-bucket/k")
        let client = try stub.connect()
        let partSize = size / 256
        for number in 1...UInt64(256) {
            let range = "bytes=\((number - 1) * partSize)-\(number * partSize - 1)"
            let reply = try stub.send(
                "PUT", "/dst-bucket/k", query: [("partNumber", "\(number)"), ("uploadId", upload)],
                headers: [("x-tos-copy-source", "/src-bucket/s"), ("x-tos-copy-source-range", range)], on: client)
            #expect(reply.status == 200)
        }
        let done = try stub.send(
            "POST", "/dst-bucket/k", query: [("uploadId", upload)], headers: [("x-tos-complete-all", "yes")])
        #expect(done.headers["x-tos-hash-crc64ecma"] == original.crc64.map { String($0) })
        let copy = try #require(stub.server.storage.object("k", in: "dst-bucket"))
        #expect(copy.content.firstDifference(from: original.content) == nil)
    }

    @Test func discardedUploadsKeepLengthAndChecksum() async throws {
        let stub = try await StubFixture()
        stub.server.storage.createBucket("sink", discardsUploads: true)
        let put = try stub.send("PUT", "/sink/a", body: Array("hello".utf8))
        #expect(put.headers["x-tos-hash-crc64ecma"] == "11177612005948864433")
        #expect(stub.server.storage.object("a", in: "sink")?.length == 5)
        #expect(try stub.send("GET", "/sink/a").status == 501)
    }

    // MARK: Addresses

    @Test func findsTheBucketInTheHostOrThePath() async throws {
        let stub = try await StubFixture {
            $0.customDomains = ["media.example.com": "dst-bucket"]
            $0.serviceDomains = ["store.test"]
        }
        try stub.server.storage.putObject("a/b", in: "dst-bucket", .text("x"))
        let port = stub.server.port
        let addresses = [
            ("127.0.0.1:\(port)", "/dst-bucket/a/b"), ("localhost:\(port)", "/dst-bucket/a/b"),
            ("dst-bucket.localhost:\(port)", "/a/b"), ("DST-BUCKET.store.test", "/a/b"),
            ("store.test:\(port)", "/dst-bucket/a/b"), ("media.example.com", "/a/b"),
            ("dst-bucket.tos-cn-beijing.volces.com", "/a/b"), ("tos-cn-beijing.volces.com", "/dst-bucket/a/b"),
        ]
        for (host, path) in addresses {
            let client = try stub.connect()
            try client.send(stub.signer.request("GET", path, host: host))
            #expect(try client.receive().text == "x", "\(host)\(path)")
        }
    }
}
