public import TransferCore

/// Downloads an object of any size to a file, in parts, so that it can be paused and resumed.
public struct OSSDownloadFileInput: Sendable {
    /// 3 to 63 letters a–z, digits and hyphens, with no hyphen at either end.
    public var bucket: String
    /// 1 to 1,023 bytes of UTF-8 that begin with neither `/` nor `\`.
    public var key: String
    /// Nil for the current version.
    public var versionID: String?
    /// Where to, absolute or from the current directory; the directory must exist. Until the download is whole its bytes are in
    /// a file of this name with `.part` at its end, and a file that has the name keeps it.
    public var filePath: String

    /// Bytes of every part but the last. 0, the default, means 8 MiB, or more where the object would otherwise need over
    /// 10,000 parts.
    public var partSize = 0
    /// Parts that are fetched at once. Default 4; brought into 1 to 1,000.
    public var parallel = 4
    /// Whether a checkpoint is kept, so that a later call with the same object, file and part size continues where this one
    /// stopped. False by default: a download that stops then leaves nothing on the disk.
    public var enableCheckpoint = false
    /// Where the checkpoint is kept, when it is: a file, or a directory (one that exists, or a path that ends in `/`) in
    /// which each transfer has a file of its own. Nil for a directory in the user's cache. Without `enableCheckpoint` it
    /// is not looked at.
    public var checkpointFile: String?
    /// A store to keep the checkpoint in, in place of files.
    public var checkpointStore: (any CheckpointStore)?
    /// Whether a resumed download reads the parts that are there again, and fetches those that differ. True by default.
    public var checksLocalParts = true
    /// Repeats of a failed request, each part counted by itself. Default 3; 0 for none.
    public var maxRetryCount = 3
    /// What may stop the download; serves one call.
    public var cancelHook: (any CancelHook)?
    /// How long parts in flight may go on after a pause or a failure before they are cut. 500 ms by default.
    public var pauseGrace: Duration = .milliseconds(500)
    /// Told of every event, one call at a time, on a queue of this download's own. May call the hook.
    public var onEvent: (@Sendable (TransferEvent) -> Void)?
    /// Told how far the download is, at most ten times a second, in the same way.
    public var onProgress: (@Sendable (TransferProgress) -> Void)?
    /// Bits per second of every request, 245,760 to 838,860,800; nil for no limit.
    public var trafficLimit: Int?

    /// A download of the current version; everything else is at its default. Nothing is checked or opened yet.
    public init(bucket: String, key: String, versionID: String? = nil, filePath: String) {
        self.bucket = bucket
        self.key = key
        self.versionID = versionID
        self.filePath = filePath
    }
}
