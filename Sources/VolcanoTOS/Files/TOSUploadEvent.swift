public import TransferCore

/// What happens in an upload of a file. The values are those of the vendor's SDKs.
public enum TOSUploadEventType: Int, Sendable, Hashable, CaseIterable {
    /// The upload was opened.
    case createMultipartUploadSucceed = 1
    /// The upload could not be opened.
    case createMultipartUploadFailed = 2
    /// A part was sent and recorded.
    case uploadPartSucceed = 3
    /// A part failed for good, its repeats used up.
    case uploadPartFailed = 4
    /// The upload stops: it was paused or aborted, or TOS denied a part (403, 404, 405).
    case uploadPartAborted = 5
    /// The object stands.
    case completeMultipartUploadSucceed = 6
    /// The upload could not be completed.
    case completeMultipartUploadFailed = 7
}

/// One event of an upload. Events come in order; that of a part comes after its line in the checkpoint.
public struct TOSUploadEvent: Sendable {
    /// What happened.
    public var type: TOSUploadEventType
    /// What went wrong; nil for a success.
    public var error: TransferError?
    /// The target's bucket.
    public var bucket: String
    /// The target's key.
    public var key: String
    /// The multipart upload; nil when there is none yet.
    public var uploadID: String?
    /// The file, as the input named it; nil for bytes of the caller's own.
    public var filePath: String?
    /// Where the checkpoint is kept; nil without one.
    public var checkpointFile: String?
    /// The part that the event is about, if it is about one.
    public var uploadPartInfo: TOSUploadPartInfo?
}

/// The part of an upload that an event is about.
public struct TOSUploadPartInfo: Sendable, Hashable {
    /// From 1.
    public var partNumber: Int
    /// Bytes.
    public var partSize: Int64
    /// Where in the file it begins, in bytes.
    public var offset: Int64
    /// Nil unless the part was sent.
    public var eTag: String?
    /// CRC-64/XZ of the part; nil unless it was sent.
    public var hashCrc64ecma: UInt64?

    init(_ part: TransferStep.Part) {
        partNumber = part.number
        partSize = Int64(clamping: part.range.length)
        offset = part.range.firstByte
        eTag = part.stored?.etag.rawValue
        hashCrc64ecma = part.stored?.checksums.crc64
    }
}

extension TOSUploadEvent {
    init?(_ step: TransferStep, target: ObjectLocation, filePath: String?) {
        guard let type = TOSUploadEventType(rawValue: step.kind.rawValue) else { return nil }
        self.init(
            type: type, error: step.error, bucket: target.bucket, key: target.key, uploadID: step.uploadID,
            filePath: filePath, checkpointFile: step.checkpointFile,
            uploadPartInfo: step.part.map(TOSUploadPartInfo.init))
    }
}

extension TOSUploadFileInput {
    /// What the engine tells its events, on behalf of both listeners.
    var listener: (@Sendable (TransferEvent) -> Void)? {
        let target = ObjectLocation(bucket: bucket, key: key)
        let path: String? = if case .file(let path) = content { path } else { nil }
        return StepMapper.listener(
            posting: { TOSUploadEvent($0, target: target, filePath: path) }, to: uploadEventListener, besides: onEvent)
    }
}
