internal import S3Wire
internal import TransferCore
internal import TransferHTTP
internal import TransferService

extension S3Dialect {
    /// S3 as Amazon documents it.
    ///
    /// - Parameters:
    ///   - honoursCopyPreconditions: Whether `x-amz-copy-source-if-match` of a part copy is heeded.
    ///   - decodesPartCopySourceTwice: Whether the source of a part copy is percent-decoded twice; nil when not known.
    static func amazon(honoursCopyPreconditions: Bool, decodesPartCopySourceTwice: Bool?) -> S3Dialect {
        S3Dialect(
            provider: S3Provider.name, title: "S3",
            headers: S3HeaderNames(prefix: "x-amz-", keyID: "server-side-encryption-aws-kms-key-id"),
            extrasPrefix: "x-amz-", signature: .aws4, documents: .xml, metadata: .whenNeeded,
            keyManagementAlgorithm: "aws:kms",
            capabilities: BackendCapabilities(
                parts: S3Provider.partLimits, largestPut: S3Provider.largestSingleRequest,
                largestCopy: S3Provider.largestSingleRequest, honoursCopyPreconditions: honoursCopyPreconditions),
            buckets: .labels, decodesPartCopySourceTwice: decodesPartCopySourceTwice)
    }
}

/// What S3 is called in checkpoints and errors, and what it allows (S3: "Multipart upload limits").
enum S3Provider {
    static let name = "s3"

    /// Bytes: 5 MiB to 5 GiB, 8 MiB unless asked for.
    static let partLimits = BackendCapabilities.PartLimits(
        minimumSize: 5 << 20, maximumSize: 5 << 30, maximumCount: 10_000, defaultSize: 8 << 20)
    /// Bytes; S3: "PutObject" and "CopyObject".
    static let largestSingleRequest: UInt64 = 5 << 30
}
