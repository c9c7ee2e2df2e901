import ObjectStoreStub
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct OSSSignatureTests {
    private static let refusals: Set<String> = [
        "SignatureDoesNotMatch", "AccessDenied", "InvalidAccessKeyId", "InvalidSecurityToken", "SecurityTokenExpired",
        "AccessKeyIdAndSecurityTokenNotMatch", "RequestTimeTooSkewed", "InvalidArgument", "InvalidRequest",
        "SecondLevelDomainForbidden",
    ]

    private func server(
        for vector: OSSVector, _ change: (inout StubConfiguration) -> Void = { _ in }
    ) async throws -> ObjectStoreStub {
        var configuration = StubConfiguration()
        configuration.clock = ManualClock(start: Date(timeIntervalSince1970: vector.time))
        configuration.ossRegion = vector.region
        configuration.customDomains = ["media.example.com": vector.bucket]
        configuration.accounts = [
            StubAccount(accessKey: vector.accessKey, secretKey: vector.secretKey, sessionToken: vector.token)
        ]
        configuration.buckets = [vector.bucket]
        change(&configuration)
        return try await ObjectStoreStub.start(configuration)
    }

    /// Sends a request and returns what the log says of it once it is answered.
    private func entry(of request: String, at server: ObjectStoreStub) throws -> WireEntry {
        let client = try RawClient(port: server.port)
        try client.send(request)
        _ = try client.receiveHead()
        return try #require(server.wireLog.entries.first)
    }

    @Test(arguments: OSSVector.all)
    func acceptsWhatOfficialClientsSign(vector: OSSVector) async throws {
        let server = try await server(for: vector)
        let entry = try entry(of: vector.request(), at: server)
        #expect(entry.request.dialect == "oss")
        #expect(entry.diagnosis == nil)
        #expect(!Self.refusals.contains(entry.code ?? ""), "\(entry)")
    }

    @Test(arguments: OSSVector.all)
    func namesAHeaderThatWasNotSigned(vector: OSSVector) async throws {
        let server = try await server(for: vector)
        let entry = try entry(of: vector.request(adding: "x-oss-meta-added: 1\r\n"), at: server)
        #expect(entry.code == "SignatureDoesNotMatch")
        #expect(entry.diagnosis == "header x-oss-meta-added: sent but not signed")
    }

    @Test(arguments: OSSVector.all)
    func namesAParameterThatWasNotSigned(vector: OSSVector) async throws {
        let server = try await server(for: vector)
        let request = vector.request()
        let end = try #require(request.firstRange(of: " HTTP/1.1"))
        let added = vector.line.contains("?") ? "&tagging" : "?tagging"
        let changed = request.replacingCharacters(in: end, with: added + " HTTP/1.1")
        let entry = try entry(of: changed, at: server)
        #expect(entry.code == "SignatureDoesNotMatch")
        #expect(entry.diagnosis == (vector.signsQuery ? "query tagging: sent but not signed" : "query: left out"))
    }

    @Test(arguments: OSSVector.all)
    func namesAnotherMethod(vector: OSSVector) async throws {
        let server = try await server(for: vector)
        let method = vector.line.prefix { $0 != " " }
        let entry = try entry(of: "DELETE" + vector.request().dropFirst(method.count), at: server)
        #expect(entry.code == "SignatureDoesNotMatch")
        #expect(entry.diagnosis == "method: signed as \(method)")
    }

    @Test(arguments: OSSVector.all)
    func namesTheSecretOfAnotherKey(vector: OSSVector) async throws {
        let server = try await server(for: vector) { configuration in
            configuration.accounts = [
                StubAccount(accessKey: vector.accessKey, secretKey: "changed", sessionToken: vector.token),
                StubAccount(accessKey: "OTHER", secretKey: vector.secretKey),
            ]
        }
        let entry = try entry(of: vector.request(), at: server)
        #expect(entry.code == "SignatureDoesNotMatch")
        #expect(entry.diagnosis == "secret: it is that of the access key OTHER")
    }

    @Test(arguments: OSSVector.v4Headers + OSSVector.v4URLs + OSSVector.published)
    func namesAnotherRegion(vector: OSSVector) async throws {
        let server = try await server(for: vector) { $0.ossRegion = "cn-beijing" }
        let entry = try entry(of: vector.request(), at: server)
        #expect(entry.code == "InvalidArgument")
        #expect(entry.diagnosis == "scope: the region is \(vector.region), not cn-beijing")
    }

    /// What a client may do wrong with its own request, and the component that the log must name.
    struct Slip: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var version = OSSTestSigner.Version.v4
        var sign: @Sendable (inout OSSTestSigner, inout OSSTestSigner.Target) -> Void = { _, _ in }
        var headers: [(String, String)] = []
        var change: @Sendable (String) -> String = { $0 }
        let expected: String
    }

    static let slips = [
        Slip(
            testDescription: "without the bucket", sign: { signer, _ in signer.signsBucket = false },
            expected: "path: signed without the bucket"),
        Slip(
            testDescription: "without the bucket, V1", version: .v1,
            sign: { signer, _ in signer.signsBucket = false }, expected: "resource: signed without the bucket"),
        Slip(
            testDescription: "AWS's prefix", sign: { signer, _ in signer.secretPrefix = "AWS4" },
            expected: "secret: used with the prefix AWS4"),
        Slip(
            testDescription: "no prefix", sign: { signer, _ in signer.secretPrefix = "" },
            expected: "secret: used without a prefix"),
        Slip(
            testDescription: "type added by the HTTP library",
            change: { $0.replacing("\r\n\r\n", with: "\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n") },
            expected: "header content-type: sent but not signed"),
        Slip(
            testDescription: "type added by the HTTP library, V1", version: .v1,
            change: { $0.replacing("\r\n\r\n", with: "\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n") },
            expected: "content-type: sent but not signed"),
        Slip(
            testDescription: "digest added", version: .v1,
            change: { $0.replacing("\r\n\r\n", with: "\r\nContent-MD5: 1B2M2Y8AsgTpgAmY7PhCfg==\r\n\r\n") },
            expected: "content-md5: sent but not signed"),
        Slip(
            testDescription: "value signed as empty", headers: [("x-oss-meta-a", "")],
            change: { $0.replacing("x-oss-meta-a: \r\n", with: "x-oss-meta-a: b\r\n") },
            expected: "header x-oss-meta-a: signed as empty"),
        Slip(
            testDescription: "x-oss-date beside Date", version: .v1,
            headers: [("x-oss-date", "Wed, 15 Jan 2025 08:30:01 GMT")],
            expected: "date: that of Date is signed in place of x-oss-date"),
        Slip(
            testDescription: "two slips at once", sign: { signer, _ in signer.signsBucket = false },
            change: { $0.replacing("\r\n\r\n", with: "\r\nContent-Type: text/plain\r\n\r\n") },
            expected: "unknown: the secret key, a value or more than one component differs"),
        Slip(
            testDescription: "encoded key", version: .v1,
            sign: { _, target in
                target.key = "a%20b"
                target.path = "/dst-bucket/a%20b"
            }, expected: "resource: its key is percent-encoded"),
        Slip(
            testDescription: "parameters that are not signed", version: .v1,
            change: { $0.replacing("GET /dst-bucket/a ", with: "GET /dst-bucket/a?versionId=1 ") },
            expected: "query: left out"),
    ]

    @Test(arguments: slips)
    func namesTheComponentThatDiffers(slip: Slip) async throws {
        let stub = try await OSSFixture()
        var signer = stub.signer
        signer.version = slip.version
        var target = OSSTestSigner.Target(method: "GET", bucket: "dst-bucket", key: "a")
        slip.sign(&signer, &target)
        let signed = signer.request(target, host: stub.host, headers: slip.headers, body: [])
        let reply = try stub.exchange(Array(slip.change(String(decoding: signed, as: UTF8.self)).utf8))
        #expect(reply.status == 403)
        #expect(try reply.element("Code") == "SignatureDoesNotMatch")
        #expect(stub.server.wireLog.entries.first?.diagnosis == slip.expected)
    }

    @Test(arguments: [
        ("Range: bytes=0-99\r\n", "", "range is signed but not sent"),
        ("host;range", "range;host", "the signed headers are not sorted"),
        ("host;range", "host;host;range", "a header is signed twice"),
        ("host;range", "range", "unknown: the secret key, a value or more than one component differs"),
        ("AdditionalHeaders=host;range,", "", "unknown: the secret key, a value or more than one component differs"),
    ])
    func additionalHeadersAreListed(text: String, change: String, diagnosis: String) async throws {
        let vector = try #require(OSSVector.v4Headers.first { $0.testDescription == "A.4" })
        #expect(vector.request().contains(text))
        let server = try await server(for: vector)
        let entry = try entry(of: vector.request().replacing(text, with: change), at: server)
        #expect(entry.code == "SignatureDoesNotMatch")
        #expect(entry.diagnosis == diagnosis)
    }

    @Test(arguments: [OSSTestSigner.Version.v4, .v1])
    func aRefusalShowsWhatTheServerWouldHaveSigned(version: OSSTestSigner.Version) async throws {
        var stub = try await OSSFixture()
        stub.signer.version = version
        stub.signer.secretKey = "another"
        let reply = try stub.send("GET", "a b")
        #expect(reply.status == 403)
        #expect(reply.headers["x-oss-ec"] == "0002-00000040")
        #expect(try reply.element("OSSAccessKeyId") == stub.signer.accessKey)
        #expect(try !reply.element("SignatureProvided").isEmpty)
        let text = try reply.element("StringToSign")
        #expect(text.hasPrefix(version == .v4 ? "OSS4-HMAC-SHA256\n20250115T083000Z\n" : "GET\n\n\nWed, 15 Jan"))
        #expect(try reply.element("StringToSignBytes").hasPrefix(version == .v4 ? "4F 53 53 34 " : "47 45 54 0A "))
        if version == .v4 { #expect(try reply.element("CanonicalRequest").contains("/dst-bucket/a%20b\n")) }
        #expect(!reply.text.contains(stub.signer.secretKey))
    }

    // MARK: Clocks

    @Test(arguments: [OSSTestSigner.Version.v4, .v1], [-16, -14, 14, 16])
    func aClockMayDifferByFifteenMinutes(version: OSSTestSigner.Version, minutes: Int) async throws {
        var stub = try await OSSFixture()
        stub.signer.version = version
        stub.clock.jumpWallClock(by: Double(minutes * 60))
        let reply = try stub.send("GET", "none")
        guard abs(minutes) > 15 else {
            #expect(try reply.element("Code") == "NoSuchKey")
            return
        }
        #expect(reply.status == 403)
        #expect(try reply.element("Code") == "RequestTimeTooSkewed")
        #expect(try reply.element("RequestTime") == "2025-01-15T08:30:00.000Z")
        #expect(
            try reply.element("ServerTime") == (minutes > 0 ? "2025-01-15T08:46:00.000Z" : "2025-01-15T08:14:00.000Z"))
        #expect(try reply.element("MaxAllowedSkewMilliseconds") == "900000")
        #expect(reply.headers["x-oss-ec"] == "0002-00000504")

        stub.server.quirks.reportsSkewAsSigningDate = true
        let other = try stub.send("GET", "none")
        #expect(other.status == 400)
        #expect(try other.element("Code") == "InvalidArgument")
        #expect(try other.element("Message") == "Invalid signing date in Authorization header.")
        #expect(!other.text.contains("ServerTime"))
    }

    @Test func theDayOfTheScopeIsThatOfTheDate() async throws {
        let stub = try await OSSFixture()
        let target = OSSTestSigner.Target(method: "GET", bucket: "dst-bucket", key: "a")
        let request = stub.signer.request(target, host: stub.host, headers: [], body: [])
        let text = String(decoding: request, as: UTF8.self).replacing("/20250115/", with: "/20250114/")
        let reply = try stub.exchange(Array(text.utf8))
        #expect(try reply.element("Message") == "Invalid signing date in Authorization header.")
        #expect(stub.server.wireLog.entries.first?.diagnosis?.hasPrefix("scope: its date 20250114") == true)
    }

    @Test(arguments: [OSSTestSigner.Version.v4, .v1])
    func aPresignedRequestEndsWithItsLifetime(version: OSSTestSigner.Version) async throws {
        var stub = try await OSSFixture()
        stub.signer.version = version
        try stub.server.storage.putObject("a/b c", in: "dst-bucket", .text("x"))
        let target = OSSTestSigner.Target(
            method: "GET", bucket: "dst-bucket", key: "a/b c",
            query: [("response-content-type", "text/x; a=b"), ("response-expires", "0")])
        let request = stub.signer.presigned(target, host: stub.host)
        let reply = try stub.exchange(request)
        #expect(reply.text == "x")
        #expect(reply.headers["content-type"] == "text/x; a=b")
        #expect(reply.headers["expires"] == "0")
        stub.clock.advance(by: .seconds(600))
        #expect(try stub.exchange(request).status == 200)
        stub.clock.advance(by: .seconds(1))
        let late = try stub.exchange(request)
        #expect(late.status == 403)
        #expect(try late.element("Code") == "AccessDenied")
        stub.clock.jumpWallClock(by: -601 - 901)
        if version == .v4 {
            let early = try stub.exchange(request)
            #expect(try early.element("Code") == "AccessDenied")
            #expect(early.headers["x-oss-ec"] == "0002-00000235")
        } else {
            #expect(try stub.exchange(request).status == 200)
        }
    }

    @Test(arguments: ["0", "604801", "x", "-1"])
    func lifetimesHaveALimit(lifetime: String) async throws {
        let stub = try await OSSFixture()
        let target = OSSTestSigner.Target(method: "GET", bucket: "dst-bucket", key: "a")
        let reply = try stub.exchange(stub.signer.presigned(target, host: stub.host, lifetime: lifetime))
        #expect(reply.status == 400)
        #expect(try reply.element("Code") == "InvalidArgument")
    }

    // MARK: Tokens and keys

    @Test(arguments: [OSSTestSigner.Version.v4, .v1], [false, true])
    func sessionTokens(version: OSSTestSigner.Version, inURL: Bool) async throws {
        var stub = try await OSSFixture()
        stub.server.accounts.add(
            StubAccount(
                accessKey: "STS.A", secretKey: "s", sessionToken: "token+/=",
                expires: OSSFixture.now.addingTimeInterval(60)))
        stub.server.accounts.add(StubAccount(accessKey: "STS.B", secretKey: "s", sessionToken: "token of B"))
        stub.signer.version = version
        stub.signer.accessKey = "STS.A"
        stub.signer.secretKey = "s"
        func code(_ token: String?) throws -> String {
            stub.signer.token = token
            let target = OSSTestSigner.Target(method: "GET", bucket: "dst-bucket", key: "none")
            let request =
                inURL
                ? stub.signer.presigned(target, host: stub.host)
                : stub.signer.request(target, host: stub.host, headers: [], body: [])
            return try stub.exchange(request).element("Code")
        }
        #expect(try code(nil) == "InvalidAccessKeyId")
        #expect(try code("other") == "InvalidSecurityToken")
        #expect(try code("token of B") == "AccessKeyIdAndSecurityTokenNotMatch")
        #expect(try code("token+/=") == "NoSuchKey")
        stub.clock.advance(by: .seconds(60))
        #expect(try code("token+/=") == "SecurityTokenExpired")
        stub.signer.accessKey = "UNKNOWN"
        #expect(try code(nil) == "InvalidAccessKeyId")
    }

    @Test func anExpiredTokenIsEchoedAsTheServiceDoes() async throws {
        var stub = try await OSSFixture()
        stub.server.accounts.add(
            StubAccount(accessKey: "STS.A", secretKey: "s", sessionToken: "CAIS+t", expires: OSSFixture.now))
        stub.signer.accessKey = "STS.A"
        stub.signer.secretKey = "s"
        stub.signer.token = "CAIS+t"
        let reply = try stub.send("PUT", "a")
        #expect(reply.status == 403)
        #expect(reply.headers["x-oss-ec"] == "0002-00000007")
        #expect(try reply.element("SecurityToken") == "CAIS+t")
        #expect(stub.server.storage.keys(in: "dst-bucket").isEmpty)
    }

    @Test(arguments: ["OSS4-HMAC-SHA256 Credential=x", "OSS4-HMAC-SHA1 a", "OSS x", "OSS :", "Basic eDp5", "OSS a:b:c"])
    func malformedSignatures(authorization: String) async throws {
        let stub = try await OSSFixture()
        let reply = try stub.exchange(
            Array(
                """
                GET /dst-bucket/a HTTP/1.1\r\nHost: x\r\nAuthorization: \(authorization)\r\n\
                x-oss-content-sha256: UNSIGNED-PAYLOAD\r\n\r\n
                """.utf8))
        #expect(reply.status == 400)
        #expect(try reply.element("Code") == "InvalidArgument")
    }

    @Test func thePayloadIsNeverSigned() async throws {
        let stub = try await OSSFixture()
        let target = OSSTestSigner.Target(method: "GET", bucket: "dst-bucket", key: "a")
        let request = stub.signer.request(target, host: stub.host, headers: [], body: [])
        let text = String(decoding: request, as: UTF8.self)
            .replacing("x-oss-content-sha256: UNSIGNED-PAYLOAD\r\n", with: "")
        #expect(try stub.exchange(Array(text.utf8)).element("Code") == "InvalidArgument")
    }

    @Test func withoutASignatureOnlyPublicObjectsAreRead() async throws {
        let stub = try await OSSFixture()
        var attributes = ObjectAttributes()
        attributes.acl = "public-read"
        try stub.server.storage.putObject("open", in: "dst-bucket", .text("o"), attributes: attributes)
        try stub.server.storage.putObject("closed", in: "dst-bucket", .text("c"))
        let host = "dst-bucket.oss-cn-shanghai.aliyuncs.com"
        func get(_ line: String) throws -> RawClient.Reply {
            try stub.exchange(Array("\(line) HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8))
        }
        #expect(try get("GET /open").text == "o")
        #expect(try get("GET /closed").element("Code") == "AccessDenied")
        #expect(try get("DELETE /open").status == 403)
    }
}

extension String {
    fileprivate func replacingCharacters(in range: Range<String.Index>, with text: String) -> String {
        String(self[..<range.lowerBound]) + text + String(self[range.upperBound...])
    }
}
