internal import AliyunOSS
internal import TransferCore
internal import TransferHTTP
internal import TransferPrimitives
internal import TransferService

/// What all uploads of one uploader share: connections, limits, clock, records. Lives as long as one of them runs.
final class UploaderCore: Sendable {
    let config: VODUploadConfig
    let registry = RunRegistry()
    let store: (any CheckpointStore)?
    let clock: any TransferClock
    let random: any RandomSource
    let engine: TransferEngine
    private let transport: any HTTPTransport
    private let limiter: ConcurrencyLimiter
    private let serviceClock: ServiceClock
    private let policy: RetryPolicy
    private let disposal = CallbackLane()
    private let windingDown = LockBox<Task<Void, Never>?>(nil)

    /// Takes a checked configuration.
    init(
        _ config: VODUploadConfig, transport: any HTTPTransport, connectionLimit: Int, clock: any TransferClock,
        random: any RandomSource
    ) throws {
        self.config = config
        self.transport = transport
        self.clock = clock
        self.random = random
        store = try config.store()
        engine = TransferEngine(clock: clock)
        limiter = ConcurrencyLimiter(maximum: connectionLimit)
        serviceClock = ServiceClock(clock)
        var policy = RetryPolicy(maxRetries: config.maxRetryCount)
        policy.baseDelay = .milliseconds(200)
        self.policy = policy
    }

    /// The reporter, unless reports are off.
    var reporter: (any TransferReporter)? { config.reportEnabled ? config.reporter : nil }

    /// OSS for one upload.
    func service(for file: UploadSession.File, media: MediaKind, metrics: UploadMetrics) -> UploadService {
        let session = UploadSession(
            file, media: media, getAuth: config.getAuth, defaultRegion: config.region, clock: serviceClock,
            metrics: metrics)
        let access = AccessCache(session, clock: serviceClock, timeout: config.authTimeout)
        let client = ServiceClient(
            transport: transport, access: access, signer: GrantSigner(config.signature, session: session),
            failures: OSSFailureReader(), limiter: limiter, clock: serviceClock, policy: policy, random: random,
            observer: UploadObserver(session: session, metrics: metrics))
        let service = OSSService(
            address: AddressRule(),
            // A call that moves no data gets a minute at least; Complete is silent for long (contract 10).
            timeouts: .init(serverSide: .seconds(900), control: max(config.timeout, .seconds(60))), client: client,
            region: { session.region })
        var backend = OSSBackend(service)
        backend.defaultPartSize = PartRules.limits.defaultSize
        return UploadService(session: session, access: access, backend: backend)
    }

    /// Throws `.disposed` once the uploader was disposed of.
    func checkOpen() throws(TransferError) {
        if !registry.isOpen { throw Self.disposed }
    }

    static let disposed = TransferError(.disposed, "the uploader was disposed", provider: VODProvider.name)

    // MARK: The end

    /// Ends all uploads for their callers, at once. What is under way ends behind the scenes.
    ///
    /// Two callbacks that do this at the same time must not wait for each other: one that finds the work in other hands
    /// sees to its own upload alone.
    func dispose() {
        let runs = registry.close()
        for run in runs { run.disposeTransfer() }
        func endAll() {
            for run in registry.running {
                run.settle(.failure(VODUploadError(Self.disposed)))
                run.deliver()
            }
        }
        if let own = runs.first(where: { $0.lane.isHeldHere }) {
            own.settle(.failure(VODUploadError(Self.disposed)))
            own.deliver()
            disposal.runIfFree(endAll)
        } else {
            disposal.run(endAll)
        }
        _ = windDown(runs)
    }

    /// Ends all uploads by a pause, and returns when nothing runs any more.
    func shutdown() async {
        let runs = registry.close()
        for run in runs { run.disposeTransfer() }
        await windDown(runs).value
        dispose()
    }

    /// Waits until all uploads have ended, then ends the connections. An upload that is being completed gets 5 s to learn
    /// its outcome.
    private func windDown(_ runs: [UploadRun]) -> Task<Void, Never> {
        windingDown.withLock { task in
            if let task { return task }
            let new = Task.detached { [clock, transport] in
                let limit = Task {
                    try await clock.sleep(for: .seconds(5))
                    await transport.shutdown()
                }
                for run in runs { await run.waitUntilEnded() }
                limit.cancel()
                await transport.shutdown()
            }
            task = new
            return new
        }
    }
}
