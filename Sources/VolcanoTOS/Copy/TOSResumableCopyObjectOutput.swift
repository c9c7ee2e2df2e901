public import TransferCore

/// The object that a resumable copy made.
public struct TOSResumableCopyObjectOutput: TOSOutput, Hashable {
    /// Of the request that made the object stand.
    public var response: TOSResponseInfo
    public var bucket: String
    public var key: String
    /// Nil where one request made the copy, as for a symbolic link.
    public var uploadID: String?
    /// In quotes, as the service gives it. Not comparable with the source's.
    public var eTag: String
    public var location: String?
    public var versionID: String?
    public var copySourceVersionID: String?
    /// CRC-64/XZ of the object; nil when the service does not tell.
    public var hashCrc64ecma: UInt64?
    public var ssecAlgorithm: String?
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
        ssecAlgorithm = receipt.extras[TOSHeader.customerPrefix + "algorithm"]
        ssecKeyMD5 = receipt.extras[(TOSHeader.customerPrefix + "key-MD5").lowercased()]
        verification = receipt.verification
    }
}
