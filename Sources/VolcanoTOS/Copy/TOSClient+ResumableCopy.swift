internal import S3Wire
internal import TransferCore
internal import TransferService

extension TOSClient {
    /// Copies an object of any size inside TOS, without downloading it: in parts, several at a time, each repeated after
    /// passing failures, resumable from a checkpoint. TOS: spec section 6.
    ///
    /// The source is looked at first, and every part is copied only while the source still is what it was then. What the
    /// source's HEAD tells of content type, cache headers and metadata is given to the copy, unless the input says
    /// otherwise.
    ///
    /// - Throws: `TransferError`: before any request `.invalidArgument` naming the field at fault; `.paused` and `.aborted`
    ///   when the hook said so; `.sourceChanged`, `.accessDenied` and so on, with the request id of TOS. With a
    ///   checkpoint a failure keeps it, and another call resumes, except where TOS denied a part for good (403, 404, 405):
    ///   the upload is then aborted and the checkpoint removed. `CancellationError` when the surrounding task was
    ///   cancelled, which pauses the copy.
    public func resumableCopyObject(
        _ input: TOSResumableCopyObjectInput
    ) async throws -> TOSResumableCopyObjectOutput {
        try Task.checkCancellation()
        return try await startResumableCopyObject(input).value
    }

    /// Starts the same copy and returns at once.
    ///
    /// - Throws: `TransferError` with `.invalidArgument`, `.crossRegion`, `.cancelHookUsed` or `.disposed`, before any
    ///   request.
    public func startResumableCopyObject(_ input: TOSResumableCopyObjectInput) throws -> TOSCopyHandle {
        let copy = try input.checked(at: rules, dialect)
        var backend = TOSBackend(self, maxRetryCount: input.maxRetryCount)
        backend.conditions = input.conditions
        backend.copySourceSSECKey = input.copySourceSSECKey
        backend.ssecKey = input.attributes.ssecKey
        backend.trafficLimit = input.trafficLimit
        backend.carriesMetadata = input.carriesMetadata
        var options = TransferOptions(
            partSize: copy.partSize, concurrency: copy.concurrency,
            checkpoint: try .init(
                enableCheckpoint: input.enableCheckpoint, checkpointFile: input.checkpointFile,
                checkpointStore: input.checkpointStore),
            cancelHook: input.cancelHook, pauseGrace: input.pauseGrace, abortsOnDenial: true,
            carries: CarriedAttributes(metadata: input.carriesMetadata, tags: input.carriesTags))
        options.onEvent = StepMapper.listener(
            posting: { TOSCopyEvent($0, source: copy.source, target: copy.target) }, to: input.copyEventListener)
        let handle = try transfers.start { [backend, options] in
            try engine.copy(
                from: copy.source, to: copy.target, using: backend, objectOptions: copy.options, options: options)
        }
        return TOSCopyHandle(handle: handle, target: copy.target)
    }
}
