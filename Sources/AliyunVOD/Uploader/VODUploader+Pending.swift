internal import AliyunOSS
internal import TransferCore
internal import TransferHTTP

extension VODUploader {
    /// What is recorded of videos whose upload has not ended, those that run among them. Without side effects; works also
    /// after `dispose()` and `shutdown()`.
    ///
    /// - Returns: Nothing where no records are kept.
    /// - Throws: `VODUploadError` when the records cannot be read.
    public func pendingUploads() async throws -> [VODPendingUpload] {
        do {
            return try await core.store?.pending().compactMap { VODPendingUpload($0) } ?? []
        } catch {
            throw VODUploadError(error)
        }
    }

    /// Gives an upload that stopped up: its parts at OSS, with credentials that `getAuth` refreshes, and then its record. The
    /// video itself stays at VOD, without a file.
    ///
    /// Where VOD knows no such video any more, or hands out credentials that reach another object, only the record can be
    /// removed, and is.
    ///
    /// - Parameter upload: One of `pendingUploads()`.
    /// - Throws: `VODUploadError`: with `Upload Status Error` while the upload runs (`underlying.code` is `.checkpointInUse`) or
    ///   when the record is gone or another one by now (`.conflict`), and with what went wrong at `getAuth` or OSS, where the
    ///   record is kept. `CancellationError` when the surrounding task was cancelled.
    public func discard(_ upload: VODPendingUpload) async throws {
        do {
            try core.checkOpen()
            guard let store = core.store else {
                throw TransferError.invalidArgument("checkpoint", "this uploader keeps no records")
            }
            try await store.withClaim(CheckpointID(video: upload.source)) { claim in
                guard let saved = claim.saved, saved.uploadID == upload.uploadId else {
                    throw TransferError(.conflict, "there is no such record any more", uploadID: upload.uploadId)
                }
                try await core.abort(saved, of: upload)
                try await claim.remove()
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            throw VODUploadError(error, videoId: upload.videoId)
        }
    }
}

extension UploaderCore {
    /// Gives the parts at OSS up.
    fileprivate func abort(_ saved: TransferCheckpoint, of upload: VODPendingUpload) async throws {
        let file = UploadSession.File(name: upload.fileName, size: upload.fileSize)
        let metrics = UploadMetrics(uploadTaskID: "", clock: clock)
        let service = service(for: file, media: .video, metrics: metrics)
        defer { service.access.shutdown() }
        let target: ObjectLocation
        do {
            target = try await service.session.reopen(upload.videoId, through: service.access)
        } catch let error as TransferError where error.isVideoUnknown {
            return
        }
        do {
            try await service.backend.abortMultipartUpload(MultipartUpload(id: saved.uploadID, target: saved.target))
        } catch let error as TransferError where error.code == .accessDenied && target != saved.target {
            // The credentials are for another object; these parts are out of reach.
        }
    }
}

extension VODUploadError {
    /// Of an error that may be none of the library's.
    fileprivate init(_ error: any Error, videoId: String? = nil) {
        let known = error as? TransferError
        self.init(known ?? TransferError(.checkpointUnusable, "\(error)", underlying: error), videoId: videoId)
    }
}
