internal import TransferCore
internal import TransferHTTP
internal import TransferPrimitives

extension UploaderCore {
    /// Starts an upload and returns at once; everything that can go wrong comes as its outcome.
    func start(_ path: String, _ options: VODUploadOptions, callback: UploadRun.Callback?) -> VODUploadTask {
        let id = TaskID.make(random)
        let metrics = UploadMetrics(uploadTaskID: id, clock: clock)
        let run = UploadRun(id: id, metrics: metrics, reporter: reporter, callback: callback)
        do {
            guard registry.add(run) else { throw Self.disposed }
            let request = try UploadRequest(path, options, config)
            metrics.begin(request)
            let service = service(for: request.file, media: request.media, metrics: metrics)
            let handle = try begin(request, service, run)
            run.tell { reporter?.report(metrics.startReport) }
            run.attach(handle)
            run.attach(
                follower: Task.detached { [self] in
                    let outcome = await Self.outcome(of: handle, service, run)
                    service.access.shutdown()
                    run.settle(outcome)
                    await end(run)
                })
            return VODUploadTask(run, events: handle.events)
        } catch {
            let error = (error as? TransferError) ?? TransferError(.refused, "\(error)", underlying: error)
            run.settle(.failure(VODUploadError(error)))
            // Never inside the call that asked for it.
            run.attach(follower: Task.detached { [self] in await end(run) })
            return VODUploadTask(run, events: .none)
        }
    }

    /// Tells the outcome and lets the upload go.
    private func end(_ run: UploadRun) async {
        await run.deliverOnQueue()
        registry.remove(run)
        run.end()
    }

    private func begin(_ request: UploadRequest, _ service: UploadService, _ run: UploadRun) throws -> TransferHandle {
        let work = VODUploadWork(
            request, service: service, checksLocalParts: config.checksLocalParts, clock: clock, metrics: run.metrics)
        // An image cannot be resumed: its credentials cannot be renewed (contract 17).
        let store = request.media == .video ? store : nil
        let settings = TransferMachine.Settings(
            concurrency: request.parallel, keepsCheckpoint: store != nil, rechecksSource: true,
            // The work itself decides which stored parts are compared, and trusts no unrecorded one without.
            acceptsUnrecordedParts: true, checksLocalParts: true)
        var options = TransferOptions(
            partSize: request.partSize, concurrency: request.parallel, checkpoint: store.map { .store($0) } ?? .none,
            whenCheckpointIsInUse: .runUnrecorded, cancelHook: request.options.cancelHook,
            singleRequestLimit: request.singleRequestLimit)
        if let onProgress = request.options.onProgress {
            options.onEvent = { event in
                guard case .progress(let progress) = event else { return }
                run.tell { onProgress(progress.fraction, progress.completedBytes, progress.totalBytes) }
            }
        }
        return try engine.start(
            work, id: CheckpointID(video: request.source.identity), settings: settings, options: options)
    }

    private static func outcome(
        of handle: TransferHandle, _ service: UploadService, _ run: UploadRun
    ) async -> UploadOutcome {
        do {
            let receipt = try await handle.value
            let facts = service.session.facts
            return .success(
                VODUploadResult(
                    uploadTaskId: run.id, videoId: facts.videoID, imageId: facts.imageID, imageUrl: facts.imageURL,
                    etag: receipt.etag.bare, requestId: receipt.requestID, durationMs: run.metrics.durationMs,
                    size: receipt.size ?? run.metrics.startReport.fileSize ?? 0, verification: receipt.verification))
        } catch let error as TransferError {
            return .failure(VODUploadError(error, videoId: service.session.facts.videoID))
        } catch {
            let paused = TransferError(.paused, "the task that waited for the upload was cancelled")
            return .cancelled(VODUploadError(paused, videoId: service.session.facts.videoID))
        }
    }
}
