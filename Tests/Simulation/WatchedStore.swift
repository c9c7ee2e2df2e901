import TransferCore

/// A store, and what goes through it.
struct WatchedStore: CheckpointStore {
    let store: any CheckpointStore
    let record: RecordChecks
    let call: CallChecks

    func claim(_ id: CheckpointID) async throws -> any CheckpointClaim {
        // A store in memory does not know that the process is dead.
        if call.process.isDead { throw CancellationError() }
        call.claims()
        let claim: any CheckpointClaim
        do {
            claim = try await store.claim(id)
        } catch {
            call.claimFailed()
            throw error
        }
        if !call.process.isDead {
            record.found(claim.saved)
            call.claimed(claim.saved)
        }
        return WatchedClaim(claim: claim, record: record, call: call)
    }

    func pending() async throws -> [CheckpointSummary] { try await store.pending() }
}

private final class WatchedClaim: CheckpointClaim, @unchecked Sendable {
    private let claim: any CheckpointClaim
    private let record: RecordChecks
    private let call: CallChecks
    /// The upload that the record is of.
    private var uploadID: String

    init(claim: any CheckpointClaim, record: RecordChecks, call: CallChecks) {
        self.claim = claim
        self.record = record
        self.call = call
        uploadID = claim.saved?.uploadID ?? ""
    }

    var saved: TransferCheckpoint? { claim.saved }
    var location: String? { claim.location }
    var notes: [CheckpointNote] { claim.notes }
    var lost: AsyncStream<Void> { claim.lost }

    /// Whether what the call does still counts.
    private var counts: Bool { !call.process.isDead && !call.hasLostClaim }

    func begin(_ checkpoint: TransferCheckpoint) async throws {
        if counts { record.begins(checkpoint) }
        try await claim.begin(checkpoint)
        guard counts else { return }
        uploadID = checkpoint.uploadID
        record.began(checkpoint)
        call.began(checkpoint.uploadID)
    }

    func record(_ parts: [CompletedPart]) async throws {
        if counts {
            record.records(parts, of: uploadID)
            call.records(parts, of: uploadID)
        }
        try await claim.record(parts)
        if counts { record.recorded(parts) }
    }

    func completing() async throws {
        if counts { record.marks(uploadID) }
        try await claim.completing()
        guard counts else { return }
        record.marked()
        call.mark(uploadID)
    }

    func flush() async throws {
        try await claim.flush()
        if counts { record.flushed() }
    }

    func remove() async throws {
        if counts { record.removes() }
        try await claim.remove()
        if counts { record.removed() }
    }

    func release() async { await claim.release() }
}
