public import TransferPrimitives

/// Runs transfers over backends: plans parts, keeps the window full, records what is stored, resumes, verifies, cleans up.
///
/// The engine is a cheap value. Each call starts one transfer and returns at once.
///
///     let engine = TransferEngine()
///     let handle = try engine.copy(
///         from: ObjectLocation(bucket: "films", key: "a.mov"), to: ObjectLocation(bucket: "archive", key: "a.mov"),
///         using: backend, options: TransferOptions(checkpoint: .store(try FileCheckpointStore.default())))
///     let receipt = try await handle.value
public struct TransferEngine: Sendable {
    let clock: any TransferClock

    /// - Parameter clock: Where the engine takes time from; the machine's by default.
    public init(clock: any TransferClock = SystemClock()) { self.clock = clock }

    /// Copies an object inside a service, in parts, without downloading it.
    ///
    /// - Parameters:
    ///   - source: What to copy; its bucket may be another than the target's.
    ///   - target: Where to. Its `versionID` is ignored.
    ///   - backend: The service. Its credentials need read access to the source and write access to the target.
    ///   - objectOptions: What the target carries. Content type, cache headers and metadata that are not given come from the
    ///     source, unless `options.carries` says otherwise.
    ///   - options: Part size, concurrency, checkpoint, cancel hook, listener.
    /// - Returns: The running transfer.
    /// - Throws: `TransferError` with `.invalidArgument`, or `.cancelHookUsed`, before any request.
    public func copy(
        from source: ObjectLocation, to target: ObjectLocation, using backend: some CopyBackend,
        objectOptions: ObjectOptions = ObjectOptions(), options: TransferOptions = TransferOptions()
    ) throws -> TransferHandle {
        try Self.check(options, limits: backend.capabilities.parts)
        try Self.check(source, named: "source")
        try Self.check(target, named: "target")
        var target = target
        target.versionID = nil
        let work = CopyWork(
            backend: backend, source: source, target: target, options: objectOptions, partSize: options.partSize,
            singleRequestLimit: options.singleRequestLimit, carries: options.carries)
        let capabilities = backend.capabilities
        let settings = TransferMachine.Settings(
            concurrency: options.concurrency, keepsCheckpoint: options.checkpoint.isKept,
            abortsOnDenial: options.abortsOnDenial, rechecksSource: !capabilities.honoursCopyPreconditions,
            acceptsUnrecordedParts: capabilities.honoursCopyPreconditions)
        return try start(
            work, id: CheckpointID(copyOf: source, to: work.target, at: backend.provider), settings: settings,
            options: options)
    }

    /// Uploads a file or another source.
    ///
    /// - Parameters:
    ///   - source: What to upload; see `UploadSource.file(_:)`.
    ///   - target: Where to. Its `versionID` is ignored.
    ///   - backend: The service.
    ///   - objectOptions: What the object carries.
    ///   - options: Part size, concurrency, checkpoint, cancel hook, listener. Sources of up to `singleRequestLimit` bytes go
    ///     by one request.
    /// - Returns: The running transfer.
    /// - Throws: `TransferError` with `.invalidArgument`, or `.cancelHookUsed`, before any request.
    public func upload(
        _ source: UploadSource, to target: ObjectLocation, using backend: some TransferBackend,
        objectOptions: ObjectOptions = ObjectOptions(), options: TransferOptions = TransferOptions()
    ) throws -> TransferHandle {
        try Self.check(options, limits: backend.capabilities.parts)
        try Self.check(target, named: "target")
        var target = target
        target.versionID = nil
        let work = UploadWork(
            backend: backend, source: source, target: target, options: objectOptions, partSize: options.partSize,
            singleRequestLimit: options.singleRequestLimit, clock: clock)
        let settings = TransferMachine.Settings(
            concurrency: options.concurrency, keepsCheckpoint: options.checkpoint.isKept,
            abortsOnDenial: options.abortsOnDenial, rechecksSource: true,
            acceptsUnrecordedParts: options.checksLocalParts, checksLocalParts: options.checksLocalParts)
        return try start(
            work, id: CheckpointID(uploadOf: source.name, to: work.target, at: backend.provider), settings: settings,
            options: options)
    }

    /// Starts any kind of transfer.
    ///
    /// - Parameter id: Made only where there is a record.
    package func start(
        _ work: some TransferWork, id: @autoclosure @escaping @Sendable () -> CheckpointID,
        settings: TransferMachine.Settings, options: TransferOptions
    ) throws -> TransferHandle {
        let channel = EventChannel()
        let listener = options.onEvent.map { EventListener($0) }
        let inputs = Mailbox<TransferMachine.Input>()
        let registration = try options.cancelHook?.attach { mode in
            inputs.send(.stop(mode == .abort ? .abort : .pause))
        }
        let policy = options.checkpoint
        let gate = EventGate { event in
            channel.send(event)
            listener?.send(event)
        }
        work.begin { gate.send(.progress($0)) }
        let driver = TransferDriver(
            work: work, settings: settings, grace: options.pauseGrace, clock: clock,
            yieldsClaim: options.whenCheckpointIsInUse == .runUnrecorded,
            claim: {
                guard case .store(let store) = policy else { return UnrecordedClaim() }
                return try await store.claim(id())
            },
            inputs: inputs,
            emit: { event in
                work.note(event)
                gate.send(event)
            })
        // Detached: cancelling the caller's task is a wish that the machine weighs, not a knife.
        let task = Task.detached {
            let outcome = await driver.run()
            registration?.end()
            gate.close()
            channel.finish()
            await listener?.drain()
            return outcome
        }
        return TransferHandle(channel: channel, inputs: inputs, task: task)
    }

    static func check(_ options: TransferOptions, limits: BackendCapabilities.PartLimits) throws(TransferError) {
        if let size = options.partSize, size > 0 { try PartPlan.check(size, limits: limits) }
        guard options.concurrency >= 1 else {
            throw .invalidArgument("concurrency", "at least one part must be in flight, not \(options.concurrency)")
        }
        guard options.pauseGrace >= .zero else {
            throw .invalidArgument("pauseGrace", "a grace cannot be negative")
        }
    }

    static func check(_ location: ObjectLocation, named name: String) throws(TransferError) {
        guard !location.bucket.isEmpty else { throw .invalidArgument("\(name).bucket", "the bucket is empty") }
        guard !location.key.isEmpty else { throw .invalidArgument("\(name).key", "the key is empty") }
    }
}

extension TransferOptions.CheckpointPolicy {
    var isKept: Bool {
        if case .store = self { true } else { false }
    }
}

/// The hold of a transfer that keeps no record.
private struct UnrecordedClaim: CheckpointClaim {
    let saved: TransferCheckpoint? = nil
    let location: String? = nil
    let notes: [CheckpointNote] = []
    let lost = AsyncStream<Void> { $0.finish() }

    func begin(_ checkpoint: TransferCheckpoint) async {}
    func record(_ parts: [CompletedPart]) async {}
    func completing() async {}
    func flush() async {}
    func remove() async {}
    func release() async {}
}
