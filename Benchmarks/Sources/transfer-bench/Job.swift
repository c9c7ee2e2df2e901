import ObjectTransfer

/// The work of one process over one backend.
struct Job<Backend: CopyBackend & ReadableBackend> {
    let options: Options
    let backend: Backend
    let engine = TransferEngine()

    init(_ options: Options, over backend: Backend) {
        self.options = options
        self.backend = backend
    }

    /// What came of it; `end` is called in any case.
    func run(ending end: () async -> Void) async throws -> Outcome {
        do {
            let started = ContinuousClock.now
            var outcome = try await outcome()
            outcome.time = ContinuousClock.now - started
            await end()
            return outcome
        } catch {
            await end()
            throw error
        }
    }

    private func outcome() async throws -> Outcome {
        switch options.work {
        case .put(let file):
            let source = try UploadSource.file(file)
            return try await pausing { try engine.upload(source, to: target, using: backend, options: $0) }
        case .copy(let key):
            let source = ObjectLocation(bucket: options.bucket, key: key)
            return try await pausing { try engine.copy(from: source, to: target, using: backend, options: $0) }
        case .get(let file?):
            return try await pausing { try engine.download(target, to: file, using: backend, options: $0) }
        case .get(nil): return try await read()
        case .small(let directory): return try await sendAll(of: directory)
        }
    }

    /// Runs a transfer, and takes the pause that was asked for as its end.
    private func pausing(_ start: (TransferOptions) throws -> TransferHandle) async throws -> Outcome {
        var transferOptions = transferOptions
        guard let limit = options.stopsAfter else { return Outcome(try await start(transferOptions).value) }
        let hook = TransferCancelHook()
        let count = PartCount()
        transferOptions.cancelHook = hook
        transferOptions.onEvent = { event in
            if case .partCompleted = event, count.increased() == limit { hook.cancel() }
        }
        do {
            return Outcome(try await start(transferOptions).value)
        } catch let error as TransferError where error.code == .paused {
            return Outcome()
        }
    }

    var target: ObjectLocation { ObjectLocation(bucket: options.bucket, key: options.key) }

    var transferOptions: TransferOptions {
        TransferOptions(
            partSize: options.partSize, concurrency: options.jobs,
            checkpoint: options.checkpoint.map { .store(FileCheckpointStore(path: $0)) } ?? .none,
            checksLocalParts: options.checksLocalParts)
    }
}

/// Counts parts that were stored.
///
/// Sendable by hand: the listener of a transfer is called once at a time.
private final class PartCount: @unchecked Sendable {
    private var count = 0

    func increased() -> Int {
        count += 1
        return count
    }
}
