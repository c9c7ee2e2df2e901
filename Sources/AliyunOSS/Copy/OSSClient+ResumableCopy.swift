internal import TransferCore
internal import TransferService

extension OSSClient {
    /// Copies an object of any size inside a region of OSS, without downloading it: by one request when it fits in one
    /// part, else in parts, several at a time, each repeated after passing failures, resumable from a checkpoint.
    ///
    /// The source is looked at first, and every part is copied only while the source still is what it was then. What the
    /// source's HEAD tells of content type, cache headers and metadata is given to the copy, unless the input says
    /// otherwise. Tags of the source are carried by a copy by one request alone; else an event tells that they were not.
    ///
    /// - Throws: `TransferError`: before any request `.invalidArgument` naming the field at fault; `.paused` and `.aborted`
    ///   when the hook said so; `.sourceChanged`, `.accessDenied` and so on, with the request id of OSS. With a
    ///   checkpoint a failure keeps it, and another call resumes. `CancellationError` when the surrounding task was
    ///   cancelled, which pauses the copy.
    public func resumableCopyObject(
        _ input: OSSResumableCopyObjectInput
    ) async throws -> OSSResumableCopyObjectOutput {
        try Task.checkCancellation()
        return try await startResumableCopyObject(input).value
    }

    /// Starts the same copy and returns at once.
    ///
    /// - Throws: `TransferError` with `.invalidArgument`, `.crossRegion`, `.cancelHookUsed` or `.disposed`, before any
    ///   request.
    public func startResumableCopyObject(_ input: OSSResumableCopyObjectInput) throws -> OSSCopyHandle {
        try transfers.checkRunning()
        let copy = try input.checked(at: rules)
        var backend = OSSBackend(self, maxRetryCount: input.maxRetryCount)
        backend.conditions = input.conditions
        backend.trafficLimit = input.trafficLimit
        backend.carriesMetadata = input.carriesMetadata
        backend.defaultPartSize = OSSResumableCopyObjectInput.defaultPartSize
        let handle = try transfers.start { [backend] in
            try engine.copy(
                from: copy.source, to: copy.target, using: backend, objectOptions: copy.objectOptions,
                options: copy.options)
        }
        return OSSCopyHandle(handle: handle, target: copy.target)
    }
}
