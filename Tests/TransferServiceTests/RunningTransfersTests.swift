import TestSupport
import Testing
import TransferCore
import TransferHTTP
import TransferPrimitives
import TransferService

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The end of a client: what runs is stopped, what is being completed gets its time, and then everything is cut.
@Suite(.timeLimit(.minutes(2))) struct RunningTransfersTests {
    /// A copy in ten parts over a client whose cut a test can see.
    private struct Stage: Sendable {
        let holds = Holds()
        let clock = ManualClock()
        let transport = Cut()
        let transfers = RunningTransfers(of: "p")
        let store = MemoryCheckpointStore()
        let backend: MemoryBackend
        static let source = ObjectLocation(bucket: "a", key: "k")

        init() {
            backend = MemoryBackend(before: { [holds] in try await holds.pass($0) })
            backend.put(.init((0..<95).map { UInt8($0) }), at: Self.source)
        }

        func start() throws -> TransferHandle {
            try transfers.start {
                try TransferEngine(clock: ManualClock()).copy(
                    from: Self.source, to: ObjectLocation(bucket: "b", key: "k"), using: backend,
                    options: TransferOptions(concurrency: 1, checkpoint: .store(store), pauseGrace: .zero))
            }
        }

        func shutDown() async {
            let clock = ServiceClock(clock)
            await transfers.shutDown(
                ServiceClient(
                    transport: transport, access: AccessCache(NoAccess(), clock: clock), signer: NoSigner(),
                    failures: NoReader(), limiter: ConcurrencyLimiter(maximum: 1), clock: clock),
                clock: self.clock)
        }
    }

    private final class Cut: HTTPTransport {
        let count = LockBox(0)
        let onCut = LockBox<@Sendable () -> Void>({})
        func send(_ request: HTTPRequest) async throws -> HTTPResponse { HTTPResponse(status: 204) }
        func shutdown() async {
            count.withLock { $0 += 1 }
            onCut.withLock { $0 }()
        }
    }

    private struct NoAccess: AccessProvider {
        func access() async throws -> ServiceAccess { throw CancellationError() }
    }

    private struct NoSigner: RequestSigner {
        func sign(_ request: inout HTTPRequest, with credentials: Credentials, at date: Date) {}
    }

    private struct NoReader: ServiceFailureReader {
        func failure(in response: HTTPResponse) -> ServiceFailure? { nil }
    }

    @Test func `what runs is stopped as by a pause, and its record kept`() async throws {
        let stage = Stage()
        stage.holds.hold(.part(3))
        let handle = try stage.start()
        await stage.holds.arrival(of: .part(3))
        await stage.shutDown()
        #expect(await transferError { try await handle.value }?.code == .disposed)
        #expect(try await stage.store.pending().map(\.partsDone) == [2])
        #expect(stage.transport.count.withLock { $0 } == 1)
    }

    @Test func `what is being completed may end`() async throws {
        let stage = Stage()
        let gate = stage.holds.hold(.complete)
        let handle = try stage.start()
        await stage.holds.arrival(of: .complete)
        let end = Task { await stage.shutDown() }
        await stage.clock.waitForSleepers()
        stage.clock.advance(by: .milliseconds(4999))
        #expect(stage.transport.count.withLock { $0 } == 0)
        gate.open()
        _ = try await handle.value
        await end.value
        #expect(stage.clock.sleeps == [.seconds(5)])
        #expect(stage.transport.count.withLock { $0 } == 1)
    }

    @Test func `after five seconds everything is cut`() async throws {
        let stage = Stage()
        let gate = stage.holds.hold(.complete)
        // As a transport does, the cut ends the request.
        stage.transport.onCut.withLock { $0 = { gate.open() } }
        let handle = try stage.start()
        await stage.holds.arrival(of: .complete)
        let end = Task { await stage.shutDown() }
        await stage.clock.waitForSleepers()
        stage.clock.advance(by: .seconds(5))
        await end.value
        _ = try await handle.value
        #expect(stage.transport.count.withLock { $0 } == 2)
    }

    @Test func `nothing begins after the end`() async throws {
        let stage = Stage()
        await stage.shutDown()
        let error = transferError { try stage.start() }
        #expect(error?.code == .disposed)
        #expect(error?.provider == "p")
        #expect(stage.backend.log.isEmpty)
        #expect(transferError { try stage.transfers.checkRunning() }?.code == .disposed)
    }
}
