package import TransferCore
package import TransferPrimitives

/// Checkpoints whose claims are leases, as a store shared by several machines has them: a claim that is not renewed in time may
/// be taken over, and whoever held it is told, and writes nothing any more.
package final class LeasedCheckpointStore: CheckpointStore {
    /// A write that was tried, by the number of the claim.
    package struct Write: Sendable, Hashable {
        package enum Operation: Sendable, Hashable { case begin, record, completing, flush, remove }
        package let claim: Int
        package let operation: Operation
        package let isAccepted: Bool
    }

    fileprivate struct Entry {
        var checkpoint: TransferCheckpoint?
        var holder: Int?
        var expires: Duration = .zero
        var lost: AsyncStream<Void>.Continuation?
    }

    fileprivate struct State {
        var entries: [CheckpointID: Entry] = [:]
        var lastClaim = 0
        var writes: [Write] = []
    }

    fileprivate let state = LockBox(State())
    fileprivate let clock: any TransferClock
    fileprivate let lease: Duration
    /// Whether who loses a claim is told at once; else it finds out by its next write.
    private let signals: Bool

    package init(clock: any TransferClock = SystemClock(), lease: Duration = .seconds(86_400), signals: Bool = true) {
        self.clock = clock
        self.lease = lease
        self.signals = signals
    }

    package var writes: [Write] { state.withLock { $0.writes } }
    package func checkpoint(_ id: CheckpointID) -> TransferCheckpoint? { state.withLock { $0.entries[id]?.checkpoint } }
    package var ids: [CheckpointID] { state.withLock { Array($0.entries.keys) } }

    package func claim(_ id: CheckpointID) async throws -> any CheckpointClaim {
        let now = clock.uptime
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let (claim, former) = try state.withLock { state throws(TransferError) in
            var entry = state.entries[id] ?? Entry()
            guard entry.holder == nil || entry.expires <= now else {
                throw TransferError(.checkpointInUse, "the lease of \(id) has not run out")
            }
            let former = entry.lost
            state.lastClaim += 1
            entry.holder = state.lastClaim
            entry.expires = now + lease
            entry.lost = continuation
            state.entries[id] = entry
            return (
                LeasedClaim(store: self, id: id, number: state.lastClaim, saved: entry.checkpoint, lost: stream), former
            )
        }
        tell(former)
        return claim
    }

    package func pending() async throws -> [CheckpointSummary] {
        state.withLock { state in
            state.entries.compactMap { id, entry in
                entry.checkpoint.map { CheckpointSummary($0, location: id.description) }
            }
        }
    }

    /// Takes the claim away from whoever holds it, as another machine would.
    package func steal(_ id: CheckpointID) {
        let former = state.withLock { state in
            defer {
                state.entries[id]?.holder = nil
                state.entries[id]?.lost = nil
            }
            return state.entries[id]?.lost
        }
        tell(former)
    }

    private func tell(_ former: AsyncStream<Void>.Continuation?) {
        if signals { former?.yield() }
        former?.finish()
    }
}

private struct LeasedClaim: CheckpointClaim {
    let store: LeasedCheckpointStore
    let id: CheckpointID
    let number: Int
    let saved: TransferCheckpoint?
    let lost: AsyncStream<Void>
    var location: String? { nil }
    var notes: [CheckpointNote] { [] }

    init(
        store: LeasedCheckpointStore, id: CheckpointID, number: Int, saved: TransferCheckpoint?, lost: AsyncStream<Void>
    ) {
        self.store = store
        self.id = id
        self.number = number
        self.saved = saved
        self.lost = lost
    }

    func begin(_ checkpoint: TransferCheckpoint) async throws { try write(.begin) { $0 = checkpoint } }

    func record(_ parts: [CompletedPart]) async throws {
        try write(.record) { checkpoint in
            for part in parts {
                checkpoint?.parts.removeAll { $0.number == part.number }
                checkpoint?.parts.append(part)
            }
        }
    }

    func completing() async throws { try write(.completing) { $0?.isCompleting = true } }
    func flush() async throws { try write(.flush) { _ in } }
    func remove() async throws { try write(.remove) { $0 = nil } }

    func release() async {
        store.state.withLock { state in
            guard state.entries[id]?.holder == number else { return }
            state.entries[id]?.holder = nil
            state.entries[id]?.lost?.finish()
            state.entries[id]?.lost = nil
            if state.entries[id]?.checkpoint == nil { state.entries[id] = nil }
        }
    }

    /// Every write renews the lease; one without it is refused.
    private func write(
        _ operation: LeasedCheckpointStore.Write.Operation, _ change: (inout TransferCheckpoint?) -> Void
    ) throws {
        let expires = store.clock.uptime + store.lease
        try store.state.withLock { state throws(TransferError) in
            let isHeld = state.entries[id]?.holder == number
            state.writes.append(.init(claim: number, operation: operation, isAccepted: isHeld))
            guard isHeld, var entry = state.entries[id] else {
                throw TransferError(.checkpointLost, "the lease of \(id) was lost")
            }
            change(&entry.checkpoint)
            entry.expires = expires
            state.entries[id] = entry
        }
    }
}
