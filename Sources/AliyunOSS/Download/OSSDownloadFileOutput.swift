public import TransferCore

/// The file that was downloaded.
public struct OSSDownloadFileOutput: Sendable, Hashable {
    /// The bucket of the object that was read.
    public var bucket: String
    /// The key of the object that was read.
    public var key: String
    /// The version that was read; nil in a bucket without versions.
    public var versionID: String?
    /// Where the file is, as it was asked for.
    public var filePath: String
    /// Bytes.
    public var size: UInt64
    /// The object's, in quotes, as the service gives it.
    public var eTag: String
    /// CRC-64/XZ of the bytes in the file.
    public var hashCrc64ecma: UInt64?
    /// How far the file is known to equal the object: `.crc64` where the service tells the object's checksum.
    public var verification: TransferReceipt.Verification

    init(_ receipt: TransferReceipt, of source: ObjectLocation, at path: String) {
        bucket = source.bucket
        key = source.key
        versionID = receipt.versionID ?? source.versionID
        filePath = path
        size = receipt.size ?? 0
        eTag = receipt.etag.rawValue
        hashCrc64ecma = receipt.checksums.crc64
        verification = receipt.verification
    }
}

/// A running download. It goes on whether or not anybody holds the handle.
public struct OSSDownloadHandle: Sendable {
    let handle: TransferHandle
    let source: ObjectLocation
    let path: String

    /// The result, once the download has ended and its listeners have been told everything. Cancelling the task that waits
    /// here pauses the download.
    ///
    /// - Throws: As `OSSClient.downloadFile(_:)`.
    public var value: OSSDownloadFileOutput {
        get async throws { OSSDownloadFileOutput(try await handle.value, of: source, at: path) }
    }

    /// Everything that happens. For one reader.
    public var events: TransferEvents { handle.events }

    /// Asks the download to stop and returns at once: `abort: false` pauses it, `abort: true` removes what is there and the
    /// checkpoint. Late or repeated calls do nothing.
    public func cancel(abort: Bool = false) { handle.cancel(abort ? .abort : .pause) }
}
