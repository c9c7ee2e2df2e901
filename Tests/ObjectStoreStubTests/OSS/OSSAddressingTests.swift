import ObjectStoreStub
import Testing

@Suite struct OSSAddressingTests {
    private func get(_ stub: OSSFixture, host: String, path: String, bucket: String = "dst-bucket") throws
        -> RawClient.Reply
    {
        let target = OSSTestSigner.Target(method: "GET", bucket: bucket, key: "a/b c", path: path)
        return try stub.exchange(stub.signer.request(target, host: host, headers: [], body: []))
    }

    @Test(arguments: [
        ("127.0.0.1", "/dst-bucket/a/b%20c"), ("localhost:80", "/dst-bucket/a/b%20c"),
        ("dst-bucket.localhost", "/a/b%20c"), ("dst-bucket.oss-cn-shanghai.aliyuncs.com", "/a/b%20c"),
        ("DST-bucket.OSS-cn-shanghai.aliyuncs.com:443", "/a/b%20c"),
        ("dst-bucket.oss-cn-shanghai-internal.aliyuncs.com", "/a/b%20c"),
        ("dst-bucket.oss-accelerate.aliyuncs.com", "/a/b%20c"),
        ("dst-bucket.oss-accelerate-overseas.aliyuncs.com", "/a/b%20c"),
        ("dst-bucket.cn-shanghai.oss.aliyuncs.com", "/a/b%20c"), ("media.example.com", "/a/b%20c"),
        ("dst-bucket.local.test", "/a/b%20c"),
    ])
    func findsTheBucket(host: String, path: String) async throws {
        let stub = try await OSSFixture {
            $0.customDomains = ["media.example.com": "dst-bucket"]
            $0.serviceDomains = ["local.test"]
        }
        try stub.server.storage.putObject("a/b c", in: "dst-bucket", .text("found"))
        let reply = try get(stub, host: host, path: path)
        #expect(reply.text == "found")
        let entry = try #require(stub.server.wireLog.entries.first)
        #expect(entry.request.bucket == "dst-bucket" && entry.request.key == "a/b c")
    }

    @Test(arguments: [
        "oss-cn-shanghai.aliyuncs.com", "oss-accelerate.aliyuncs.com", "cn-shanghai.oss.aliyuncs.com",
    ])
    func publicHostsRefusePathStyle(host: String) async throws {
        let stub = try await OSSFixture()
        let reply = try get(stub, host: host, path: "/dst-bucket/a/b%20c")
        #expect(reply.status == 403)
        #expect(try reply.element("Code") == "SecondLevelDomainForbidden")
        #expect(try get(stub, host: host, path: "/").status == 501)
    }

    @Test func aBucketOfAnotherRegionNamesItsEndpoint() async throws {
        let stub = try await OSSFixture()
        let reply = try get(stub, host: "dst-bucket.oss-cn-beijing.aliyuncs.com", path: "/a/b%20c")
        #expect(reply.status == 403)
        #expect(try reply.element("Code") == "AccessDenied")
        #expect(try reply.element("Endpoint") == "oss-cn-shanghai.aliyuncs.com")
        #expect(
            stub.server.wireLog.entries.first?.diagnosis == "host: the bucket lies in cn-shanghai, not in cn-beijing")
    }

    @Test func aBucketMayLieInARegionOfItsOwn() async throws {
        var stub = try await OSSFixture()
        stub.server.storage.createBucket("far-bucket", region: "cn-beijing")
        try stub.server.storage.putObject("a/b c", in: "far-bucket", .text("x"))
        let host = "far-bucket.oss-cn-beijing.aliyuncs.com"
        let wrong = try get(stub, host: host, path: "/a/b%20c", bucket: "far-bucket")
        #expect(try wrong.element("Message") == "Invalid signing region in Authorization header.")
        stub.signer.region = "cn-beijing"
        #expect(try get(stub, host: host, path: "/a/b%20c", bucket: "far-bucket").text == "x")
        let copy = try stub.send(
            "PUT", "copy", in: "far-bucket", headers: [("x-oss-copy-source", "/dst-bucket/none")])
        #expect(try copy.element("Code") == "InvalidCrossRegionCopy")
    }

    @Test func namesThatTheServiceDoesNotTake() async throws {
        let stub = try await OSSFixture()
        for bucket in ["ab", "Bucket", "-bucket", "bucket-", "a_b", String(repeating: "a", count: 64)] {
            #expect(try stub.send("PUT", "a", in: bucket).element("Code") == "InvalidBucketName", "\(bucket)")
        }
        for key in ["/a", "\\a", String(repeating: "é", count: 512)] {
            #expect(try stub.send("PUT", key).element("Code") == "InvalidObjectName", "\(key)")
        }
        #expect(try stub.send("PUT", String(repeating: "a", count: 1_023)).status == 200)
        #expect(try stub.send("PATCH", "a").status == 501)
        #expect(try stub.send("GET", "").status == 501)
    }

    @Test func theDialectsLiveSideBySide() async throws {
        let stub = try await OSSFixture()
        #expect(try stub.send("PUT", "a", body: [1]).headers["server"] == "AliyunOSS")
        var signer = TestSigner()
        signer.accessKey = stub.signer.accessKey
        signer.secretKey = stub.signer.secretKey
        signer.date = stub.signer.date
        let reply = try stub.exchange(signer.request("GET", "/dst-bucket/a", host: stub.host))
        #expect(reply.headers["server"] == "TosServer")
        #expect(reply.body == [1])
        #expect(stub.server.wireLog.entries.map(\.request.dialect) == ["oss", "tos"])
    }
}
