public import TransferCore

/// A hook to pause or abort one copy; see `TransferCancelHook`.
public typealias TOSCancelHook = TransferCancelHook

/// Copies an object of any size inside TOS in parts, so that it can be paused and resumed.
///
/// What the copy is to carry is set on the input itself: `input.contentType`, `input.acl`, `input.ssecKey` and the other
/// fields of `TOSObjectAttributes`; so are the conditions of `TOSCopySourceConditions`.
@dynamicMemberLookup
public struct TOSResumableCopyObjectInput: Sendable {
    /// The source's bucket, in the region of the target's.
    public var srcBucket: String
    /// The source's key, by the same rules as `key`.
    public var srcKey: String
    /// Nil for the source's current version.
    public var srcVersionID: String?
    /// The region of the source's bucket, where the caller knows it: one other than the endpoint's is refused before the
    /// first request, for TOS copies inside one region only. Nil leaves it to the service.
    public var srcRegion: String?
    /// 3 to 63 letters a–z, digits and hyphens, with no hyphen at either end.
    public var bucket: String
    /// 1 to 1,024 bytes of UTF-8.
    public var key: String

    /// Bytes of every part but the last, 5 MiB to 5 GiB. 0, the default, means 20 MiB, or more where the object would
    /// otherwise need over 10,000 parts.
    public var partSize = 0
    /// Parts that are copied at once. Default 1; brought into 1 to 1,000.
    public var taskNum = 1
    /// Whether a checkpoint is kept, so that a later call with the same source, target, options and part size continues
    /// where this one stopped. False by default: a copy that stops then leaves nothing at the service.
    public var enableCheckpoint = false
    /// Where the checkpoint is kept, when it is: a file, or a directory (one that exists, or a path that ends in `/`) in
    /// which each copy has a file of its own. Nil for a directory in the user's cache. Without `enableCheckpoint` it is
    /// not looked at.
    public var checkpointFile: String?
    /// A store to keep the checkpoint in, in place of files.
    public var checkpointStore: (any CheckpointStore)?
    /// Repeats of a failed request, each part counted by itself. Default 3; 0 for none.
    public var maxRetryCount = 3
    /// What may stop the copy; serves one call.
    public var cancelHook: (any CancelHook)?
    /// How long parts in flight may go on after a pause or a failure before they are cut. 500 ms by default.
    public var pauseGrace: Duration = .milliseconds(500)
    /// Told of every event, one call at a time, on a queue of this copy's own. May call the hook.
    public var copyEventListener: (@Sendable (TOSCopyEvent) -> Void)?

    /// What the copy is to carry; its fields are fields of this input, too. Without an ACL the copy is private.
    public var attributes = TOSObjectAttributes()
    /// Whether the copy gets the source's content type, cache headers and metadata where `attributes` give none, as a
    /// copy by one request does. True by default.
    public var carriesMetadata = true
    /// Whether the copy gets the source's tags where `attributes` give none, at the price of one more request. False by
    /// default: an event of `TOSCopyHandle.events` tells when tags were left.
    public var carriesTags = false
    /// What must be true of the source; its fields are fields of this input, too.
    public var conditions = TOSCopySourceConditions()
    /// The 32 bytes that the source was encrypted with, if the caller provided them (SSE-C).
    public var copySourceSSECKey: EncryptionKey?
    /// Bits per second of every part, 819,200 to 838,860,800; nil for no limit.
    public var trafficLimit: Int?

    /// Everything else is at its default. Values are checked when the operation is called, before the first request.
    public init(srcBucket: String, srcKey: String, srcVersionID: String? = nil, bucket: String, key: String) {
        self.srcBucket = srcBucket
        self.srcKey = srcKey
        self.srcVersionID = srcVersionID
        self.bucket = bucket
        self.key = key
    }

    /// The fields of `attributes`, as if they were this input's own.
    public subscript<Value>(dynamicMember path: WritableKeyPath<TOSObjectAttributes, Value>) -> Value {
        get { attributes[keyPath: path] }
        set { attributes[keyPath: path] = newValue }
    }

    /// The fields of `conditions`, as if they were this input's own.
    public subscript<Value>(dynamicMember path: WritableKeyPath<TOSCopySourceConditions, Value>) -> Value {
        get { conditions[keyPath: path] }
        set { conditions[keyPath: path] = newValue }
    }
}
