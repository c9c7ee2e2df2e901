internal import S3Wire
internal import TransferCore
internal import TransferService

extension TOSClient {
    /// Downloads an object of any size to a file: in parts, several at a time, each repeated after passing failures, resumable from
    /// a checkpoint.
    ///
    /// Every part is asked for on condition that the object still is what it was. The CRC-64 of the whole is compared with the
    /// service's before the file gets its name.
    ///
    /// - Throws: `TransferError`: before any request `.invalidArgument` or `.fileUnwritable` naming the field at fault;
    ///   `.paused` and `.aborted` when the hook said so; `.sourceChanged` when the object changed meanwhile; `.diskFull`;
    ///   `.checksumMismatch`; and so on, with the request id of TOS. With a checkpoint a failure keeps it, and
    ///   another call resumes. `CancellationError` when the surrounding task was cancelled, which pauses the download.
    public func downloadFile(_ input: TOSDownloadFileInput) async throws -> TOSDownloadFileOutput {
        try Task.checkCancellation()
        return try await startDownloadFile(input).value
    }

    /// Starts the same download and returns at once.
    ///
    /// - Throws: `TransferError` with `.invalidArgument`, `.fileUnwritable`, `.cancelHookUsed` or `.disposed`, before any
    ///   request.
    public func startDownloadFile(_ input: TOSDownloadFileInput) throws -> TOSDownloadHandle {
        try transfers.checkRunning()
        let source = try ObjectLocation(checkedBucket: input.bucket, key: input.key, versionID: input.versionID)
        try dialect.check(trafficLimit: input.trafficLimit)
        let settings = TransferSettings(
            partSize: input.partSize, parallel: input.taskNum, maxRetryCount: input.maxRetryCount,
            pauseGrace: input.pauseGrace, enableCheckpoint: input.enableCheckpoint,
            checkpointFile: input.checkpointFile, checkpointStore: input.checkpointStore, cancelHook: input.cancelHook,
            onEvent: input.listener, onProgress: input.onProgress)
        var options = try settings.options(TOSProvider.partLimits)
        options.checksLocalParts = input.checksLocalParts
        var backend = TOSBackend(self, maxRetryCount: input.maxRetryCount)
        backend.trafficLimit = input.trafficLimit
        backend.ssecKey = input.ssecKey
        let handle = try transfers.start { [backend, options] in
            try engine.download(source, to: input.filePath, using: backend, options: options)
        }
        return TOSDownloadHandle(handle: handle, source: source, path: input.filePath)
    }
}
