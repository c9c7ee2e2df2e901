import AliyunOSS
import TransferCore
import TransferHTTP
import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The common inputs of the specification's test vectors.
enum Vector {
    static let date = Date(timeIntervalSince1970: 1_736_929_800)  // 2025-01-15T08:30:00Z
    static let permanent = Credentials(accessKey: "TESTAKID0001", secretKey: "TestSecret/With+Chars=0001")
    static let temporary = Credentials(
        accessKey: "TESTAKID0001", secretKey: "TestSecret/With+Chars=0001", securityToken: "CAIS+tok/en==")
    static let bucket = "examplebucket"
    static let uploadID = "0004B9894A22E5B1888A1E29F823AAAA"
    static let difficultKey = "dir/中文 a+b%c~(1)!*'.mp4"
    static let difficultPath = "dir/%E4%B8%AD%E6%96%87%20a%2Bb%25c~%281%29%21%2A%27.mp4"
    static let host = "https://examplebucket.oss-cn-shanghai.aliyuncs.com"
}

extension OSSClientConfiguration {
    static func test(
        _ endpoint: OSSEndpoint = OSSEndpoint(region: "cn-shanghai"), credential: OSSCredential = Vector.permanent
    ) -> OSSClientConfiguration {
        var configuration = OSSClientConfiguration(endpoint: endpoint, credential: credential)
        // Repeats do not wait.
        configuration.retryPolicy.baseDelay = .zero
        return configuration
    }
}

extension OSSClient {
    static func test(
        _ transport: any HTTPTransport, configuration: OSSClientConfiguration = .test()
    ) throws -> OSSClient {
        try OSSClient(configuration: configuration, transport: transport, clock: VectorClock())
    }
}

/// The date of the specification's test vectors, for ever; time passes as usual.
struct VectorClock: TransferClock {
    private let system = SystemClock()
    var now: Date { Vector.date }
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
