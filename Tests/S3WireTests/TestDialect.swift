import TransferCore
import TransferHTTP

@testable import S3Wire

extension S3Dialect {
    /// A service that speaks S3 and knows nothing else.
    static let test = S3Dialect(
        provider: "test", title: "the service of the test",
        headers: S3HeaderNames(prefix: "x-amz-", keyID: "server-side-encryption-aws-kms-key-id"),
        extrasPrefix: "x-amz-", signature: .aws4, documents: .xml, metadata: .whenNeeded,
        keyManagementAlgorithm: "aws:kms",
        capabilities: BackendCapabilities(
            parts: .init(minimumSize: 5 << 20, maximumSize: 5 << 30, maximumCount: 10_000, defaultSize: 8 << 20),
            largestPut: 5 << 30, largestCopy: 5 << 30),
        unknownExtras: ["forbid-overwrite": "forbidOverwrite", "callback": "callback"])
}

extension HTTPBody {
    var text: String {
        var bytes = [UInt8](repeating: 0, count: Int(length))
        let count = bytes.withUnsafeMutableBytes { (try? read(at: 0, into: $0)) ?? 0 }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
