import TestSupport
import TransferPrimitives

@testable import TransferCore

/// A copy of 95 bytes in ten parts, over a service whose requests a test can hold and whose time it moves.
final class Scene: Sendable {
    static let source = ObjectLocation(bucket: "a", key: "k")
    static let target = ObjectLocation(bucket: "b", key: "k")
    static let bytes = (0..<95).map { UInt8($0) }

    let backend: MemoryBackend
    let holds: Holds
    let clock = ManualClock()
    let store: any CheckpointStore
    let hook = TransferCancelHook()
    let events = LockBox([TransferEvent]())

    init(
        bytes: [UInt8] = Scene.bytes, store: any CheckpointStore = MemoryCheckpointStore(),
        honoursPreconditions: Bool = true,
        tellsChecksums: Bool = true, limits: BackendCapabilities.PartLimits? = nil,
        before: @escaping @Sendable (MemoryBackend.Request) async throws -> Void = { _ in },
        after: @escaping @Sendable (MemoryBackend.Request) async throws -> Void = { _ in }
    ) {
        let holds = Holds()
        self.holds = holds
        self.store = store
        backend = MemoryBackend(
            capabilities: BackendCapabilities(
                parts: limits ?? .init(minimumSize: 1, maximumSize: 1 << 30, maximumCount: 10_000, defaultSize: 10),
                largestPut: 1 << 30, largestCopy: 1 << 30, checksums: [.crc64],
                honoursCopyPreconditions: honoursPreconditions),
            tellsChecksums: tellsChecksums,
            before: { request in
                try await holds.pass(request)
                try await before(request)
            }, after: after)
        backend.put(.init(bytes), at: Self.source)
    }

    var engine: TransferEngine { TransferEngine(clock: clock) }

    func options(
        concurrency: Int = 2, keeps: Bool = true, hook: TransferCancelHook? = nil, grace: Duration = .milliseconds(500)
    ) -> TransferOptions {
        let events = events
        return TransferOptions(
            concurrency: concurrency, checkpoint: keeps ? .store(store) : .none, cancelHook: hook ?? self.hook,
            pauseGrace: grace, onEvent: { event in events.withLock { $0.append(event) } })
    }

    func start(_ options: TransferOptions? = nil, objectOptions: ObjectOptions = ObjectOptions()) throws
        -> TransferHandle
    {
        try engine.copy(
            from: Self.source, to: Self.target, using: backend, objectOptions: objectOptions,
            options: options ?? self.options())
    }

    /// Runs another call to its end, with a hook of its own.
    @discardableResult
    func resume(_ options: TransferOptions? = nil) async throws -> TransferReceipt {
        try await start(options ?? self.options(hook: TransferCancelHook())).value
    }

    var labels: [String] { events.withLock { $0.map(\.label) } }
    var partNumbers: [Int] { backend.log.compactMap(\.partNumber) }
    var isCopied: Bool { backend.object(Self.target)?.bytes == backend.object(Self.source)?.bytes }

    func pendingParts() async throws -> Int? { try await store.pending().first?.partsDone }
}

extension MemoryBackend.Request {
    var partNumber: Int? { if case .part(let number) = self { number } else { nil } }
    var isPart: Bool { partNumber != nil }
}
