import ObjectStoreStub
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct SignatureTests {
    private static let refusals: Set<String> = [
        "SignatureDoesNotMatch", "AuthorizationHeaderMalformed", "AuthorizationQueryParametersError", "AccessDenied",
        "InvalidAccessKeyId", "InvalidSecurityToken", "ExpiredToken", "RequestTimeTooSkewed", "InvalidRequest",
        "XAmzContentSHA256Mismatch",
    ]

    private func server(for vector: SignatureVector) async throws -> ObjectStoreStub {
        var configuration = StubConfiguration()
        configuration.clock = ManualClock(start: Date(timeIntervalSince1970: vector.time))
        configuration.region = vector.region
        configuration.accounts = [
            StubAccount(accessKey: vector.accessKey, secretKey: vector.secretKey, sessionToken: vector.token)
        ]
        configuration.buckets = ["src-bucket", "dst-bucket", "examplebucket", "bucket"]
        return try await ObjectStoreStub.start(configuration)
    }

    @Test(arguments: SignatureVector.all)
    func acceptsWhatOfficialClientsSign(vector: SignatureVector) async throws {
        let server = try await server(for: vector)
        let client = try RawClient(port: server.port)
        try client.send(vector.bytes)
        var reply = try client.receive(isHead: vector.request.hasPrefix("HEAD"))
        if reply.status == 100 { reply = try client.receive() }
        let entry = try #require(server.wireLog.entries.first)
        #expect(entry.diagnosis == nil)
        #expect(!Self.refusals.contains(entry.code ?? ""), "\(entry) \(reply.text)")
        #expect(entry.request.dialect == (vector.name.hasPrefix("S") ? "s3" : "tos"))
    }

    @Test(arguments: SignatureVector.all)
    func refusesAnotherSignatureOfTheSameLength(vector: SignatureVector) async throws {
        let server = try await server(for: vector)
        let pattern = vector.request.contains("X-Tos-Signature=") ? "X-Tos-Signature=" : "Signature="
        let place = try #require(vector.request.firstRange(of: pattern)).upperBound
        var text = vector.request
        let other: Character = text[place] == "0" ? "1" : "0"
        text.replaceSubrange(place...place, with: String(other))
        let client = try RawClient(port: server.port)
        try client.send(SignatureVector(name: "changed", request: text).bytes)
        let reply = try client.receive(isHead: vector.request.hasPrefix("HEAD"))
        #expect(reply.status == 403)
        let entry = try #require(server.wireLog.entries.first)
        #expect(entry.code == "SignatureDoesNotMatch")
    }

    @Test func aRefusalShowsWhatTheServerWouldHaveSigned() async throws {
        var stub = try await StubFixture()
        stub.signer.secretKey = "another"
        let reply = try stub.send("GET", "/src-bucket/plain.txt")
        #expect(reply.status == 403)
        #expect(try reply.member("Code") == "SignatureDoesNotMatch")
        #expect(reply.headers["x-tos-ec"] == "0002-00000024")
        #expect(try reply.member("AccessKeyId") == stub.signer.accessKey)
        #expect(try reply.member("StringToSign").hasPrefix("TOS4-HMAC-SHA256"))
        #expect(try reply.member("CanonicalRequest").contains("/src-bucket/plain.txt"))
    }

    /// What a client may do wrong, as a change of a well-signed request, and the component the log must name.
    struct Slip: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var method = "GET"
        var headers: [(String, String)] = []
        var secretPrefix = ""
        var signedHost: String?
        var change: @Sendable (String) -> String = { $0 }
        let expected: String
    }

    static let slips = [
        Slip(
            testDescription: "unsigned header",
            change: { $0.replacing("\r\n\r\n", with: "\r\nx-tos-extra: 1\r\n\r\n") },
            expected: "x-tos-extra is sent but not signed"),
        Slip(
            testDescription: "unsigned content type",
            change: { $0.replacing("\r\n\r\n", with: "\r\nContent-Type: text/plain\r\n\r\n") },
            expected: "content-type is sent but not signed"),
        Slip(
            testDescription: "signed header left out", headers: [("x-tos-acl", "private")],
            change: { $0.replacing("x-tos-acl: private\r\n", with: "") }, expected: "x-tos-acl is signed but not sent"),
        Slip(
            testDescription: "other value on the wire", headers: [("x-tos-acl", "")],
            change: { $0.replacing("x-tos-acl: \r\n", with: "x-tos-acl: private\r\n") },
            expected: "header x-tos-acl: signed as empty"),
        Slip(testDescription: "host without port", signedHost: "127.0.0.1", expected: "host: signed without its port"),
        Slip(
            testDescription: "prefix of the other chain", secretPrefix: "AWS4",
            expected: "secret: used with the prefix AWS4"),
        Slip(
            testDescription: "other method", change: { $0.replacing("GET ", with: "DELETE ") },
            expected: "method: signed as GET"),
        Slip(
            testDescription: "path signed undecoded", change: { $0.replacing("a%2Bb", with: "a+b") },
            expected: ""),
        Slip(
            testDescription: "parameter added after signing",
            change: { $0.replacing("a%2Bb", with: "a%2Bb?versionId=1") }, expected: "query: left out"),
    ]

    @Test(arguments: slips)
    func namesTheComponentThatDiffers(slip: Slip) async throws {
        var stub = try await StubFixture()
        stub.signer.secretKey = slip.secretPrefix + stub.signer.secretKey
        let host = "127.0.0.1:\(stub.server.port)"
        let signed = stub.signer.request(
            slip.method, "/src-bucket/a%2Bb", host: slip.signedHost ?? host, headers: slip.headers)
        var text = String(decoding: signed, as: UTF8.self)
        if let signedHost = slip.signedHost {
            text = text.replacing("Host: \(signedHost)\r\n", with: "Host: \(host)\r\n")
        }
        let client = try stub.connect()
        try client.send(slip.change(text))
        let reply = try client.receive()
        let entry = try #require(stub.server.wireLog.entries.first)
        if slip.expected.isEmpty {
            // A sign that may be written either way means the same key: the server decodes before it encodes.
            #expect(entry.code == "NoSuchKey")
        } else {
            #expect(reply.status == 403)
            #expect(entry.diagnosis == slip.expected)
        }
    }

    @Test(arguments: [-16, -14, 14, 16])
    func aClockMayDifferByFifteenMinutes(minutes: Int) async throws {
        let stub = try await StubFixture()
        stub.clock.jumpWallClock(by: Double(minutes * 60))
        let reply = try stub.send("GET", "/src-bucket/none")
        if abs(minutes) < 15 {
            #expect(reply.status == 404)
        } else {
            #expect(reply.status == 403)
            #expect(try reply.member("Code") == "RequestTimeTooSkewed")
            let date = minutes > 0 ? "Tue, 01 Jul 2025 08:16:00 GMT" : "Tue, 01 Jul 2025 07:44:00 GMT"
            #expect(reply.headers["date"] == date)
        }
    }

    @Test func aPresignedRequestEndsWithItsLifetime() async throws {
        let vector = try #require(SignatureVector.all.first { $0.name == "P1" })
        var configuration = StubConfiguration()
        let clock = ManualClock(start: Date(timeIntervalSince1970: vector.time))
        configuration.clock = clock
        configuration.accounts = [StubAccount(accessKey: vector.accessKey, secretKey: vector.secretKey)]
        configuration.buckets = ["src-bucket"]
        let server = try await ObjectStoreStub.start(configuration)
        let client = try RawClient(port: server.port)
        clock.advance(by: .seconds(3_600))
        try client.send(vector.bytes)
        #expect(try client.receive().status == 404)
        clock.advance(by: .seconds(1))
        try client.send(vector.bytes)
        let reply = try client.receive()
        #expect(reply.status == 403)
        #expect(try reply.member("Message") == "The request has expired.")
    }

    @Test func sessionTokens() async throws {
        var stub = try await StubFixture()
        let account = StubAccount(
            accessKey: "STSKEY", secretKey: "s", sessionToken: "token+/=",
            expires: Date(timeIntervalSince1970: 1_751_356_800 + 60))
        stub.server.accounts.add(account)
        stub.signer.accessKey = "STSKEY"
        stub.signer.secretKey = "s"

        #expect(try stub.send("GET", "/src-bucket/none").member("Code") == "InvalidSecurityToken")
        stub.signer.token = "other"
        #expect(try stub.send("GET", "/src-bucket/none").member("Code") == "InvalidSecurityToken")
        stub.signer.token = "token+/="
        #expect(try stub.send("GET", "/src-bucket/none").member("Code") == "NoSuchKey")

        stub.clock.advance(by: .seconds(60))
        let expired = try stub.send("GET", "/src-bucket/none")
        #expect(expired.status == 403)
        #expect(try expired.member("Code") == "ExpiredToken")
        #expect(try expired.member("Message").hasSuffix("token+/="))

        stub.signer.token = nil
        stub.signer.accessKey = "UNKNOWN"
        #expect(try stub.send("GET", "/src-bucket/none").member("Code") == "InvalidAccessKeyId")
    }

    @Test func theWrongRegionIsNamed() async throws {
        var stub = try await StubFixture()
        stub.signer.region = "cn-shanghai"
        let reply = try stub.send("GET", "/src-bucket/none")
        #expect(reply.status == 400)
        #expect(try reply.member("Code") == "AuthorizationHeaderMalformed")
        #expect(try reply.member("Message").contains("cn-shanghai"))
    }

    @Test func withoutASignatureOnlyPublicObjectsAreRead() async throws {
        let stub = try await StubFixture()
        let client = try stub.connect()
        var attributes = ObjectAttributes()
        attributes.acl = "public-read"
        try stub.server.storage.putObject("open", in: "src-bucket", .text("o"), attributes: attributes)
        try stub.server.storage.putObject("closed", in: "src-bucket", .text("c"))
        try client.send("GET /src-bucket/open HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try client.receive().text == "o")
        try client.send("GET /src-bucket/closed HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try client.receive().status == 403)
        try client.send("DELETE /src-bucket/open HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try client.receive().status == 403)
    }
}
