import TestSupport
import Testing
import TransferPrimitives

@testable import TransferCore

/// Swift's own cancellation, and wishes from inside the callbacks of a transfer.
@Suite(.timeLimit(.minutes(2))) struct EngineCancellationTests {
    @Test func aCancelledTaskPauses() async throws {
        let scene = Scene()
        let gate = scene.holds.hold(.part(4))
        let handle = try scene.start(scene.options(concurrency: 1, grace: .zero))
        let task = Task { try await handle.value }
        await scene.holds.arrival(of: .part(4))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await scene.pendingParts() == 3)
        #expect(scene.backend.openUploads.count == 1)
        gate.open()
        try await scene.resume()
        #expect(scene.partNumbers.count { $0 <= 3 } == 3, "nothing that was recorded is copied again")
    }

    /// The task that was not cancelled sees a pause: it has nothing to be cancelled about.
    @Test func anotherWaiterSeesAPause() async throws {
        let scene = Scene()
        scene.holds.hold(.part(4))
        let handle = try scene.start(scene.options(concurrency: 1, grace: .zero))
        let cancelled = Task { try await handle.value }
        let other = Task { await transferError { try await handle.value }?.code }
        await scene.holds.arrival(of: .part(4))
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(await other.value == .paused)
    }

    /// A task that is cancelled while Complete is on its way gets what Complete did.
    @Test func aCancelledTaskStillGetsAnObjectThatStands() async throws {
        let scene = Scene()
        let gate = scene.holds.hold(.complete)
        let handle = try scene.start()
        let task = Task { try await handle.value }
        await scene.holds.arrival(of: .complete)
        task.cancel()
        gate.open()
        #expect(try await task.value.verification == .crc64)
    }

    @Test func waitingInACancelledTaskPausesAtOnce() async throws {
        let scene = Scene()
        scene.holds.hold(.head(Scene.source))
        let handle = try scene.start()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await handle.value
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(!scene.backend.log.contains(.create))
    }

    /// FR-030: nobody needs to hold a transfer for it to go on.
    @Test func aTransferGoesOnWithoutItsHandle() async throws {
        for _ in 0..<20 {
            let finished = Gate()
            let scene = Scene()
            var options = scene.options()
            options.onEvent = { event in if case .completed = event { finished.open() } }
            _ = try scene.start(options)
            await finished.wait()
            #expect(scene.isCopied)
        }
    }

    @Test(arguments: [false, true]) func aListenerMayStopItsOwnTransfer(_ abort: Bool) async throws {
        let scene = Scene()
        let hook = scene.hook
        let gate = scene.holds.hold(.part(6))
        var options = scene.options(concurrency: 1, grace: .zero)
        let labels = LockBox([String]())
        options.onEvent = { event in
            labels.withLock { $0.append(event.label) }
            if case .partCompleted(let part, _) = event, part.number == 3 {
                hook.cancel()
                hook.cancel(abort: abort)
                gate.open()
            }
        }
        let handle = try scene.start(options)
        #expect(await transferError { try await handle.value }?.code == (abort ? .aborted : .paused))
        #expect(labels.withLock { $0.count { $0.hasPrefix("stopping") } } == 1)
        #expect(scene.partNumbers.count < 10)
    }

    @Test func theReaderOfEventsMayStopItsOwnTransfer() async throws {
        let scene = Scene()
        scene.holds.hold(.part(6))
        let handle = try scene.start(scene.options(concurrency: 1, grace: .zero))
        for await event in handle.events {
            if case .partCompleted(let part, _) = event, part.number == 2 { handle.cancel(.pause) }
        }
        #expect(await transferError { try await handle.value }?.code == .paused)
    }

    /// Nothing starts once a wish was uttered, even if what would have made room for it ended a moment before.
    @Test func nothingStartsAfterAWish() async throws {
        for _ in 0..<50 {
            let scene = Scene()
            let gate = scene.holds.hold { [.part(1), .part(2), .part(3)].contains($0) }
            let handle = try scene.start(scene.options(concurrency: 3))
            await scene.holds.until { $0.waiting.count == 3 }
            scene.hook.cancel()
            gate.open()
            #expect(await transferError { try await handle.value }?.code == .paused)
            #expect(scene.partNumbers.sorted() == [1, 2, 3])
            #expect(try await scene.pendingParts() == 3)
        }
    }
}
