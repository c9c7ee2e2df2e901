import ObjectTransfer

/// A file of checkpoints that pauses the transfer while its first part is recorded, which is before it can be completed,
/// however fast the server and slow the machine.
struct PausingStore: CheckpointStore {
    let store: FileCheckpointStore
    let hook: TransferCancelHook

    func claim(_ id: CheckpointID) async throws -> any CheckpointClaim {
        Claim(claim: try await store.claim(id), hook: hook)
    }

    func pending() async throws -> [CheckpointSummary] { try await store.pending() }

    private struct Claim: CheckpointClaim {
        let claim: any CheckpointClaim
        let hook: TransferCancelHook

        var saved: TransferCheckpoint? { claim.saved }
        var location: String? { claim.location }
        var notes: [CheckpointNote] { claim.notes }
        var lost: AsyncStream<Void> { claim.lost }

        func begin(_ checkpoint: TransferCheckpoint) async throws { try await claim.begin(checkpoint) }
        func record(_ parts: [CompletedPart]) async throws {
            hook.cancel()
            try await claim.record(parts)
        }
        func completing() async throws { try await claim.completing() }
        func flush() async throws { try await claim.flush() }
        func remove() async throws { try await claim.remove() }
        func release() async { await claim.release() }
    }
}
