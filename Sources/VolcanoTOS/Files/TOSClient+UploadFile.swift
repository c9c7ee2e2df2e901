internal import S3Wire
internal import TransferCore
internal import TransferService

extension TOSClient {
    /// Uploads a file of any size: by one request when it fits in one part, else in parts, several at a time, each repeated
    /// after passing failures, resumable from a checkpoint.
    ///
    /// The CRC-64 of every part is computed while it is sent and compared with the service's, and that of the whole object
    /// at the end.
    ///
    /// - Throws: `TransferError`: before any request `.invalidArgument` naming the field at fault, or `.fileUnreadable`;
    ///   `.paused` and `.aborted` when the hook said so; `.sourceChanged` when the file changed meanwhile; and so on, with
    ///   the request id of TOS. With a checkpoint a failure keeps it, and another call resumes. `CancellationError` when
    ///   the surrounding task was cancelled, which pauses the upload.
    public func uploadFile(_ input: TOSUploadFileInput) async throws -> TOSUploadFileOutput {
        try Task.checkCancellation()
        return try await startUploadFile(input).value
    }

    /// Starts the same upload and returns at once.
    ///
    /// - Throws: `TransferError` with `.invalidArgument`, `.fileUnreadable`, `.cancelHookUsed` or `.disposed`, before any
    ///   request.
    public func startUploadFile(_ input: TOSUploadFileInput) throws -> TOSUploadHandle {
        try transfers.checkRunning()
        let target = try ObjectLocation(checkedBucket: input.bucket, key: input.key)
        let objectOptions = try input.attributes.options(dialect)
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
        backend.ssecKey = input.attributes.ssecKey
        let source: UploadSource
        switch input.content {
        case .file(let path): source = try UploadSource.file(path)
        case .source(let given): source = given
        }
        let handle = try transfers.start { [backend, options] in
            try engine.upload(source, to: target, using: backend, objectOptions: objectOptions, options: options)
        }
        return TOSUploadHandle(handle: handle, target: target)
    }
}
