public import TransferCore
internal import TransferService

// Transfers that stopped and were not resumed.

extension TOSClient {
    /// What is recorded of copies, uploads and downloads that stopped, without side effects. Those that run are among them.
    ///
    /// - Parameter store: Where checkpoints are kept; nil for the directory in the user's cache.
    /// - Throws: `TransferError` when the store cannot be read.
    public func pendingTransfers(in store: (any CheckpointStore)? = nil) async throws -> [CheckpointSummary] {
        let store = try store ?? FileCheckpointStore.default()
        return try await store.pending().filter { $0.provider == TOSProvider.name }
    }

    /// Gives a transfer that stopped up: its multipart upload and parts at the service first, or the file that a download has
    /// begun, then its checkpoint.
    ///
    /// - Parameters:
    ///   - transfer: One of `pendingTransfers(in:)`.
    ///   - store: Where its checkpoint is kept; nil for the directory in the user's cache.
    /// - Throws: `TransferError`: `.invalidArgument` for a transfer of another provider, `.checkpointInUse` while it runs,
    ///   `.conflict` when the checkpoint is gone or another one by now, or what went wrong at the service; the checkpoint is
    ///   then kept. `CancellationError` when the surrounding task was cancelled.
    public func discard(_ transfer: CheckpointSummary, in store: (any CheckpointStore)? = nil) async throws {
        try transfers.checkRunning()
        try await engine.discard(
            transfer, in: try store ?? FileCheckpointStore.default(), using: TOSBackend(self))
    }
}
