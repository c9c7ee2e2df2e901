public import TransferCore

/// The object that a resumable copy made.
public struct TOSResumableCopyObjectOutput: TOSOutput, Hashable {
    /// Of the request that made the object stand.
    public var response: TOSResponseInfo
    /// The target's bucket.
    public var bucket: String
    /// The target's key.
    public var key: String
    /// Nil where one request made the copy, as for a symbolic link.
    public var uploadID: String?
    /// In quotes, as the service gives it. Not comparable with the source's.
    public var eTag: String
    /// The object's URL as the service writes it; nil when it gives none.
    public var location: String?
    /// The version that was made; nil in a bucket without versions.
    public var versionID: String?
    /// The version of the source that was copied; nil in a bucket without versions.
    public var copySourceVersionID: String?
    /// CRC-64/XZ of the object; nil when the service does not tell.
    public var hashCrc64ecma: UInt64?
    /// The algorithm of a key of the caller's own (SSE-C); nil without one.
    public var ssecAlgorithm: String?
    /// The MD5 of that key in Base64; nil without one.
    public var ssecKeyMD5: String?
    /// How far the copy is known to equal its source.
    public var verification: TransferReceipt.Verification

    init(_ receipt: TransferReceipt, target: ObjectLocation) {
        response = TOSResponseInfo(receipt)
        bucket = target.bucket
        key = target.key
        uploadID = receipt.uploadID
        eTag = receipt.etag.rawValue
        location = receipt.location
        versionID = receipt.versionID
        copySourceVersionID = receipt.sourceVersionID
        hashCrc64ecma = receipt.checksums.crc64
        ssecAlgorithm = receipt.extras[Self.customerPrefix + "algorithm"]
        ssecKeyMD5 = receipt.extras[Self.customerPrefix + "key-md5"]
        verification = receipt.verification
    }

    private static let customerPrefix = TOSProvider.extrasPrefix + "server-side-encryption-customer-"
}
