import ObjectStoreStub
import TestSupport
import Testing
import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct S3SignatureTests {
    @Test func aRefusalShowsWhatTheServerWouldHaveSigned() async throws {
        var s3 = try await S3Fixture()
        s3.stub.signer.secretKey = "another"
        let reply = try s3.send("GET", "/src-bucket/plain.txt")
        #expect(reply.status == 403)
        #expect(try reply.element("Code") == "SignatureDoesNotMatch")
        #expect(try reply.element("AWSAccessKeyId") == s3.stub.signer.accessKey)
        #expect(
            try reply.element("StringToSign").hasPrefix("AWS4-HMAC-SHA256\n20250701T080000Z\n20250701/cn-beijing/s3/"))
        #expect(try reply.element("CanonicalRequest").contains("/src-bucket/plain.txt"))
        #expect(try reply.element("Resource") == "/src-bucket/plain.txt")
        #expect(try reply.element("RequestId") == reply.headers["x-amz-request-id"])
        #expect(try reply.element("HostId") == reply.headers["x-amz-id-2"])
        #expect(reply.headers["content-type"] == "application/xml")
    }

    @Test func theKeyChainBeginsWithItsPrefix() async throws {
        var s3 = try await S3Fixture()
        s3.stub.signer.wire.secretPrefix = ""
        #expect(try s3.send("GET", "/src-bucket/a").status == 403)
        #expect(s3.server.wireLog.entries.first?.diagnosis == "secret: used without a prefix")
    }

    @Test func pathsAreEncodedOnce() async throws {
        let s3 = try await S3Fixture()
        try s3.server.storage.putObject("a b+c", in: "src-bucket", .text("x"))
        #expect(try s3.send("GET", "/src-bucket/a%20b%2Bc").text == "x")
        let signed = s3.stub.signer.request("GET", "/src-bucket/a%2520b%252Bc", host: s3.stub.host)
        let client = try s3.stub.connect()
        try client.send(String(decoding: signed, as: UTF8.self).replacing("%25", with: "%"))
        #expect(try client.receive().status == 403)
        #expect(s3.server.wireLog.entries.last?.diagnosis == "path: encoded twice")
    }

    @Test func theDigestOfTheBodyIsSaidAndSigned() async throws {
        var s3 = try await S3Fixture()
        let hello = Array("hello".utf8)
        s3.stub.signer.payload = Hex.encode(Digest.sha256(hello))
        #expect(try s3.send("PUT", "/dst-bucket/a", body: hello).status == 200)
        let other = try s3.send("PUT", "/dst-bucket/a", body: Array("other".utf8))
        #expect(other.status == 400)
        #expect(try other.element("Code") == "XAmzContentSHA256Mismatch")
        #expect(try s3.send("GET", "/dst-bucket/a").element("Code") == "XAmzContentSHA256Mismatch")
        let document = try s3.send("POST", "/dst-bucket/a", query: [("uploads", "")])
        #expect(try document.element("Code") == "XAmzContentSHA256Mismatch")
        s3.stub.signer.payload = "0123"
        #expect(try s3.send("PUT", "/dst-bucket/a", body: hello).element("Code") == "InvalidArgument")
        #expect(s3.server.storage.object("a", in: "dst-bucket")?.length == 5)

        s3.stub.signer.payload = "UNSIGNED-PAYLOAD"
        let signed = s3.stub.signer.request("GET", "/dst-bucket/a", host: s3.stub.host)
        let client = try s3.stub.connect()
        try client.send(
            String(decoding: signed, as: UTF8.self).replacing("x-amz-content-sha256: UNSIGNED-PAYLOAD\r\n", with: ""))
        let without = try client.receive()
        #expect(without.status == 400)
        #expect(try without.element("Code") == "InvalidRequest")
    }

    @Test func otherSignaturesAreNotKnown() async throws {
        let s3 = try await S3Fixture()
        let client = try s3.stub.connect()
        try client.send("GET /src-bucket/a HTTP/1.1\r\nHost: x\r\nx-amz-date: 1\r\nAuthorization: AWS key:sum\r\n\r\n")
        #expect(try client.receive().element("Code") == "InvalidRequest")
        let target = s3.stub.signer.presignedTarget("GET", "/src-bucket/a", host: s3.stub.host)
        let signed = s3.stub.signer.request("GET", target, host: s3.stub.host)
        try client.send(signed)
        #expect(try client.receive().element("Code") == "InvalidArgument")
    }

    @Test func theWrongRegionIsNamed() async throws {
        var s3 = try await S3Fixture()
        s3.stub.signer.region = "us-east-1"
        let reply = try s3.send("GET", "/src-bucket/none")
        #expect(reply.status == 400)
        #expect(try reply.element("Code") == "AuthorizationHeaderMalformed")
        #expect(try reply.element("Message").contains("'us-east-1' is wrong"))
        #expect(try reply.element("Region") == "cn-beijing")
    }

    @Test func aClockThatIsWrong() async throws {
        let s3 = try await S3Fixture()
        s3.stub.clock.jumpWallClock(by: 901)
        let reply = try s3.send("GET", "/src-bucket/none")
        #expect(reply.status == 403)
        #expect(try reply.element("Code") == "RequestTimeTooSkewed")
        #expect(try reply.element("ServerTime") == "2025-07-01T08:15:01.000Z")
        #expect(try reply.element("MaxAllowedSkewMilliseconds") == "900000")
        #expect(reply.headers["date"] == "Tue, 01 Jul 2025 08:15:01 GMT")
    }

    @Test func sessionTokens() async throws {
        var s3 = try await S3Fixture()
        s3.server.accounts.add(
            StubAccount(
                accessKey: "STSKEY", secretKey: "s", sessionToken: "token",
                expires: Date(timeIntervalSince1970: 1_751_356_860)))
        s3.stub.signer.accessKey = "STSKEY"
        s3.stub.signer.secretKey = "s"
        #expect(try s3.send("GET", "/src-bucket/none").element("Code") == "InvalidAccessKeyId")
        s3.stub.signer.token = "other"
        #expect(try s3.send("GET", "/src-bucket/none").element("Code") == "InvalidToken")
        s3.stub.signer.token = "token"
        #expect(try s3.send("GET", "/src-bucket/none").element("Code") == "NoSuchKey")
        s3.stub.clock.advance(by: .seconds(60))
        let expired = try s3.send("GET", "/src-bucket/none")
        #expect(expired.status == 400)
        #expect(try expired.element("Code") == "ExpiredToken")
        #expect(try expired.element("Token-0") == "token")
        s3.stub.signer.accessKey = "UNKNOWN"
        #expect(try s3.send("GET", "/src-bucket/none").element("Code") == "InvalidAccessKeyId")
    }

    @Test func presignedRequests() async throws {
        var s3 = try await S3Fixture()
        s3.server.accounts.add(StubAccount(accessKey: "STSKEY", secretKey: "s", sessionToken: "to%2Bken"))
        let signer = s3.stub.signer
        let host = s3.stub.host
        let put = signer.presignedTarget(
            "PUT", "/dst-bucket/a", host: host, headers: [("x-amz-meta-a", "1")], expires: 60)
        let meta = [("x-amz-meta-a", "1")]
        #expect(try s3.stub.sendPresigned("PUT", put, headers: meta, body: [1, 2]).status == 200)
        let get = signer.presignedTarget(
            "GET", "/dst-bucket/a", query: [("response-content-type", "text%2Fx")], host: host, expires: 60)
        let read = try s3.stub.sendPresigned("GET", get)
        #expect(read.body == [1, 2])
        #expect(read.headers["content-type"] == "text/x")
        #expect(read.headers["x-amz-meta-a"] == "1")
        s3.stub.signer.accessKey = "STSKEY"
        s3.stub.signer.secretKey = "s"
        s3.stub.signer.token = "to%252Bken"
        let withToken = s3.stub.signer.presignedTarget("HEAD", "/dst-bucket/a", host: host)
        #expect(try s3.stub.sendPresigned("HEAD", withToken).status == 200)

        // Each differs from what was signed.
        #expect(try s3.stub.sendPresigned("PUT", put, headers: [("x-amz-meta-a", "2")]).status == 403)
        #expect(try s3.stub.sendPresigned("PUT", put).status == 403)
        #expect(try s3.stub.sendPresigned("PUT", put, headers: meta + [("x-amz-acl", "private")]).status == 403)
        #expect(try s3.stub.sendPresigned("HEAD", get).status == 403)
        #expect(try s3.stub.sendPresigned("GET", get, host: "localhost").status == 403)
        #expect(try s3.stub.sendPresigned("GET", get + "&versionId=1").status == 403)
        #expect(try s3.stub.sendPresigned("GET", get.replacing("dst-bucket/a", with: "dst-bucket/b")).status == 403)
        #expect(try s3.stub.sendPresigned("GET", get.replacing("Expires=60", with: "Expires=61")).status == 403)

        s3.stub.clock.advance(by: .seconds(61))
        let late = try s3.stub.sendPresigned("GET", get)
        #expect(late.status == 403)
        #expect(try late.element("Code") == "AccessDenied")
        #expect(try late.element("Message") == "The request has expired.")
    }
}
