internal import S3Wire
public import TransferCore
internal import TransferService

// Transfers of any size: in parts, several at a time, each repeated after passing failures, resumable from a checkpoint. Each
// has a form that starts and returns at once, and one that waits. What `TransferOptions` leaves out is at its default: parts of
// 8 MiB, 4 at a time, no checkpoint.
//
// S3 tells no checksum of an object that this library computes. Uploads and copies are verified by the ETag that exactly their
// parts give (`.partETags`), unless the service encrypts with keys of its own making; the receipt says so.

extension S3Client {
    /// Uploads a file of any size: by one request when it fits in one part, else in parts, several at a time.
    ///
    /// - Parameters:
    ///   - path: The file. One that changes meanwhile ends the upload with `.sourceChanged`.
    ///   - target: Where to. Its `versionID` is ignored.
    ///   - objectOptions: What the object carries.
    ///   - options: Part size (5 MiB to 5 GiB; 8 MiB by default, or more where the file would otherwise need over 10,000 parts),
    ///     concurrency, checkpoint, cancel hook, listener.
    /// - Returns: The object's tag and version, and how far it was verified: `.partETags` where it was made of parts that the
    ///   service did not encrypt with keys of its own making. S3 tells no CRC-64.
    /// - Throws: `TransferError`: before any request `.invalidArgument` naming the field at fault, or `.fileUnreadable`;
    ///   `.paused` and `.aborted` when the hook said so; and so on. With a checkpoint a failure keeps it, and another call
    ///   resumes. `CancellationError` when the surrounding task was cancelled, which pauses the upload.
    public func uploadFile(
        _ path: String, to target: ObjectLocation, objectOptions: ObjectOptions = ObjectOptions(),
        options: TransferOptions = TransferOptions()
    ) async throws -> TransferReceipt {
        try Task.checkCancellation()
        return try await startUploadFile(path, to: target, objectOptions: objectOptions, options: options).value
    }

    /// Starts the same upload and returns at once; `value` of the handle is the receipt.
    ///
    /// - Throws: `TransferError` with `.invalidArgument`, `.fileUnreadable`, `.cancelHookUsed` or `.disposed`, before any
    ///   request.
    public func startUploadFile(
        _ path: String, to target: ObjectLocation, objectOptions: ObjectOptions = ObjectOptions(),
        options: TransferOptions = TransferOptions()
    ) throws -> TransferHandle {
        try transfers.checkRunning()
        let target = try ObjectLocation(checkedBucket: target.bucket, key: target.key, dialect.buckets)
        try dialect.check(objectOptions)
        var options = options
        if options.singleRequestLimit == 0 {
            options.singleRequestLimit = options.partSize ?? S3Provider.partLimits.defaultSize
        }
        var backend = S3Backend(self)
        backend.ssecKey = objectOptions.customerKey
        let source = try UploadSource.file(path)
        return try transfers.start { [backend, options] in
            try engine.upload(source, to: target, using: backend, objectOptions: objectOptions, options: options)
        }
    }

    /// Downloads an object to a file, which appears under its name once it is whole. Every part is asked for on condition that
    /// the object still is what it was.
    ///
    /// - Parameters:
    ///   - source: What to download, perhaps one version of it.
    ///   - path: Where to, absolute or from the current directory; the directory must exist.
    ///   - ssecKey: The 32 bytes that the object was encrypted with, if the caller provided them (SSE-C).
    ///   - options: Part size, concurrency, checkpoint, cancel hook, listener.
    /// - Throws: `TransferError`: before any request `.invalidArgument` or `.fileUnwritable` naming the field at fault;
    ///   `.paused` and `.aborted` when the hook said so; `.sourceChanged`; `.diskFull`; and so on. With a checkpoint a failure
    ///   keeps it, and another call resumes. `CancellationError` when the surrounding task was cancelled, which pauses the
    ///   download.
    public func downloadFile(
        _ source: ObjectLocation, to path: String, ssecKey: EncryptionKey? = nil,
        options: TransferOptions = TransferOptions()
    ) async throws -> TransferReceipt {
        try Task.checkCancellation()
        return try await startDownloadFile(source, to: path, ssecKey: ssecKey, options: options).value
    }

    /// Starts the same download and returns at once; `value` of the handle is the receipt.
    ///
    /// - Throws: `TransferError` with `.invalidArgument`, `.fileUnwritable`, `.cancelHookUsed` or `.disposed`, before any
    ///   request.
    public func startDownloadFile(
        _ source: ObjectLocation, to path: String, ssecKey: EncryptionKey? = nil,
        options: TransferOptions = TransferOptions()
    ) throws -> TransferHandle {
        let source = try ObjectLocation(checked: source, dialect.buckets)
        var backend = S3Backend(self)
        backend.ssecKey = ssecKey
        return try transfers.start { [backend] in
            try engine.download(source, to: path, using: backend, options: options)
        }
    }

    /// Copies an object of any size inside the service, without downloading it: in parts, several at a time, each only while the
    /// source still is what it was (see `S3ClientConfiguration.honoursCopyPreconditions`).
    ///
    /// - Parameters:
    ///   - source: What to copy, perhaps one version of it.
    ///   - target: Where to. Its `versionID` is ignored.
    ///   - sourceKey: The 32 bytes that the source was encrypted with, if the caller provided them (SSE-C).
    ///   - objectOptions: What the copy carries; what it does not give of content type, cache headers and metadata comes from
    ///     the source, unless `options.carries` says otherwise.
    ///   - options: Part size, concurrency, checkpoint, cancel hook, listener.
    /// - Throws: As `uploadFile`, and `.sourceChanged` when the source changed meanwhile.
    public func resumableCopyObject(
        from source: ObjectLocation, to target: ObjectLocation, sourceKey: EncryptionKey? = nil,
        objectOptions: ObjectOptions = ObjectOptions(), options: TransferOptions = TransferOptions()
    ) async throws -> TransferReceipt {
        try Task.checkCancellation()
        return try await startResumableCopyObject(
            from: source, to: target, sourceKey: sourceKey, objectOptions: objectOptions, options: options
        ).value
    }

    /// Starts the same copy and returns at once; `value` of the handle is the receipt.
    ///
    /// - Throws: `TransferError` with `.invalidArgument`, `.cancelHookUsed` or `.disposed`, before any request.
    public func startResumableCopyObject(
        from source: ObjectLocation, to target: ObjectLocation, sourceKey: EncryptionKey? = nil,
        objectOptions: ObjectOptions = ObjectOptions(), options: TransferOptions = TransferOptions()
    ) throws -> TransferHandle {
        let source = try ObjectLocation(
            checkedSourceBucket: source.bucket, key: source.key, versionID: source.versionID, dialect.buckets)
        let target = try ObjectLocation(checkedBucket: target.bucket, key: target.key, dialect.buckets)
        try dialect.check(objectOptions)
        var backend = S3Backend(self)
        backend.copySourceSSECKey = sourceKey
        backend.ssecKey = objectOptions.customerKey
        backend.carriesMetadata = options.carries.metadata
        return try transfers.start { [backend] in
            try engine.copy(
                from: source, to: target, using: backend, objectOptions: objectOptions, options: options)
        }
    }

    /// What is recorded of transfers that stopped, without side effects. Those that run are among them.
    ///
    /// - Parameter store: Where checkpoints are kept; nil for the directory in the user's cache.
    /// - Throws: `TransferError` when the store cannot be read.
    public func pendingTransfers(in store: (any CheckpointStore)? = nil) async throws -> [CheckpointSummary] {
        let store = try store ?? FileCheckpointStore.default()
        return try await store.pending().filter { $0.provider == S3Provider.name }
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
        try await engine.discard(transfer, in: try store ?? FileCheckpointStore.default(), using: S3Backend(self))
    }
}

extension ObjectOptions {
    /// The key of the caller's own that the object is encrypted with, if any.
    fileprivate var customerKey: EncryptionKey? {
        guard case .customerKey(let key)? = attributes.encryption else { return nil }
        return key
    }
}
