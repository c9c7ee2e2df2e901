import TestSupport
import Testing
import TransferCore
import TransferHTTP
import TransferPrimitives

@testable import AliyunOSS

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Credentials that end, clocks that differ (spec sections 2.16 and 4.2; contract 11).
@Suite struct CredentialsTests {
    /// Hands out numbered temporary credentials.
    private final class Issuer: CredentialsProvider {
        private let count = LockBox(0)
        let life: Double?
        let isStubborn: Bool

        /// - Parameter isStubborn: Whether it always answers the same.
        init(life: Double? = nil, isStubborn: Bool = false) {
            self.life = life
            self.isStubborn = isStubborn
        }

        var calls: Int { count.withLock { $0 } }

        func credentials() async throws -> Credentials {
            let number = count.withLock { count in
                count += 1
                return isStubborn ? 1 : count
            }
            return Credentials(
                accessKey: "STS.\(number)", secretKey: "secret-\(number)", securityToken: "token-\(number)",
                expiration: life.map { Date(timeIntervalSince1970: 1_736_929_800 + $0) })
        }
    }

    private func client(
        _ transport: any HTTPTransport, _ provider: any CredentialsProvider,
        _ change: (inout OSSClientConfiguration) -> Void = { _ in }
    ) throws -> OSSClient {
        var configuration = OSSClientConfiguration(
            endpoint: OSSEndpoint(region: "cn-shanghai"), credentialsProvider: provider)
        configuration.retryPolicy.baseDelay = .zero
        change(&configuration)
        return try OSSClient.test(transport, configuration: configuration)
    }

    private func delete(_ client: OSSClient) async throws {
        _ = try await client.deleteObject(OSSDeleteObjectInput(bucket: "examplebucket", key: "k"))
    }

    @Test(arguments: [
        "SecurityTokenExpired", "InvalidAccessKeyId", "InvalidSecurityToken", "AccessKeyIdAndSecurityTokenNotMatch",
    ])
    func `what ended is renewed, and the request signed anew`(code: String) async throws {
        let transport = ScriptedTransport { request, _ in
            request.headers["x-oss-security-token"] == "token-1" ? try .refusal(403, code) : try .oss(204)
        }
        let issuer = Issuer()
        try await delete(try client(transport, issuer))
        #expect(issuer.calls == 2)
        #expect(transport.requests.map { $0.headers["x-oss-security-token"] } == ["token-1", "token-2"])
    }

    /// FR-050 and its kin: as many renewals as endings, not as parts.
    @Test func `a hundred parts that meet the end together ask once`() async throws {
        let oss = FakeOSS { request in
            request.operation == "UploadPart" && request.headers["x-oss-security-token"] == "token-1"
                ? try .refusal(403, "SecurityTokenExpired") : nil
        }
        let issuer = Issuer()
        let client = try client(oss, issuer)
        let upload = try await client.initiateMultipartUpload(.init(bucket: "examplebucket", key: "k"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...100 {
                group.addTask {
                    _ = try await client.uploadPart(
                        OSSUploadPartInput(
                            bucket: "examplebucket", key: "k", uploadID: upload.uploadID, partNumber: number,
                            content: MemorySource([UInt8(number)])))
                }
            }
            try await group.waitForAll()
        }
        #expect(issuer.calls == 2)
        #expect(oss.uploads["U1"]?.parts.count == 100)
    }

    @Test func `the same credentials again are not tried again`() async throws {
        let transport = ScriptedTransport(try .refusal(403, "SecurityTokenExpired"))
        let issuer = Issuer(isStubborn: true)
        let error = await transferError { try await delete(try client(transport, issuer)) }
        #expect(error?.code == .credentialsExpired && error?.retry == .refreshCredentials)
        #expect(transport.requests.count == 1 && issuer.calls == 2)
    }

    @Test func `a plain denial renews nothing`() async throws {
        let transport = ScriptedTransport(try .refusal(403, "AccessDenied"))
        let issuer = Issuer()
        #expect(await transferError { try await delete(try client(transport, issuer)) }?.code == .accessDenied)
        #expect(issuer.calls == 1 && transport.requests.count == 1)
    }

    @Test func `without repeats the one renewal remains`() async throws {
        let transport = ScriptedTransport { request, _ in
            request.headers["x-oss-security-token"] == "token-1"
                ? try .refusal(403, "SecurityTokenExpired") : try .oss(204)
        }
        try await delete(try client(transport, Issuer()) { $0.maxRetryCount = 0 })
        #expect(transport.requests.count == 2)
    }

    @Test func `a provider that fails or hangs ends the call`() async throws {
        struct Broken: Error {}
        let transport = ScriptedTransport(try .oss(204))
        let broken = RefreshingCredentialsProvider { throw Broken() }
        let error = await transferError { try await delete(try client(transport, broken)) }
        #expect(error?.code == .credentialsUnavailable && error?.underlying is Broken)
        #expect(transport.requests.isEmpty)
        let hanging = RefreshingCredentialsProvider {
            try await Task.sleep(for: .seconds(600))
            throw Broken()
        }
        let clock = ManualClock(start: Vector.date)
        let configuration = OSSClientConfiguration(
            endpoint: OSSEndpoint(region: "cn-shanghai"), credentialsProvider: hanging)
        let slow = try OSSClient(configuration: configuration, transport: transport, clock: clock)
        async let outcome = transferError { try await delete(slow) }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(60))
        #expect(await outcome?.code == .credentialsUnavailable)
    }

    @Test func `credentials that cannot be sent are refused without showing them`() async throws {
        let transport = ScriptedTransport(try .oss(204))
        let provider = RefreshingCredentialsProvider {
            Credentials(accessKey: "a", secretKey: "b", securityToken: "x\r\nhidden")
        }
        let error = await transferError { try await delete(try client(transport, provider)) }
        #expect(error?.code == .credentialsInvalid)
        #expect(error.map { String(reflecting: $0).contains("hidden") } == false)
        #expect(transport.requests.isEmpty)
    }

    @Test func `the environment by the names of OSS's tools`() async throws {
        let names = EnvironmentCredentialsProvider.ossEnvironment
        #expect(names.accessKey == "OSS_ACCESS_KEY_ID" && names.secretKey == "OSS_ACCESS_KEY_SECRET")
        #expect(names.securityToken == "OSS_SESSION_TOKEN")
        func read(_ values: [String: String]) async throws -> Credentials {
            try await EnvironmentCredentialsProvider(
                accessKey: "ID", secretKey: "SECRET", securityToken: "TOKEN", environment: { values }
            ).credentials()
        }
        #expect(try await read(["ID": "a", "SECRET": "b"]) == Credentials(accessKey: "a", secretKey: "b"))
        #expect(try await read(["ID": "a", "SECRET": "b", "TOKEN": "t"]).securityToken == "t")
        #expect(try await read(["ID": "a", "SECRET": "b", "TOKEN": ""]).securityToken == nil)
        await #expect(throws: MissingEnvironmentVariable.self) { try await read(["ID": "", "SECRET": "b"]) }
        await #expect(throws: MissingEnvironmentVariable.self) { try await read(["ID": "a"]) }
    }

    private let serverTime = Date(timeIntervalSince1970: 1_736_929_800 + 7_200)

    @Test func `a skewed clock is repaired from the document, once for the client`() async throws {
        let transport = ScriptedTransport { [serverTime] request, _ in
            guard request.headers["x-oss-date"] != HTTPDate.formatCompact(serverTime) else { return try .oss(204) }
            return try .refusal(
                403, "RequestTimeTooSkewed",
                "<ServerTime>\(HTTPDate.formatISO8601(serverTime))</ServerTime>")
        }
        let client = try OSSClient.test(transport)
        try await delete(client)
        try await delete(client)
        #expect(transport.requests.count == 3)
    }

    @Test func `the refusal of a V4 date is repaired from the Date header`() async throws {
        let transport = ScriptedTransport { [serverTime] request, _ in
            guard request.headers["x-oss-date"] != HTTPDate.formatCompact(serverTime) else { return try .oss(204) }
            return try .oss(
                400,
                "<Error><Code>InvalidArgument</Code>"
                    + "<Message>Invalid signing date in Authorization header.</Message></Error>",
                [("Date", HTTPDate.format(serverTime)), ("x-oss-server-time", "3")])
        }
        try await delete(try OSSClient.test(transport))
        #expect(transport.requests.count == 2)
    }

    @Test func `HEAD is repaired by the document in its header`() async throws {
        let document =
            "<Error><Code>RequestTimeTooSkewed</Code><ServerTime>2025-01-15T10:30:00.000Z</ServerTime></Error>"
        let transport = ScriptedTransport { [serverTime] request, _ in
            request.headers["x-oss-date"] == HTTPDate.formatCompact(serverTime)
                ? try .oss(200, "", [("Content-Length", "3")])
                : try .oss(403, "", [("x-oss-err", Base64.encode(document.utf8))])
        }
        let client = try OSSClient.test(transport)
        #expect(try await client.headObject(.init(bucket: "examplebucket", key: "k")).contentLength == 3)
        #expect(transport.requests.count == 2)
    }

    @Test func `a clock of 1970 is not believed`() async throws {
        let transport = ScriptedTransport(
            try .oss(
                403, "<Error><Code>RequestTimeTooSkewed</Code></Error>", [("Date", "Thu, 01 Jan 1970 00:00:00 GMT")]))
        #expect(await transferError { try await delete(try OSSClient.test(transport)) }?.code == .clockSkew)
        #expect(transport.requests.count == 1)
    }
}
