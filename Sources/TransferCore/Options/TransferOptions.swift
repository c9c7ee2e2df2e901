/// How one transfer is to be made.
public struct TransferOptions: Sendable {
    /// Whether, and where, a checkpoint is kept.
    public enum CheckpointPolicy: Sendable {
        /// None: a stopped transfer cannot be resumed and leaves nothing at the service.
        case none
        /// In this store.
        case store(any CheckpointStore)
    }

    /// What to do while another task holds the checkpoint.
    public enum CheckpointConflict: Sendable, Hashable {
        /// Throw `.checkpointInUse`.
        case fail
        /// Run without a checkpoint; an `unrecorded` event says so.
        case runUnrecorded
    }

    /// Bytes of every part but the last; nil for the backend's default, raised when the part count requires it.
    public var partSize: UInt64?
    /// Parts in flight at once, at least 1.
    public var concurrency: Int
    /// Where the checkpoint is kept, if it is.
    public var checkpoint: CheckpointPolicy
    /// What happens when another transfer holds the checkpoint.
    public var whenCheckpointIsInUse: CheckpointConflict
    /// What may stop the transfer from outside; serves one transfer.
    public var cancelHook: (any CancelHook)?
    /// How long parts in flight may go on after a pause or a failure before they are cut. 500 ms by default.
    public var pauseGrace: Duration
    /// Objects up to this many bytes are made by one request; 0 sends all in parts.
    public var singleRequestLimit: UInt64
    /// Whether a denial (403, 404, 405) of a part aborts the upload and removes the checkpoint, as the TOS SDKs do.
    /// Expired credentials, a skewed clock and an archived source are no denials.
    public var abortsOnDenial: Bool
    /// Whether a resumed upload reads the parts that are stored again, locally, and sends those that differ. Where it does
    /// not, only the record tells that they are right.
    public var checksLocalParts: Bool
    /// Which attributes of the source a copy carries over.
    public var carries: CarriedAttributes
    /// Told everything that happens, one call at a time, on a queue of this transfer's own. May call the hook.
    public var onEvent: (@Sendable (TransferEvent) -> Void)?

    /// What is left out is at its default. Values are checked when the transfer starts.
    public init(
        partSize: UInt64? = nil, concurrency: Int = 4, checkpoint: CheckpointPolicy = .none,
        whenCheckpointIsInUse: CheckpointConflict = .fail,
        cancelHook: (any CancelHook)? = nil, pauseGrace: Duration = .milliseconds(500), singleRequestLimit: UInt64 = 0,
        abortsOnDenial: Bool = false, checksLocalParts: Bool = true, carries: CarriedAttributes = .init(),
        onEvent: (@Sendable (TransferEvent) -> Void)? = nil
    ) {
        self.partSize = partSize
        self.concurrency = concurrency
        self.checkpoint = checkpoint
        self.whenCheckpointIsInUse = whenCheckpointIsInUse
        self.cancelHook = cancelHook
        self.pauseGrace = pauseGrace
        self.singleRequestLimit = singleRequestLimit
        self.abortsOnDenial = abortsOnDenial
        self.checksLocalParts = checksLocalParts
        self.carries = carries
        self.onEvent = onEvent
    }
}

/// Which attributes of its source a copy carries over where the caller gives none.
public struct CarriedAttributes: Sendable, Hashable {
    /// Content type, cache headers, expiry and user metadata, as a simple copy does. True by default.
    public var metadata: Bool
    /// Tags, at the price of one more request. False by default: an event tells when tags were left.
    public var tags: Bool

    /// Metadata is carried and tags are not, unless it says otherwise.
    public init(metadata: Bool = true, tags: Bool = false) {
        self.metadata = metadata
        self.tags = tags
    }
}
