public import TransferCore

/// Uploads a file of any size, in parts where it is larger than one, so that it can be paused and resumed.
///
/// What the object is to carry is set on the input itself: `input.contentType`, `input.acl` and the other fields of
/// `TOSObjectAttributes`.
@dynamicMemberLookup
public struct TOSUploadFileInput: Sendable {
    /// What is uploaded.
    public enum Content: Sendable {
        /// The file at a path, opened when the upload starts.
        case file(String)
        /// Bytes of the caller's own.
        case source(UploadSource)
    }

    /// 3 to 63 letters a–z, digits and hyphens, with no hyphen at either end.
    public var bucket: String
    /// 1 to 1,024 bytes of UTF-8.
    public var key: String
    /// What is uploaded.
    public var content: Content

    /// Bytes of every part but the last, 5 MiB to 5 GiB. 0, the default, means 20 MiB, or more where the file would
    /// otherwise need over 10,000 parts. A file of up to this size goes by one request. An upload that is resumed goes on
    /// with the size it began with.
    public var partSize = 0
    /// Parts that are sent at once. Default 1; brought into 1 to 1,000.
    public var taskNum = 1
    /// Whether a checkpoint is kept, so that a later call with the same file, target and options continues where this one
    /// stopped. False by default: an upload that stops then leaves nothing at the service.
    public var enableCheckpoint = false
    /// Where the checkpoint is kept, when it is: a file, or a directory (one that exists, or a path that ends in `/`) in
    /// which each transfer has a file of its own. Nil for a directory in the user's cache. Without `enableCheckpoint` it
    /// is not looked at.
    public var checkpointFile: String?
    /// A store to keep the checkpoint in, in place of files.
    public var checkpointStore: (any CheckpointStore)?
    /// Whether a resumed upload reads the parts that are stored again, locally, and sends those that differ. True by
    /// default.
    public var checksLocalParts = true
    /// Repeats of a failed request, each part counted by itself. Default 3; 0 for none.
    public var maxRetryCount = 3
    /// What may stop the upload; serves one call.
    public var cancelHook: (any CancelHook)?
    /// How long parts in flight may go on after a pause or a failure before they are cut. 500 ms by default.
    public var pauseGrace: Duration = .milliseconds(500)
    /// Told of the seven events of TOS, one call at a time, on a queue of this upload's own. May call the hook. A file that
    /// goes by one request has one event, the last.
    public var uploadEventListener: (@Sendable (TOSUploadEvent) -> Void)?
    /// Told everything, in the engine's terms, in the same way.
    public var onEvent: (@Sendable (TransferEvent) -> Void)?
    /// Told how far the upload is, at most ten times a second, in the same way.
    public var onProgress: (@Sendable (TransferProgress) -> Void)?

    /// What the object is to carry; its fields are fields of this input, too.
    public var attributes = TOSObjectAttributes()
    /// Bits per second of every request, 819,200 to 838,860,800; nil for no limit.
    public var trafficLimit: Int?

    /// An upload of the file at a path; everything else is at its default. Nothing is checked or opened yet.
    public init(bucket: String, key: String, filePath: String) {
        self.init(bucket: bucket, key: key, content: .file(filePath))
    }

    /// An upload of the caller's own bytes; everything else is at its default. Nothing is checked yet.
    public init(bucket: String, key: String, source: UploadSource) {
        self.init(bucket: bucket, key: key, content: .source(source))
    }

    private init(bucket: String, key: String, content: Content) {
        self.bucket = bucket
        self.key = key
        self.content = content
    }

    /// The fields of `attributes`, as if they were this input's own.
    public subscript<Value>(dynamicMember path: WritableKeyPath<TOSObjectAttributes, Value>) -> Value {
        get { attributes[keyPath: path] }
        set { attributes[keyPath: path] = newValue }
    }
}
