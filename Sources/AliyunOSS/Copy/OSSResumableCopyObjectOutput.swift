public import TransferCore

/// The object that a resumable copy made.
public struct OSSResumableCopyObjectOutput: OSSOutput, Hashable {
    /// Of the request that made the object stand.
    public var response: OSSResponseInfo
    /// The target's bucket.
    public var bucket: String
    /// The target's key.
    public var key: String
    /// Nil where one request made the copy.
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
    /// How far the copy is known to equal its source.
    public var verification: TransferReceipt.Verification

    init(_ receipt: TransferReceipt, target: ObjectLocation) {
        response = OSSResponseInfo(receipt)
        bucket = target.bucket
        key = target.key
        uploadID = receipt.uploadID
        eTag = receipt.etag.rawValue
        location = receipt.location
        versionID = receipt.versionID
        copySourceVersionID = receipt.sourceVersionID
        hashCrc64ecma = receipt.checksums.crc64
        verification = receipt.verification
    }
}

/// A running copy. It goes on whether or not anybody holds the handle.
public struct OSSCopyHandle: Sendable {
    let handle: TransferHandle
    let target: ObjectLocation

    /// The result, once the copy has ended and its listeners have been told everything. Cancelling the task that waits here
    /// pauses the copy.
    ///
    /// - Throws: As `OSSClient.resumableCopyObject(_:)`.
    public var value: OSSResumableCopyObjectOutput {
        get async throws { OSSResumableCopyObjectOutput(try await handle.value, target: target) }
    }

    /// Everything that happens. For one reader.
    public var events: TransferEvents { handle.events }

    /// Asks the copy to stop and returns at once: `abort: false` pauses it, `abort: true` gives what is stored up and
    /// removes the checkpoint. Late or repeated calls do nothing.
    public func cancel(abort: Bool = false) { handle.cancel(abort ? .abort : .pause) }
}
