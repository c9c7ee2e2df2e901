import ObjectStoreStub
import Testing

@Suite struct OSSObjectTests {
    // MARK: Put, head, get, delete

    @Test(arguments: [OSSTestSigner.Version.v4, .v1])
    func storesAndReturnsBytesWithTheirChecksum(version: OSSTestSigner.Version) async throws {
        var stub = try await OSSFixture()
        stub.signer.version = version
        let key = "dir/中文 a+b%c~(1)!*'.mp4"
        let put = try stub.send(
            "PUT", key,
            headers: [("Content-Type", "video/mp4"), ("Content-MD5", "XUFAKrxLKna5cZ2REBfFkg==")],
            body: Array("hello".utf8))
        #expect(put.status == 200)
        #expect(put.headers["etag"] == "\"5D41402ABC4B2A76B9719D911017C592\"")
        #expect(put.headers["x-oss-hash-crc64ecma"] == "11177612005948864433")
        #expect(put.headers["content-md5"] == "XUFAKrxLKna5cZ2REBfFkg==")
        #expect(put.headers["server"] == "AliyunOSS")
        #expect(put.headers["x-oss-server-time"] == "1")
        #expect(put.headers["x-oss-request-id"]?.count == 24)
        #expect(put.headers["x-oss-version-id"] == nil)
        #expect(stub.server.storage.keys(in: "dst-bucket") == [key])
        #expect(stub.server.wireLog.entries.first?.requestID == put.headers["x-oss-request-id"])

        let head = try stub.send("HEAD", key)
        #expect(head.status == 200)
        #expect(head.headers["content-length"] == "5")
        #expect(head.headers["content-type"] == "video/mp4")
        #expect(head.headers["last-modified"] == "Wed, 15 Jan 2025 08:30:00 GMT")
        #expect(head.headers["x-oss-object-type"] == "Normal")
        #expect(head.headers["x-oss-storage-class"] == "Standard")
        #expect(head.headers["x-oss-hash-crc64ecma"] == "11177612005948864433")
        #expect(try stub.send("GET", key).text == "hello")

        stub.server.quirks.reportsChecksums = false
        #expect(try stub.send("HEAD", key).headers["x-oss-hash-crc64ecma"] == nil)
        #expect(try stub.send("DELETE", key).status == 204)
        #expect(try stub.send("DELETE", key).status == 204)
    }

    @Test func keepsWhatIsSaidOfAnObject() async throws {
        let stub = try await OSSFixture()
        let said = [
            ("Content-Type", "video/mp4"), ("Cache-Control", "no-cache"), ("Content-Disposition", "attachment"),
            ("Content-Encoding", "identity"), ("Expires", "Wed, 15 Jan 2025 09:00:00 GMT"),
            ("x-oss-meta-Author", "alice"), ("x-oss-storage-class", "IA"), ("x-oss-server-side-encryption", "KMS"),
            ("x-oss-server-side-data-encryption", "SM4"), ("x-oss-server-side-encryption-key-id", "key-1"),
        ]
        let put = try stub.send(
            "PUT", "a", headers: said + [("x-oss-tagging", "k%201=v1&k2"), ("x-oss-object-acl", "private")])
        for name in ["", "-key-id"] {
            #expect(put.headers["x-oss-server-side-encryption" + name] != nil)
        }
        let head = try stub.send("HEAD", "a")
        for (name, value) in said { #expect(head.headers[name.lowercased()] == value, "\(name)") }
        #expect(head.headers["x-oss-tagging-count"] == "2")
        let tags = try stub.send("GET", "a", query: [("tagging", "")])
        #expect(tags.elements("Key") == ["k 1", "k2"])
        #expect(tags.elements("Value") == ["v1", ""])
        #expect(stub.server.storage.object("a", in: "dst-bucket")?.attributes.acl == "private")
    }

    @Test(arguments: [
        ("x-oss-object-acl", "everybody"), ("x-oss-storage-class", "STANDARD"),
        ("x-oss-server-side-encryption", "aes"), ("x-oss-forbid-overwrite", "yes"), ("x-oss-traffic-limit", "245759"),
        ("x-oss-traffic-limit", "x"), ("x-oss-tagging", "a=1&=2"), ("x-oss-tagging", "a=%2"),
        ("x-oss-tagging", "1&2&3&4&5&6&7&8&9&10&11"), ("x-oss-request-payer", "me"),
        ("x-oss-callback", "not base64"), ("x-oss-callback", "e30="), ("if-modified-since", "yesterday"),
    ])
    func refusesHeadersThatTheServiceDoesNotKnow(name: String, value: String) async throws {
        let stub = try await OSSFixture()
        let reply = try stub.send("PUT", "a", headers: [(name, value)])
        #expect(reply.status == 400)
        #expect(try reply.element("Code") == "InvalidArgument")
        #expect(stub.server.storage.keys(in: "dst-bucket").isEmpty)
    }

    @Test func checksTheDigestOfABody() async throws {
        let stub = try await OSSFixture()
        for digest in ["1B2M2Y8AsgTpgAmY7PhCfg==", "XUFAKrxLKna5cZ2REBfF", "5D41402ABC4B2A76B9719D911017C592"] {
            let reply = try stub.send("PUT", "a", headers: [("Content-MD5", digest)], body: Array("hello".utf8))
            #expect(reply.status == 400)
            #expect(try reply.element("Code") == "InvalidDigest")
        }
    }

    @Test func rangesOfAnObject() async throws {
        let stub = try await OSSFixture()
        let object = try stub.server.storage.putObject("a", in: "dst-bucket", .text("0123456789"))
        let crc64 = try #require(object.crc64)
        let standard = [("x-oss-range-behavior", "standard")]
        let cases: [(String, Int, String?, Int, String)] = [
            ("bytes=1-3", 206, "bytes 1-3/10", 206, "123"), ("bytes=9-", 206, "bytes 9-9/10", 206, "9"),
            ("bytes=-3", 206, "bytes 7-9/10", 206, "789"), ("bytes=8-99", 200, nil, 206, "89"),
            ("bytes=10-", 200, nil, 416, ""), ("bytes=3-1", 200, nil, 200, "0123456789"),
            ("nonsense", 200, nil, 200, "0123456789"),
        ]
        for (range, status, contentRange, standardStatus, text) in cases {
            let reply = try stub.send("GET", "a", headers: [("Range", range)])
            #expect(reply.status == status, "\(range)")
            #expect(reply.headers["content-range"] == contentRange)
            #expect(reply.text == (status == 206 ? text : "0123456789"))
            // The checksum of a range is that of the whole object.
            #expect(reply.headers["x-oss-hash-crc64ecma"] == String(crc64))
            let other = try stub.send("GET", "a", headers: [("Range", range)] + standard)
            #expect(other.status == standardStatus, "\(range)")
            if standardStatus == 416 {
                #expect(try other.element("Code") == "InvalidRange")
            } else {
                #expect(other.text == text)
            }
        }
    }

    @Test func conditionsOnReading() async throws {
        let stub = try await OSSFixture()
        let put = try stub.send("PUT", "a", body: [1])
        let etag = try #require(put.headers["etag"])
        let cases: [([(String, String)], Int)] = [
            ([("If-Match", etag)], 200), ([("If-Match", etag.filter { $0 != "\"" })], 200),
            ([("If-Match", "\"other\"")], 412), ([("If-None-Match", etag)], 304),
            ([("If-None-Match", "\"a\", \(etag)")], 304),
            ([("If-Modified-Since", "Wed, 15 Jan 2025 08:30:00 GMT")], 304),
            ([("If-Unmodified-Since", "Wed, 15 Jan 2025 08:00:00 GMT")], 412),
        ]
        for (headers, status) in cases {
            #expect(try stub.send("GET", "a", headers: headers).status == status, "\(headers)")
            #expect(try stub.send("HEAD", "a", headers: headers).status == status)
        }
    }

    @Test func versions() async throws {
        let stub = try await OSSFixture()
        stub.server.storage.createBucket("versions", keepsVersions: true)
        let first = try #require(
            try stub.send("PUT", "a", in: "versions", body: [1]).headers["x-oss-version-id"])
        // Where versions are kept nothing is lost, and a request not to overwrite has no effect.
        let second = try stub.send(
            "PUT", "a", in: "versions", headers: [("x-oss-forbid-overwrite", "true")], body: [2])
        #expect(second.status == 200)
        #expect(try stub.send("GET", "a", in: "versions", query: [("versionId", first)]).body == [1])
        let deleted = try stub.send("DELETE", "a", in: "versions")
        #expect(deleted.headers["x-oss-delete-marker"] == "true")
        #expect(deleted.headers["x-oss-version-id"] != nil)
        #expect(try stub.send("GET", "a", in: "versions").element("Code") == "NoSuchKey")
        let none = try stub.send("GET", "a", in: "versions", query: [("versionId", "none")])
        #expect(try none.element("Code") == "NoSuchVersion")
    }

    @Test func forbidsOverwritingWhenToldTo() async throws {
        let stub = try await OSSFixture()
        let forbid = [("x-oss-forbid-overwrite", "true")]
        #expect(try stub.send("PUT", "a", headers: forbid, body: [1]).status == 200)
        let copy = [("x-oss-copy-source", "/dst-bucket/a")] + forbid
        for reply in [
            try stub.send("PUT", "a", headers: forbid, body: [2]), try stub.send("PUT", "a", headers: copy),
            try stub.send("POST", "a", query: [("uploads", "")], headers: forbid),
        ] {
            #expect(reply.status == 409)
            #expect(try reply.element("Code") == "FileAlreadyExists")
        }
        #expect(try stub.send("PUT", "a", headers: [("x-oss-forbid-overwrite", "false")], body: [2]).status == 200)
    }

    // MARK: Copies

    @Test func copiesAnObjectWithWhatIsSaidOfIt() async throws {
        let stub = try await OSSFixture()
        let key = "a/b c+%25.txt"
        _ = try stub.send(
            "PUT", key, in: "src-bucket",
            headers: [("Content-Type", "text/x"), ("x-oss-meta-a", "1"), ("x-oss-tagging", "k=v")],
            body: Array("hello".utf8))
        let source = [("x-oss-copy-source", "/src-bucket/a/b%20c%2B%2525.txt")]
        let reply = try stub.send("PUT", "copy", headers: source)
        #expect(reply.status == 200)
        #expect(try reply.element("ETag") == "\"5D41402ABC4B2A76B9719D911017C592\"")
        #expect(try reply.element("LastModified") == "2025-01-15T08:30:00.000Z")
        let copy = try #require(stub.server.storage.object("copy", in: "dst-bucket"))
        #expect(copy.attributes.contentType == "text/x" && copy.attributes.metadata == ["a": "1"])
        #expect(copy.attributes.tagging == "k=v")

        let replace = [
            ("x-oss-metadata-directive", "REPLACE"), ("x-oss-tagging-directive", "Replace"),
            ("Content-Type", "text/y"),
        ]
        #expect(try stub.send("PUT", "copy", headers: source + replace).status == 200)
        let replaced = try #require(stub.server.storage.object("copy", in: "dst-bucket"))
        #expect(replaced.attributes.contentType == "text/y" && replaced.attributes.metadata.isEmpty)
        #expect(replaced.attributes.tagging == nil)

        let itself = [("x-oss-copy-source", "/dst-bucket/copy")]
        #expect(try stub.send("PUT", "copy", headers: itself).status == 200)
    }

    @Test func copySourcesAndTheirConditions() async throws {
        let stub = try await OSSFixture()
        try stub.server.storage.putObject("s", in: "src-bucket", .text("hello"))
        try stub.server.storage.putObject("large", in: "src-bucket", .pretended(length: 1 << 30 + 1))
        func copy(_ source: String, _ headers: [(String, String)] = []) throws -> RawClient.Reply {
            try stub.send("PUT", "copy", headers: [("x-oss-copy-source", source)] + headers)
        }
        let cases = [
            ("src-bucket/s", 400, "InvalidArgument"), ("/src-bucket", 400, "InvalidArgument"),
            ("/src-bucket/s%2", 400, "InvalidArgument"), ("/src-bucket/s?version=1", 400, "InvalidArgument"),
            ("/none/s", 404, "NoSuchBucket"), ("/src-bucket/none", 404, "NoSuchKey"),
            ("/src-bucket/large", 400, "EntityTooLarge"),
        ]
        for (source, status, code) in cases {
            let reply = try copy(source)
            #expect(reply.status == status, "\(source)")
            #expect(try reply.element("Code") == code)
        }
        let etag = "5D41402ABC4B2A76B9719D911017C592"
        let prefix = "x-oss-copy-source-if-"
        let conditions = [
            ("match", etag, 200), ("match", "\"\(etag)\"", 200), ("match", "other", 412), ("none-match", etag, 412),
            ("modified-since", "Wed, 15 Jan 2025 08:30:00 GMT", 412),
            ("unmodified-since", "Wed, 15 Jan 2025 08:29:59 GMT", 412), ("unmodified-since", "then", 400),
        ]
        for (name, value, status) in conditions {
            #expect(try copy("/src-bucket/s", [(prefix + name, value)]).status == status, "\(name) \(value)")
        }
    }
}
