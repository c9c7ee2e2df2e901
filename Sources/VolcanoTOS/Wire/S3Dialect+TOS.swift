internal import S3Wire
internal import TransferCore
internal import TransferHTTP

// The two wires of TOS are the same operations with other names (TOS: spec sections 1 and 5.4). Uploads, versions and ETags
// are those of one service, so a transfer that began over one wire is known by the same name over the other.

extension S3Dialect {
    /// The wire that `format` names.
    init(_ format: TOSWireFormat) {
        self =
            switch format {
            case .native: .tosNative
            case .s3Compatible: .tosS3Compatible
            }
    }

    private static let tosNative = S3Dialect(
        provider: TOSProvider.name, title: "TOS",
        headers: S3HeaderNames(prefix: "x-tos-", keyID: "server-side-encryption-kms-key-id"),
        extrasPrefix: TOSProvider.extrasPrefix, signature: .tos4, documents: .json, metadata: .always,
        keyManagementAlgorithm: "kms", capabilities: TOSProvider.capabilities(checksums: [.crc64]),
        trafficLimits: TOSProvider.trafficLimits, completesAll: true, signsDocuments: false, namesTypeOfExtension: true)

    /// Fields without a twin there to rely on are refused, not sent in the hope that they mean something.
    private static let tosS3Compatible = S3Dialect(
        provider: TOSProvider.name, title: "the S3-compatible endpoint of TOS",
        headers: S3HeaderNames(prefix: "x-amz-", keyID: "server-side-encryption-aws-kms-key-id"),
        extrasPrefix: TOSProvider.extrasPrefix, signature: .aws4, documents: .xml, metadata: .whenNeeded,
        keyManagementAlgorithm: "aws:kms", capabilities: TOSProvider.capabilities(checksums: []),
        unknownExtras: [
            "forbid-overwrite": "forbidOverwrite", "object-expires": "objectExpires", "callback": "callback",
            "callback-var": "callbackVar",
        ], namesTypeOfExtension: true)
}
