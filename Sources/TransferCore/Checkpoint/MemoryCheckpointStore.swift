internal import TransferPrimitives

/// Checkpoints in memory: they survive a pause, not the process.
public final class MemoryCheckpointStore: CheckpointStore {
    fileprivate struct Entry {
        var checkpoint: TransferCheckpoint?
        var isClaimed = false
    }

    fileprivate let entries = LockBox<[CheckpointID: Entry]>([:])

    public init() {}

    public func claim(_ id: CheckpointID) async throws -> any CheckpointClaim {
        let saved = try entries.withLock { entries throws(TransferError) in
            var entry = entries[id] ?? Entry()
            guard !entry.isClaimed else {
                throw TransferError(.checkpointInUse, "another task of this process holds the checkpoint \(id)")
            }
            entry.isClaimed = true
            entries[id] = entry
            return entry.checkpoint
        }
        return MemoryCheckpointClaim(store: self, id: id, saved: saved)
    }

    public func pending() async throws -> [CheckpointSummary] {
        entries.withLock { entries in
            entries.compactMap { id, entry in
                entry.checkpoint.map { CheckpointSummary($0, location: id.description) }
            }
        }
    }
}

private final class MemoryCheckpointClaim: CheckpointClaim {
    private let store: MemoryCheckpointStore
    private let id: CheckpointID
    let saved: TransferCheckpoint?
    let location: String?
    let notes: [CheckpointNote] = []
    let lost = AsyncStream<Void> { $0.finish() }

    init(store: MemoryCheckpointStore, id: CheckpointID, saved: TransferCheckpoint?) {
        self.store = store
        self.id = id
        self.saved = saved
        location = nil
    }

    func begin(_ checkpoint: TransferCheckpoint) async { update { $0.checkpoint = checkpoint } }

    func record(_ parts: [CompletedPart]) async {
        update { entry in
            guard entry.checkpoint != nil else { return }
            for part in parts {
                entry.checkpoint?.parts.removeAll { $0.number == part.number }
                entry.checkpoint?.parts.append(part)
            }
        }
    }

    func completing() async { update { $0.checkpoint?.isCompleting = true } }
    func flush() async {}
    func remove() async { update { $0.checkpoint = nil } }

    func release() async {
        store.entries.withLock { entries in
            entries[id]?.isClaimed = false
            if entries[id]?.checkpoint == nil { entries[id] = nil }
        }
    }

    private func update(_ change: (inout MemoryCheckpointStore.Entry) -> Void) {
        store.entries.withLock { entries in
            var entry = entries[id] ?? MemoryCheckpointStore.Entry(isClaimed: true)
            change(&entry)
            entries[id] = entry
        }
    }
}
