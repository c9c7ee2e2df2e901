import Foundation
import ObjectTransfer

/// Checkpoints as rows of a table, here a dictionary in place of that of a database.
actor TableStore: CheckpointStore {
    private var rows: [CheckpointID: Data] = [:]
    private var claimed: Set<CheckpointID> = []

    func claim(_ id: CheckpointID) throws -> any CheckpointClaim {
        guard claimed.insert(id).inserted else {
            throw TransferError(.checkpointInUse, "another transfer holds the row \(id)")
        }
        return RowClaim(store: self, id: id, saved: rows[id].flatMap(Self.read))
    }

    func pending() -> [CheckpointSummary] {
        rows.compactMap { id, row in Self.read(row).map { CheckpointSummary($0, location: id.description) } }
    }

    fileprivate func change(_ id: CheckpointID, _ change: @Sendable (inout TransferCheckpoint) -> Void) throws {
        guard var checkpoint = rows[id].flatMap(Self.read) else { return }
        change(&checkpoint)
        rows[id] = try JSONEncoder().encode(checkpoint)
    }

    fileprivate func replace(_ id: CheckpointID, by checkpoint: TransferCheckpoint?) throws {
        rows[id] = try checkpoint.map { try JSONEncoder().encode($0) }
    }

    fileprivate func release(_ id: CheckpointID) { claimed.remove(id) }

    private static func read(_ row: Data) -> TransferCheckpoint? {
        try? JSONDecoder().decode(TransferCheckpoint.self, from: row)
    }
}

/// The hold of one transfer on one row. Every change is in the table when it returns, so that nothing is left to flush.
private struct RowClaim: CheckpointClaim {
    let store: TableStore
    let id: CheckpointID
    let saved: TransferCheckpoint?
    var location: String? { id.description }
    let notes: [CheckpointNote] = []
    let lost = AsyncStream<Void> { $0.finish() }

    func begin(_ checkpoint: TransferCheckpoint) async throws { try await store.replace(id, by: checkpoint) }

    func record(_ parts: [CompletedPart]) async throws {
        try await store.change(id) { checkpoint in
            let numbers = Set(parts.map(\.number))
            checkpoint.parts.removeAll { numbers.contains($0.number) }
            checkpoint.parts += parts
        }
    }

    func completing() async throws { try await store.change(id) { $0.isCompleting = true } }
    func flush() async throws {}
    func remove() async throws { try await store.replace(id, by: nil) }
    func release() async { await store.release(id) }
}
