public import TransferCore

// Transfers that stopped and were not resumed.

extension OSSClient {
    /// What is recorded of uploads and copies that stopped, without side effects. Those that run are among them.
    ///
    /// - Parameter store: Where checkpoints are kept; nil for the directory in the user's cache.
    /// - Throws: `TransferError` when the store cannot be read.
    public func pendingTransfers(in store: (any CheckpointStore)? = nil) async throws -> [CheckpointSummary] {
        let store = try store ?? FileCheckpointStore.default()
        return try await store.pending().filter { $0.provider == OSSProvider.name }
    }

    /// Gives a transfer that stopped up: its multipart upload and parts at the service first, then its checkpoint.
    ///
    /// - Parameters:
    ///   - transfer: One of `pendingTransfers(in:)`.
    ///   - store: Where its checkpoint is kept; nil for the directory in the user's cache.
    /// - Throws: `TransferError`: `.checkpointInUse` while it runs, `.conflict` when the checkpoint is another one by now, or
    ///   what went wrong at the service; the checkpoint is then kept. `CancellationError` when the surrounding task was
    ///   cancelled.
    public func discard(_ transfer: CheckpointSummary, in store: (any CheckpointStore)? = nil) async throws {
        let service = try liveService()
        let store = try store ?? FileCheckpointStore.default()
        let claim = try await store.claim(try CheckpointID(of: transfer))
        do {
            guard let saved = claim.saved, saved.uploadID == transfer.uploadID else {
                throw TransferError(
                    .conflict, "there is no such record any more", object: transfer.target, uploadID: transfer.uploadID)
            }
            try await OSSBackend(service).abortMultipartUpload(
                MultipartUpload(id: saved.uploadID, target: saved.target))
            try await claim.remove()
        } catch {
            await claim.release()
            throw error
        }
        await claim.release()
    }
}

extension CheckpointID {
    /// The identity under which the engine keeps such a transfer.
    fileprivate init(of transfer: CheckpointSummary) throws(TransferError) {
        let target = transfer.target
        switch (transfer.kind, transfer.source.object) {
        case (.upload, _):
            self.init(kind: .upload, [transfer.provider, target.bucket, target.key, transfer.source.fileName ?? ""])
        case (.copy, let source?):
            self.init(
                kind: .copy,
                [transfer.provider, source.bucket, source.key, source.versionID ?? "", target.bucket, target.key])
        default:
            throw .invalidArgument("transfer", "a record of kind \(transfer.kind.rawValue) holds no upload")
        }
    }
}
