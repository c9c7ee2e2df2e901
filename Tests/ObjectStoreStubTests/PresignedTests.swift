import ObjectStoreStub
import TestSupport
import Testing

/// Requests of TOS that are signed in their query alone.
@Suite struct PresignedTests {
    @Test func whatIsSignedIsDone() async throws {
        let stub = try await StubFixture()
        let meta = [("x-tos-meta-a", "1")]
        let put = stub.signer.presignedTarget("PUT", "/dst-bucket/a%20b", host: stub.host, headers: meta)
        // The content type is not signed in this form.
        let type = [("Content-Type", "text/plain")]
        #expect(try stub.sendPresigned("PUT", put, headers: meta + type, body: [1, 2]).status == 200)
        let get = stub.signer.presignedTarget(
            "GET", "/dst-bucket/a%20b",
            query: [("response-content-disposition", "attachment"), ("response-cache-control", "no-store")],
            host: stub.host)
        let read = try stub.sendPresigned("GET", get)
        #expect(read.body == [1, 2])
        #expect(read.headers["x-tos-meta-a"] == "1")
        #expect(read.headers["content-type"] == "text/plain")
        #expect(read.headers["content-disposition"] == "attachment")
        #expect(read.headers["cache-control"] == "no-store")
        let head = stub.signer.presignedTarget("HEAD", "/a%20b", host: "dst-bucket.tos-cn-beijing.volces.com")
        let other = try stub.sendPresigned("HEAD", head, host: "dst-bucket.tos-cn-beijing.volces.com")
        #expect(other.headers["content-length"] == "2")
    }

    @Test func whatDiffersIsRefused() async throws {
        let stub = try await StubFixture()
        try stub.server.storage.putObject("a", in: "dst-bucket", .text("x"))
        let meta = [("x-tos-meta-a", "1")]
        let put = stub.signer.presignedTarget("PUT", "/dst-bucket/a", host: stub.host, headers: meta)
        let get = stub.signer.presignedTarget("GET", "/dst-bucket/a", host: stub.host)
        let cases: [(String, String, String?, [(String, String)])] = [
            ("HEAD", get, nil, []), ("DELETE", get, nil, []), ("GET", get, "localhost", []),
            ("GET", get + "&versionId=1", nil, []), ("GET", get, nil, [("x-tos-acl", "private")]),
            ("GET", get.replacing("dst-bucket/a", with: "dst-bucket/b"), nil, []),
            ("GET", get.replacing("Expires=600", with: "Expires=601"), nil, []), ("PUT", put, nil, []),
            ("PUT", put, nil, [("x-tos-meta-a", "2")]), ("PUT", put, nil, meta + [("x-tos-acl", "private")]),
        ]
        for (method, target, host, headers) in cases {
            let reply = try stub.sendPresigned(method, target, host: host, headers: headers)
            #expect(reply.status == 403, "\(method) \(target) \(headers)")
            #expect(stub.server.wireLog.entries.last?.code == "SignatureDoesNotMatch")
        }
        let long = stub.signer.presignedTarget("GET", "/dst-bucket/a", host: stub.host, expires: 604_801)
        #expect(
            try stub.sendPresigned("GET", long).member("Code") == "AuthorizationQueryParametersError")
        #expect(stub.server.storage.object("a", in: "dst-bucket")?.length == 1)
    }

    @Test func aURLEndsWithItsTime() async throws {
        let stub = try await StubFixture()
        try stub.server.storage.putObject("a", in: "dst-bucket", .text("x"))
        let get = stub.signer.presignedTarget("GET", "/dst-bucket/a", host: stub.host, expires: 60)
        stub.clock.advance(by: .seconds(60))
        #expect(try stub.sendPresigned("GET", get).text == "x")
        stub.clock.advance(by: .seconds(1))
        #expect(try stub.sendPresigned("GET", get).member("Code") == "AccessDenied")
    }
}
