/// Where checkpoints are kept.
///
/// One claim at a time holds a checkpoint. The engine claims before its first request, begins before part 1 starts, and
/// removes after success; what is kept in between resumes the transfer.
public protocol CheckpointStore: Sendable {
    /// Takes the checkpoint named `id`, existing or not, for this task alone.
    ///
    /// Throws `TransferError` with `.checkpointInUse` while another claim holds it, `.checkpointUnsupported` when a newer
    /// version wrote it, `.checkpointUnusable` when the store cannot keep it.
    func claim(_ id: CheckpointID) async throws -> any CheckpointClaim
    /// What is kept, without side effects; unreadable entries are left out.
    func pending() async throws -> [CheckpointSummary]
}

/// The hold of one task on one checkpoint.
public protocol CheckpointClaim: Sendable {
    /// What was kept when the claim was made.
    var saved: TransferCheckpoint? { get }
    /// Where the checkpoint is, for people: a path, for instance.
    var location: String? { get }
    /// What the store had to do that a user should know, such as setting a foreign file aside.
    var notes: [CheckpointNote] { get }
    /// Yields once when another worker has taken the checkpoint over. Stores without leases never yield.
    var lost: AsyncStream<Void> { get }

    /// Replaces whatever was kept. Durable on return: part 1 starts after it.
    func begin(_ checkpoint: TransferCheckpoint) async throws
    /// Adds finished parts. Need not be durable on return; `flush` and `completing` make it so.
    func record(_ parts: [CompletedPart]) async throws
    /// Notes durably that Complete is about to be sent.
    func completing() async throws
    /// Makes all that was recorded durable.
    func flush() async throws
    /// Removes the checkpoint; the claim stays until `release`.
    func remove() async throws
    /// Ends the claim. What is kept stays.
    func release() async
}

/// Something a store did on claiming that a user should know.
public enum CheckpointNote: Sendable, Hashable {
    /// A damaged record was read up to its first bad line; this many bytes behind it were cut off.
    case truncated(bytes: UInt64)
    /// What was kept is no usable record and was dropped.
    case discarded(reason: String)
    /// A file that is no checkpoint stood at the path; it was renamed, not deleted.
    case setAside(path: String)
}

/// A checkpoint at a glance.
public struct CheckpointSummary: Sendable, Hashable {
    /// What the transfer does.
    public var kind: TransferCheckpoint.Kind
    /// The backend's `provider`.
    public var provider: String
    /// What is transferred, as it was when the transfer began.
    public var source: SourceIdentity
    /// Where it goes.
    public var target: ObjectLocation
    /// The service's id of the multipart upload.
    public var uploadID: String
    /// Parts recorded as stored.
    public var partsDone: Int
    /// Parts in all; nil while unknown.
    public var partCount: Int?
    /// Bytes recorded as stored.
    public var bytesDone: UInt64
    /// Further facts of the provider or application, such as a media id.
    public var extras: [String: String]
    /// Where the checkpoint is, for people and for `discard`.
    public var location: String

    /// A summary of what a store read from `location`.
    public init(_ checkpoint: TransferCheckpoint, location: String) {
        kind = checkpoint.kind
        provider = checkpoint.provider
        source = checkpoint.source
        target = checkpoint.target
        uploadID = checkpoint.uploadID
        partsDone = checkpoint.parts.count
        partCount = checkpoint.partCount
        bytesDone = checkpoint.parts.reduce(0) { sum, part in
            let (total, overflow) = sum.addingReportingOverflow(part.size ?? 0)
            return overflow ? .max : total
        }
        extras = checkpoint.extras
        self.location = location
    }
}
