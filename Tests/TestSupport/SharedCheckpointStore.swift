import Foundation
package import TransferCore
package import TransferPrimitives

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Checkpoints that processes share, as encoded bytes and nothing else, held by leases: one that has run out may be taken over,
/// and whoever held it finds out by its next write.
package final class SharedCheckpointStore: CheckpointStore {
    /// What one file holds.
    package struct Entry: Codable, Sendable {
        package var owner: String?
        /// Seconds since 1970.
        package var expires = 0.0
        package var checkpoint: TransferCheckpoint?
    }

    fileprivate let directory: String
    fileprivate let lease: Double
    fileprivate let clock: any TransferClock
    private let lastClaimed = LockBox<CheckpointID?>(nil)

    /// The transfer that was claimed last.
    package var lastID: CheckpointID? { lastClaimed.withLock { $0 } }

    /// - Parameter clock: One that is ahead sees the leases of the others run out.
    package init(directory: String, lease: Double = 60, clock: any TransferClock = SystemClock()) {
        self.directory = directory
        self.lease = lease
        self.clock = clock
    }

    package func claim(_ id: CheckpointID) async throws -> any CheckpointClaim {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        lastClaimed.withLock { $0 = id }
        let owner = UUID().uuidString
        let saved = try update(id) { entry in
            guard entry.owner == nil || entry.expires <= clock.now.timeIntervalSince1970 else {
                throw TransferError(.checkpointInUse, "the lease of \(id) has not run out")
            }
            entry.owner = owner
            entry.expires = clock.now.timeIntervalSince1970 + lease
            return entry.checkpoint
        }
        return SharedCheckpointClaim(store: self, id: id, owner: owner, saved: saved)
    }

    package func pending() async throws -> [CheckpointSummary] {
        try names.compactMap { name in
            try read(name)?.checkpoint.map { CheckpointSummary($0, location: directory + "/" + name) }
        }
    }

    /// What is kept of the one transfer.
    package func entry() throws -> Entry? { try names.first.flatMap { try read($0) } }

    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).filter { $0.hasSuffix(".json") }
            .sorted()
    }

    private func read(_ name: String) throws -> Entry? {
        guard let bytes = FileManager.default.contents(atPath: directory + "/" + name) else { return nil }
        return try JSONDecoder().decode(Entry.self, from: bytes)
    }

    /// Changes an entry while no other process does.
    fileprivate func update<Value>(_ id: CheckpointID, _ change: (inout Entry) throws -> Value) throws -> Value {
        let path = directory + "/\(id)"
        let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0, flock(lock, LOCK_EX) == 0 else { throw CocoaError(.fileWriteUnknown) }
        defer { close(lock) }
        var entry = try read("\(id).json") ?? Entry()
        let value = try change(&entry)
        if entry.owner == nil && entry.checkpoint == nil {
            try? FileManager.default.removeItem(atPath: path + ".json")
        } else {
            try JSONEncoder().encode(entry).write(to: URL(fileURLWithPath: path + ".json"), options: .atomic)
        }
        return value
    }
}

private struct SharedCheckpointClaim: CheckpointClaim {
    let store: SharedCheckpointStore
    let id: CheckpointID
    let owner: String
    let saved: TransferCheckpoint?
    let lost = AsyncStream<Void> { $0.finish() }
    var location: String? { nil }
    var notes: [CheckpointNote] { [] }

    func begin(_ checkpoint: TransferCheckpoint) async throws { try write { $0 = checkpoint } }

    func record(_ parts: [CompletedPart]) async throws {
        try write { checkpoint in
            for part in parts {
                checkpoint?.parts.removeAll { $0.number == part.number }
                checkpoint?.parts.append(part)
            }
        }
    }

    func completing() async throws { try write { $0?.isCompleting = true } }
    func flush() async throws { try write { _ in } }
    func remove() async throws { try write { $0 = nil } }

    func release() async {
        try? store.update(id) { entry in if entry.owner == owner { entry.owner = nil } }
    }

    /// Every write renews the lease; one without it is refused.
    private func write(_ change: (inout TransferCheckpoint?) -> Void) throws {
        try store.update(id) { entry in
            guard entry.owner == owner else {
                throw TransferError(.checkpointLost, "the lease of \(id) was lost")
            }
            change(&entry.checkpoint)
            entry.expires = store.clock.now.timeIntervalSince1970 + store.lease
        }
    }
}
