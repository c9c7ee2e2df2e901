import TestSupport
import Testing
import TransferPrimitives

@testable import TransferCore

/// What an abort does at the service before the call ends.
@Suite(.timeLimit(.minutes(2))) struct EngineAbortTests {
    /// A part that was still on its way may bring an aborted upload back: it is aborted until it stays gone.
    @Test func anUploadIsAbortedUntilItIsGone() async throws {
        let box = LockBox<Scene?>(nil)
        let scene = Scene(after: { request in
            guard request == .abort, let scene = box.withLock({ $0 }) else { return }
            guard scene.backend.log.count(where: { $0 == .abort }) < 3 else { return }
            scene.backend.state.withLock {
                $0.uploads["upload-1"] = MemoryBackend.Upload(target: Scene.target)
            }
        })
        box.withLock { $0 = scene }
        let gate = scene.holds.hold(.part(2))
        let handle = try scene.start(scene.options(concurrency: 1))
        await scene.holds.arrival(of: .part(2))
        scene.hook.cancel(abort: true)
        // The limit sleeps too.
        await scene.clock.waitForSleepers(2)
        scene.clock.advance(by: .milliseconds(100))
        await scene.holds.arrival(of: .abort, 2)
        await scene.clock.waitForSleepers(2)
        scene.clock.advance(by: .milliseconds(200))
        #expect(await transferError { try await handle.value }?.code == .aborted)
        #expect(scene.backend.log.count { $0 == .abort } == 3)
        #expect(scene.backend.openUploads.isEmpty)
        #expect(!scene.labels.contains { $0.hasPrefix("left") })
        gate.open()
        box.withLock { $0 = nil }
    }

    @Test func anAbortThatNeverTakesIsReportedAfterItsLimit() async throws {
        let scene = Scene(before: { if $0 == .abort { throw TransferError(.serviceUnavailable, "503") } })
        scene.holds.hold(.part(2))
        let handle = try scene.start(scene.options(concurrency: 1))
        await scene.holds.arrival(of: .part(2))
        scene.hook.cancel(abort: true)
        let error = await transferError { try await handle.value }
        #expect(error?.code == .aborted)
        #expect(error?.uploadID == "upload-1", "what may still be open is named")
        #expect(scene.labels.contains("left(upload-1 serviceUnavailable)"))
        #expect(try await scene.pendingParts() == nil)
    }

    @Test func anAbortThatHangsEndsAtItsLimit() async throws {
        let scene = Scene()
        scene.holds.hold(.part(2))
        scene.holds.hold(.abort)
        let handle = try scene.start(scene.options(concurrency: 1))
        await scene.holds.arrival(of: .part(2))
        scene.hook.cancel(abort: true)
        await scene.holds.arrival(of: .abort)
        await scene.clock.waitForSleepers()
        scene.clock.advance(by: .seconds(10))
        #expect(await transferError { try await handle.value }?.code == .aborted)
        #expect(scene.labels.contains("left(upload-1 timedOut)"))
    }

    /// Where listing is denied, an abort that was accepted is taken for done.
    @Test func aDeniedListingDoesNotHoldAnAbortUp() async throws {
        let scene = Scene(before: { if $0 == .list { throw TransferError(.accessDenied, "403") } })
        scene.holds.hold(.part(2))
        let handle = try scene.start(scene.options(concurrency: 1))
        await scene.holds.arrival(of: .part(2))
        scene.hook.cancel(abort: true)
        #expect(await transferError { try await handle.value }?.code == .aborted)
        #expect(!scene.labels.contains { $0.hasPrefix("left") })
    }

    /// FR-027: the abort comes after every part has ended.
    @Test func partsHaveEndedBeforeTheAbort() async throws {
        let scene = Scene()
        scene.holds.hold { $0.isPart }
        let handle = try scene.start(scene.options(concurrency: 5))
        await scene.holds.until { $0.waiting.count == 5 }
        let box = LockBox(5)
        let holds = scene.holds
        let watch = Task {
            await holds.arrival(of: .abort)
            await holds.until { book in
                box.withLock { $0 = book.waiting.count }
                return true
            }
        }
        scene.hook.cancel(abort: true)
        #expect(await transferError { try await handle.value }?.code == .aborted)
        await watch.value
        #expect(box.withLock { $0 } == 0)
    }
}
