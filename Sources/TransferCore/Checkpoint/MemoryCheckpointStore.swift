internal import TransferPrimitives

/// Checkpoints in memory: they survive a pause, not the process.
public final class MemoryCheckpointStore: CheckpointStore {
    fileprivate struct Entry {
        var checkpoint: TransferCheckpoint?
        /// The claim that holds it.
        var holder: ObjectIdentifier?
    }

    fileprivate let entries = LockBox<[CheckpointID: Entry]>([:])

    /// A store that is empty.
    public init() {}

    public func claim(_ id: CheckpointID) async throws -> any CheckpointClaim {
        try entries.withLock { entries throws(TransferError) in
            var entry = entries[id] ?? Entry()
            guard entry.holder == nil else {
                throw TransferError(.checkpointInUse, "another task of this process holds the checkpoint \(id)")
            }
            let claim = MemoryCheckpointClaim(store: self, id: id, saved: entry.checkpoint)
            entry.holder = ObjectIdentifier(claim)
            entries[id] = entry
            return claim
        }
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
            guard entries[id]?.holder == ObjectIdentifier(self) else { return }
            entries[id]?.holder = nil
            if entries[id]?.checkpoint == nil { entries[id] = nil }
        }
    }

    /// Changes the entry as long as this claim holds it.
    private func update(_ change: (inout MemoryCheckpointStore.Entry) -> Void) {
        store.entries.withLock { entries in
            guard var entry = entries[id], entry.holder == ObjectIdentifier(self) else { return }
            change(&entry)
            entries[id] = entry
        }
    }
}
