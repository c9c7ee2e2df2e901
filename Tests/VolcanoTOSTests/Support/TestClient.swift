import S3Wire
import TransferCore
import TransferHTTP
import TransferPrimitives

@testable import VolcanoTOS

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension S3Dialect {
    /// The native wire of TOS.
    static let test = S3Dialect(.native)
}

extension TOSClientConfiguration {
    /// The inputs of the specification's test vectors.
    static func test(
        url: String = "https://tos-cn-beijing.volces.com", token: String? = nil, isCustomDomain: Bool = false
    ) -> TOSClientConfiguration {
        var configuration = TOSClientConfiguration(
            endpoint: TOSEndpoint(url: url, region: "cn-beijing", isCustomDomain: isCustomDomain),
            credential: TOSCredential(
                accessKey: "AKTPEXAMPLE0000000000000001", secretKey: "ExampleSecretKeyForTestVectorsOnly==",
                securityToken: token))
        // Repeats do not wait.
        configuration.retryPolicy.baseDelay = .zero
        return configuration
    }
}

extension TOSClient {
    static func test(
        _ transport: ScriptedTransport, configuration: TOSClientConfiguration = .test()
    ) throws -> TOSClient {
        try TOSClient(configuration: configuration, transport: transport, clock: VectorClock())
    }
}

/// The date of the specification's test vectors, for ever; time passes as usual.
struct VectorClock: TransferClock {
    private let system = SystemClock()
    var now: Date { Date(timeIntervalSince1970: 1_751_356_800) }
    var uptime: Duration { system.uptime }
    func sleep(for duration: Duration) async throws { try await system.sleep(for: duration) }
}

/// The error that `body` throws.
func transferError(_ body: () async throws -> Void) async -> TransferError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? TransferError
    }
}
