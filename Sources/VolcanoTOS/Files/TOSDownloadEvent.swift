public import TransferCore

/// What happens in a download to a file. The values are those of the vendor's SDKs.
public enum TOSDownloadEventType: Int, Sendable, Hashable, CaseIterable {
    /// The temporary file is there, with room for the whole object.
    case createTempFileSucceed = 1
    /// The temporary file could not be made.
    case createTempFileFailed = 2
    /// A part is in the temporary file, and recorded.
    case downloadPartSucceed = 3
    /// A part failed for good, its repeats used up.
    case downloadPartFailed = 4
    /// The download stops: it was paused or aborted, or TOS denied a part (403, 404, 405).
    case downloadPartAborted = 5
    /// The whole was compared with what TOS stores, and has the name that was asked for.
    case renameTempFileSucceed = 6
    /// The file did not get its name: it differs from the object, or could not be made durable or renamed.
    case renameTempFileFailed = 7
}

/// One event of a download. Events come in order; that of a part comes after its line in the checkpoint.
public struct TOSDownloadEvent: Sendable {
    /// What happened.
    public var type: TOSDownloadEventType
    /// What went wrong; nil for a success.
    public var error: TransferError?
    /// The object's bucket.
    public var bucket: String
    /// The object's key.
    public var key: String
    /// Nil for the current version.
    public var versionID: String?
    /// Where the file is to be, as the input named it.
    public var filePath: String
    /// Where the checkpoint is kept; nil without one.
    public var checkpointFile: String?
    /// The file that holds the bytes until the download is whole; nil when there is none yet.
    public var tempFilePath: String?
    /// The part that the event is about, if it is about one.
    public var downloadPartInfo: TOSDownloadPartInfo?
}

/// The part of a download that an event is about.
public struct TOSDownloadPartInfo: Sendable, Hashable {
    /// From 1.
    public var partNumber: Int
    /// The first byte of the object.
    public var rangeStart: Int64
    /// The last byte of the object, itself included; -1 for the empty part of an empty object.
    public var rangeEnd: Int64
    /// CRC-64/XZ of the part; nil unless it was fetched.
    public var hashCrc64ecma: UInt64?

    init(_ part: TransferStep.Part) {
        partNumber = part.number
        rangeStart = part.range.firstByte
        rangeEnd = part.range.lastByte
        hashCrc64ecma = part.stored?.checksums.crc64
    }
}

extension TOSDownloadEvent {
    init?(_ step: TransferStep, source: ObjectLocation, filePath: String) {
        guard let type = TOSDownloadEventType(rawValue: step.kind.rawValue) else { return nil }
        self.init(
            type: type, error: step.error, bucket: source.bucket, key: source.key, versionID: source.versionID,
            filePath: filePath, checkpointFile: step.checkpointFile, tempFilePath: step.uploadID,
            downloadPartInfo: step.part.map(TOSDownloadPartInfo.init))
    }
}

extension TOSDownloadFileInput {
    /// What the engine tells its events, on behalf of both listeners.
    var listener: (@Sendable (TransferEvent) -> Void)? {
        let source = ObjectLocation(bucket: bucket, key: key, versionID: versionID)
        return StepMapper.listener(
            posting: { [filePath] in TOSDownloadEvent($0, source: source, filePath: filePath) },
            to: downloadEventListener, besides: onEvent)
    }
}
