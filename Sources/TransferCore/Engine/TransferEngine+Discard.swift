internal import TransferPrimitives

extension TransferEngine {
    /// Gives a transfer that stopped up: its multipart upload and parts at the service first, or the file that a download has
    /// begun, then its checkpoint.
    ///
    ///     for transfer in try await store.pending() where transfer.provider == backend.provider {
    ///         try await engine.discard(transfer, in: store, using: backend)
    ///     }
    ///
    /// - Parameters:
    ///   - transfer: One of `store.pending()`, recorded by `copy`, `upload` or `download` over such a backend.
    ///   - store: Where its checkpoint is kept.
    ///   - backend: The service. An upload that it does not know any more is no failure, where the backend says so.
    /// - Throws: `TransferError`: `.invalidArgument` for a transfer of another provider, `.checkpointInUse` while it runs,
    ///   `.conflict` when the checkpoint is gone or another one by now, or what went wrong at the service; the checkpoint is
    ///   then kept. `CancellationError` when the surrounding task was cancelled.
    public func discard(
        _ transfer: CheckpointSummary, in store: any CheckpointStore, using backend: some TransferBackend
    ) async throws {
        guard transfer.provider == backend.provider else {
            throw TransferError.invalidArgument(
                "transfer", "it was recorded for \(transfer.provider), not for \(backend.provider)")
        }
        try await store.withClaim(try CheckpointID(of: transfer)) { claim in
            guard let saved = claim.saved, saved.uploadID == transfer.uploadID else {
                throw TransferError(
                    .conflict, "there is no such record any more", object: transfer.target, uploadID: transfer.uploadID)
            }
            if saved.kind == .download {
                try DownloadFile.remove(for: saved.target.key, fileSystem: LocalFileSystem())
            } else {
                try await backend.abortMultipartUpload(MultipartUpload(id: saved.uploadID, target: saved.target))
            }
            try await claim.remove()
        }
    }
}
