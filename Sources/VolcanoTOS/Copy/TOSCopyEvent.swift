public import TransferCore

/// What happens in a resumable copy. The values are those of the vendor's SDKs.
public enum TOSCopyEventType: Int, Sendable, Hashable, CaseIterable {
    /// The upload was opened.
    case createMultipartUploadSucceed = 1
    /// The upload could not be opened.
    case createMultipartUploadFailed = 2
    /// A part was copied and recorded.
    case uploadPartCopySucceed = 3
    /// A part failed for good, its repeats used up.
    case uploadPartCopyFailed = 4
    /// The copy stops: it was paused or aborted, or TOS denied a part (403, 404, 405), which gives the whole copy up.
    case uploadPartCopyAborted = 5
    /// The object stands.
    case completeMultipartUploadSucceed = 6
    /// The upload could not be completed.
    case completeMultipartUploadFailed = 7
}

/// One event of a resumable copy. Events come in order; that of a part comes after its line in the checkpoint.
public struct TOSCopyEvent: Sendable {
    /// What happened.
    public var type: TOSCopyEventType
    /// What went wrong; nil for a success.
    public var error: TransferError?
    /// The target's bucket.
    public var bucket: String
    /// The target's key.
    public var key: String
    /// The multipart upload; nil when there is none yet.
    public var uploadID: String?
    /// The source's bucket.
    public var srcBucket: String
    /// The source's key.
    public var srcKey: String
    /// Nil for the source's current version.
    public var srcVersionID: String?
    /// Where the checkpoint is kept; nil without one.
    public var checkpointFile: String?
    /// The part that the event is about, if it is about one.
    public var copyPartInfo: TOSCopyPartInfo?
}

extension TOSCopyEvent {
    init?(_ step: TransferStep, source: ObjectLocation, target: ObjectLocation) {
        guard let type = TOSCopyEventType(rawValue: step.kind.rawValue) else { return nil }
        self.init(
            type: type, error: step.error, bucket: target.bucket, key: target.key, uploadID: step.uploadID,
            srcBucket: source.bucket, srcKey: source.key, srcVersionID: source.versionID,
            checkpointFile: step.checkpointFile, copyPartInfo: step.part.map(TOSCopyPartInfo.init))
    }
}

/// The part that an event is about.
public struct TOSCopyPartInfo: Sendable, Hashable {
    /// From 1.
    public var partNumber: Int
    /// The first byte of the source.
    public var copySourceRangeStart: Int64
    /// The last byte of the source, itself included; -1 for the empty part of an empty object.
    public var copySourceRangeEnd: Int64
    /// Nil unless the part was copied.
    public var eTag: String?

    init(_ part: TransferStep.Part) {
        partNumber = part.number
        copySourceRangeStart = part.range.firstByte
        copySourceRangeEnd = part.range.lastByte
        eTag = part.stored?.etag.rawValue
    }
}

extension ByteRange {
    /// As the events of TOS tell ranges.
    var firstByte: Int64 { Int64(clamping: offset) }
    /// Itself included; one before the first byte for an empty range.
    var lastByte: Int64 { isEmpty ? firstByte - 1 : Int64(clamping: end - 1) }
}
