import TestSupport
import Testing
import TransferPrimitives

@testable import TransferCore

/// Several workers over one shared store (FR-107, FR-108).
@Suite(.timeLimit(.minutes(2))) struct EngineLeaseTests {
    static let id = CheckpointID(kind: .copy, ["memory", "a", "k", "", "b", "k"])

    private func worker(
        _ scene: Scene, _ hook: TransferCancelHook = TransferCancelHook(), concurrency: Int = 1
    ) throws -> TransferHandle {
        try scene.start(scene.options(concurrency: concurrency, hook: hook, grace: .zero))
    }

    /// A worker that is told of its loss stops, whatever it was doing, and leaves everything to its successor.
    @Test(arguments: [MemoryBackend.Request.head(Scene.source), .create, .part(1), .part(6)])
    func aVictimStopsAndWritesNothingMore(_ request: MemoryBackend.Request) async throws {
        let store = LeasedCheckpointStore()
        let scene = Scene(store: store)
        let gate = scene.holds.hold(request)
        let victim = try worker(scene)
        await scene.holds.arrival(of: request)
        // The part before is recorded while this one is on its way already.
        if let number = request.partNumber {
            while store.checkpoint(Self.id)?.parts.count != number - 1 { await Task.yield() }
        }
        store.steal(Self.id)
        let requests = scene.backend.log.count
        let error = await transferError { try await victim.value }
        #expect(error?.code == .checkpointLost)
        #expect(scene.backend.log.count == requests, "neither Complete nor Abort nor anything else")
        #expect(store.writes.allSatisfy { $0.isAccepted }, "no write was even tried")
        #expect(scene.labels.count { $0 == "stopping(checkpointLost)" } == 1)
        gate.open()

        let successor = try worker(scene)
        #expect(try await successor.value.verification == .crc64)
        #expect(scene.isCopied)
        #expect(store.ids.isEmpty)
    }

    /// A worker that was suspended beyond its lease finds out by its next write.
    @Test(arguments: [MemoryBackend.Request.create, .part(6), .part(10)])
    func aWorkerThatWakesUpLateFindsOutByItsNextWrite(_ request: MemoryBackend.Request) async throws {
        let clock = ManualClock()
        let store = LeasedCheckpointStore(clock: clock, lease: .seconds(10), signals: false)
        let scene = Scene(store: store)
        let gate = scene.holds.hold(request)
        let sleeper = try worker(scene)
        await scene.holds.arrival(of: request)

        clock.advance(by: .seconds(10))
        // The successor copies from a service of its own view: it is not held.
        let taken = try await store.claim(Self.id)
        let state = store.checkpoint(Self.id)
        let requests = scene.backend.log.count
        gate.open()
        let error = await transferError { try await sleeper.value }
        #expect(error?.code == .checkpointLost)
        #expect(!scene.backend.log[requests...].contains(.complete))
        #expect(!scene.backend.log[requests...].contains(.abort))
        #expect(store.checkpoint(Self.id) == state, "the successor's state is intact")
        let refused = store.writes.drop { $0.isAccepted }
        #expect(!refused.isEmpty && refused.allSatisfy { !$0.isAccepted })
        await taken.release()

        #expect(try await worker(scene).value.verification == .crc64)
        #expect(scene.isCopied)
    }

    /// The successor goes on with what the victim had recorded.
    @Test func theSuccessorGoesOn() async throws {
        let store = LeasedCheckpointStore()
        let scene = Scene(store: store)
        let gate = scene.holds.hold(.part(6))
        let victim = try worker(scene)
        await scene.holds.arrival(of: .part(6))
        store.steal(Self.id)
        #expect(await transferError { try await victim.value }?.code == .checkpointLost)
        gate.open()
        let before = scene.backend.log.count
        #expect(try await worker(scene).value.verification == .crc64)
        #expect(scene.backend.log[before...].compactMap(\.partNumber) == [6, 7, 8, 9, 10])
        #expect(scene.backend.log.count { $0 == .create } == 1)
    }

    /// A loss while Complete is on its way: the object that stands is a success, and its record is the other worker's.
    @Test func aLossDuringComplete() async throws {
        let store = LeasedCheckpointStore()
        let scene = Scene(store: store)
        let gate = scene.holds.hold(.complete)
        let victim = try worker(scene)
        await scene.holds.arrival(of: .complete)
        store.steal(Self.id)
        let other = try await store.claim(Self.id)
        #expect(other.saved?.isCompleting == true)
        gate.open()
        #expect(try await victim.value.verification == .crc64)
        #expect(store.checkpoint(Self.id) != nil)
        #expect(store.writes.allSatisfy { $0.isAccepted })
        await other.release()
        // The successor finds the object.
        let before = scene.backend.log.count
        #expect(try await worker(scene).value.verification == .crc64)
        #expect(Array(scene.backend.log[before...]) == [.head(Scene.source), .list, .head(Scene.target)])
        #expect(store.ids.isEmpty)
    }

    @Test func aClaimOfALiveWorkerIsRefused() async throws {
        let store = LeasedCheckpointStore()
        let scene = Scene(store: store)
        let gate = scene.holds.hold(.part(2))
        let first = try worker(scene)
        await scene.holds.arrival(of: .part(2))
        #expect(await transferError { try await worker(scene).value }?.code == .checkpointInUse)
        gate.open()
        #expect(try await first.value.verification == .crc64)
    }

    /// FR-108: a worker whose source differs in one byte takes over: never an object of both.
    @Test func anotherSourceIsNeverMixedIn() async throws {
        let store = LeasedCheckpointStore()
        let scene = Scene(store: store)
        let gate = scene.holds.hold(.part(6))
        let victim = try worker(scene)
        await scene.holds.arrival(of: .part(6))
        store.steal(Self.id)
        #expect(await transferError { try await victim.value }?.code == .checkpointLost)
        gate.open()
        var changed = Scene.bytes
        changed[3] ^= 1
        scene.backend.put(.init(changed), at: Scene.source)
        #expect(try await worker(scene).value.verification == .crc64)
        #expect(scene.backend.object(Scene.target)?.bytes == changed)
        #expect(scene.labels.contains("restarted(sourceChanged)"))
    }
}
