import TransferCore
import TransferHTTP
import TransferPrimitives

/// One call of the engine in one process, from its start to its outcome.
final class Call: @unchecked Sendable {
    enum Outcome {
        case success(TransferReceipt)
        case failure(TransferError)
        case cancelled
    }

    let checks: CallChecks
    let process: SimulatedProcess
    /// The newest version of the source when the call began.
    let firstVersion: Int
    private let world: World
    private let hook = TransferCancelHook()
    private var handle: TransferHandle?
    private var waiter: Task<Void, Never>?
    private(set) var outcome: Outcome?
    private var hasEventsEnded = false

    init(checks: CallChecks, world: World, firstVersion: Int) {
        self.checks = checks
        self.world = world
        self.firstVersion = firstVersion
        process = checks.process
    }

    /// Whether the engine took it on: what it refuses at once has no events.
    private(set) var hasBegun = false

    var hasSucceeded: Bool { if case .success? = outcome { true } else { false } }

    /// Whether nothing more is to be expected of it.
    var isOver: Bool { process.isDead || (outcome != nil && hasEventsEnded) }

    func begin(with host: Host, backend: SimulatedBackend, store: (any CheckpointStore)?) {
        let plan = checks.plan
        let options = TransferOptions(
            partSize: plan.partSize, concurrency: plan.concurrency, checkpoint: store.map { .store($0) } ?? .none,
            whenCheckpointIsInUse: plan.yieldsClaim ? .runUnrecorded : .fail, cancelHook: hook,
            pauseGrace: plan.pauseGrace, singleRequestLimit: plan.singleRequestLimit,
            abortsOnDenial: plan.abortsOnDenial, checksLocalParts: plan.checksLocalParts)
        var objectOptions = ObjectOptions()
        objectOptions.attributes.metadata = ["edition": "\(plan.edition)"]
        let engine = TransferEngine(clock: host.clock)
        do {
            let handle =
                switch plan.kind {
                case .upload:
                    try engine.upload(
                        UploadSource(file: try FileSource(path: Setting.sourcePath, fileSystem: host.fileSystem)),
                        to: Setting.target, using: backend, objectOptions: objectOptions, options: options)
                case .copy:
                    try engine.copy(
                        from: Setting.source, to: Setting.target, using: backend, objectOptions: objectOptions,
                        options: options)
                default:
                    try engine.download(
                        Setting.source, to: Setting.targetPath, using: backend, options: options,
                        fileSystem: host.fileSystem)
                }
            watch(handle)
        } catch {
            end(error)
            hasEventsEnded = true
        }
    }

    private func watch(_ handle: TransferHandle) {
        hasBegun = true
        self.handle = handle
        Task {
            for await event in handle.events { checks.hears(event) }
            hasEventsEnded = true
        }
        waiter = Task {
            do {
                outcome = .success(try await handle.value)
            } catch {
                end(error)
            }
            // Nobody who lets go of it stops it.
            self.handle = nil
        }
    }

    private func end(_ error: any Error) {
        switch error {
        case let error as TransferError: outcome = .failure(error)
        case is CancellationError: outcome = .cancelled
        default: world.violation("call \(checks.number) throws \(error)")
        }
    }

    // MARK: Wishes

    func pause() { world.random.chance(50) ? hook.cancel() : handle?.cancel(.pause) }
    func abort() { world.random.chance(50) ? hook.cancel(abort: true) : handle?.cancel(.abort) }
    func cancelTask() { waiter?.cancel() }
    func dispose() { handle?.dispose() }

    var label: String {
        switch outcome {
        case .success?: "success"
        case .failure(let error)?: "\(error.code)"
        case .cancelled?: "cancelled"
        case nil: "none"
        }
    }
}

/// What all calls of one process share.
struct Host {
    let process: SimulatedProcess
    let clock: SimulatedClock
    let fileSystem: ProcessFileSystem
    let access: SimulatedAccess
    let cache: AccessCache

    init(world: World, disk: SimulatedDisk, locks: ProcessFileSystem.Locks, service: SimulatedService) {
        process = world.newProcess()
        clock = SimulatedClock(world: world, process: process)
        fileSystem = ProcessFileSystem(world: world, process: process, disk: disk, locks: locks)
        access = SimulatedAccess(service: service, process: process)
        cache = AccessCache(access, clock: clock)
    }
}
