public import TransferCore

/// The object that was uploaded.
public struct TOSUploadFileOutput: TOSOutput, Hashable {
    /// Of the request that made the object stand.
    public var response: TOSResponseInfo
    /// The target's bucket.
    public var bucket: String
    /// The target's key.
    public var key: String
    /// Nil where one request made the object.
    public var uploadID: String?
    /// In quotes, as the service gives it. No MD5 of the content where the object was made of parts.
    public var eTag: String
    /// The object's URL as the service writes it; nil when it gives none.
    public var location: String?
    /// The version that was made; nil in a bucket without versions.
    public var versionID: String?
    /// CRC-64/XZ of the object; nil when the service does not tell.
    public var hashCrc64ecma: UInt64?
    /// How far the object is known to equal the file.
    public var verification: TransferReceipt.Verification

    init(_ receipt: TransferReceipt, target: ObjectLocation) {
        response = TOSResponseInfo(receipt)
        bucket = target.bucket
        key = target.key
        uploadID = receipt.uploadID
        eTag = receipt.etag.rawValue
        location = receipt.location
        versionID = receipt.versionID
        hashCrc64ecma = receipt.checksums.crc64
        verification = receipt.verification
    }
}

/// A running upload. It goes on whether or not anybody holds the handle.
public struct TOSUploadHandle: Sendable {
    let handle: TransferHandle
    let target: ObjectLocation

    /// The result, once the upload has ended and its listeners have been told everything. Cancelling the task that waits
    /// here pauses the upload.
    ///
    /// - Throws: As `TOSClient.uploadFile(_:)`.
    public var value: TOSUploadFileOutput {
        get async throws { TOSUploadFileOutput(try await handle.value, target: target) }
    }

    /// Everything that happens. For one reader.
    public var events: TransferEvents { handle.events }

    /// Asks the upload to stop and returns at once: `abort: false` pauses it, `abort: true` gives what is stored up and
    /// removes the checkpoint. Late or repeated calls do nothing.
    public func cancel(abort: Bool = false) { handle.cancel(abort ? .abort : .pause) }
}
