import TestSupport
import Testing
import TransferPrimitives

@testable import TransferCore

/// A pause and an abort at every request of a running copy, with real tasks.
@Suite(.timeLimit(.minutes(2))) struct EngineStopTests {
    /// The request that is under way when the wish comes.
    enum Moment: String, CaseIterable, Sendable {
        case inspecting, listing, abortingStale, creating, transferring, rechecking, completing, checkingTarget

        var request: MemoryBackend.Request {
            switch self {
            case .inspecting, .rechecking: .head(Scene.source)
            case .listing: .list
            case .abortingStale: .abort
            case .creating: .create
            case .transferring: .part(3)
            case .completing: .complete
            case .checkingTarget: .head(Scene.target)
            }
        }

        /// Which one of its kind, in this call.
        var occurrence: Int { self == .rechecking ? 2 : 1 }
        /// A stop cuts the request at once, or lets it end.
        var isCut: Bool { [.inspecting, .listing, .rechecking].contains(self) }
        var outcomeDecides: Bool { [.completing, .checkingTarget].contains(self) }
        var needsRecord: Bool { [.listing, .abortingStale].contains(self) }
    }

    /// A scene in which a call is at `moment`, with that request held.
    private func scene(at moment: Moment) async throws -> (scene: Scene, gate: Gate, handle: TransferHandle) {
        let scene = Scene(honoursPreconditions: moment != .rechecking, tellsChecksums: moment != .checkingTarget)
        if moment.needsRecord {
            let hook = TransferCancelHook()
            let second = scene.holds.hold(.part(2))
            let first = try scene.start(scene.options(concurrency: 1, hook: hook, grace: .zero))
            await scene.holds.arrival(of: .part(2))
            hook.cancel()
            #expect(await transferError { try await first.value }?.code == .paused)
            second.open()
            scene.events.withLock { $0 = [] }
        }
        let earlier = scene.backend.log.count { $0 == moment.request }
        let count = earlier + moment.occurrence
        let passed = LockBox(earlier)
        let gate = scene.holds.hold { request in
            guard request == moment.request else { return false }
            return passed.withLock { passed in
                passed += 1
                return passed == count
            }
        }
        let options = ObjectOptions(
            attributes: ObjectAttributes(storageClass: moment == .abortingStale ? "IA" : nil))
        let handle = try scene.start(objectOptions: options)
        await scene.holds.arrival(of: moment.request, count)
        return (scene, gate, handle)
    }

    @Test(arguments: Moment.allCases) func pausing(_ moment: Moment) async throws {
        let (scene, gate, handle) = try await scene(at: moment)
        scene.hook.cancel()
        if !moment.isCut { gate.open() }
        if moment.outcomeDecides {
            #expect(try await handle.value.verification == .crc64)
            #expect(scene.isCopied)
            #expect(try await scene.pendingParts() == nil)
            #expect(!scene.labels.contains { $0.hasPrefix("stopping") })
        } else {
            #expect(await transferError { try await handle.value }?.code == .paused)
            #expect(!scene.backend.log.contains(.complete))
            #expect(scene.labels.count { $0 == "stopping(paused)" } == 1)
            let parts = scene.backend.log.count
            // The next call takes what there is, and no part that was recorded again.
            // A stale upload is gone, and its parts with it, though the record of it stays.
            let recorded = moment == .abortingStale ? 0 : try await scene.pendingParts() ?? 0
            gate.open()
            try await scene.resume()
            #expect(scene.isCopied)
            #expect(scene.backend.log[parts...].count { $0.isPart } == 10 - recorded)
        }
        #expect(scene.backend.openUploads.isEmpty)
    }

    @Test(arguments: Moment.allCases) func aborting(_ moment: Moment) async throws {
        let (scene, gate, handle) = try await scene(at: moment)
        let uploads = scene.backend.log.count { $0 == .create }
        scene.hook.cancel(abort: true)
        if !moment.isCut, moment != .transferring { gate.open() }
        if moment.outcomeDecides {
            #expect(try await handle.value.verification == .crc64)
            #expect(scene.isCopied)
            #expect(!scene.backend.log.contains(.abort))
        } else {
            #expect(await transferError { try await handle.value }?.code == .aborted)
            #expect(scene.backend.object(Scene.target) == nil)
            #expect(scene.labels.count { $0 == "stopping(aborted)" } == 1)
            let opened = scene.backend.log.count { $0 == .create }
            #expect(scene.backend.log.contains(.abort) == (opened > 0))
            #expect(opened == uploads)
        }
        #expect(scene.backend.openUploads.isEmpty)
        #expect(try await scene.pendingParts() == nil)
    }

    /// Parts in flight get the grace, and are cut when it has run out.
    @Test func theGraceCutsParts() async throws {
        let scene = Scene()
        scene.holds.hold(.part(1))
        scene.holds.hold(.part(2))
        let handle = try scene.start()
        await scene.holds.until { $0.waiting.count == 2 }
        scene.hook.cancel()
        await scene.clock.waitForSleepers()
        scene.clock.advance(by: .milliseconds(499))
        #expect(scene.labels.allSatisfy { !$0.hasPrefix("cut") })
        scene.clock.advance(by: .milliseconds(1))
        #expect(await transferError { try await handle.value }?.code == .paused)
        #expect(scene.labels.suffix(2) == ["cut(1)", "cut(2)"] || scene.labels.suffix(2) == ["cut(2)", "cut(1)"])
        #expect(scene.partNumbers.sorted() == [1, 2])
    }

    @Test func whatEndsWithinTheGraceIsRecorded() async throws {
        let scene = Scene()
        let first = scene.holds.hold(.part(1))
        scene.holds.hold(.part(2))
        let handle = try scene.start()
        await scene.holds.until { $0.waiting.count == 2 }
        scene.hook.cancel()
        await scene.clock.waitForSleepers()
        first.open()
        await scene.holds.until { $0.waiting.count == 1 }
        while !scene.labels.contains("done(1)") { await Task.yield() }
        scene.clock.advance(by: .milliseconds(500))
        let error = await transferError { try await handle.value }
        #expect(error?.code == .paused)
        #expect(error?.uploadID == scene.backend.openUploads.first)
        #expect(try await scene.pendingParts() == 1)
    }

    /// With no grace, cutting waits for nothing.
    @Test func noGraceCutsAtOnce() async throws {
        let scene = Scene()
        scene.holds.hold { $0.isPart }
        let handle = try scene.start(scene.options(concurrency: 10, grace: .zero))
        await scene.holds.until { $0.waiting.count == 10 }
        scene.hook.cancel()
        #expect(await transferError { try await handle.value }?.code == .paused)
        #expect(scene.labels.count { $0.hasPrefix("cut") } == 10)
        #expect(scene.clock.sleeps.isEmpty)
    }

    @Test func aPauseEscalatesToAnAbort() async throws {
        let scene = Scene()
        scene.holds.hold { $0.isPart }
        let handle = try scene.start()
        await scene.holds.until { $0.waiting.count == 2 }
        scene.hook.cancel()
        await scene.clock.waitForSleepers()
        scene.hook.cancel(abort: true)
        #expect(await transferError { try await handle.value }?.code == .aborted)
        #expect(scene.backend.openUploads.isEmpty)
        #expect(try await scene.pendingParts() == nil)
    }

    /// Without a record a pause cannot be resumed, so it leaves nothing at the service.
    @Test func pausingWithoutARecordLeavesNothing() async throws {
        let scene = Scene()
        scene.holds.hold(.part(2))
        let handle = try scene.start(scene.options(concurrency: 1, keeps: false, grace: .zero))
        await scene.holds.arrival(of: .part(2))
        handle.cancel(.pause)
        #expect(await transferError { try await handle.value }?.code == .paused)
        #expect(scene.backend.openUploads.isEmpty)
        #expect(!scene.labels.contains("claimed"))
    }

    // MARK: Before, late, again

    @Test(arguments: [false, true]) func aHookThatWasCancelledBeforeTheStartSendsNothing(_ abort: Bool) async throws {
        let scene = Scene()
        scene.hook.cancel(abort: abort)
        let handle = try scene.start()
        #expect(await transferError { try await handle.value }?.code == (abort ? .aborted : .paused))
        #expect(scene.backend.log.isEmpty)
        #expect(scene.labels == [abort ? "stopping(aborted)" : "stopping(paused)"])
    }

    @Test func aHookServesOneCall() async throws {
        let scene = Scene()
        _ = try await scene.start().value
        let requests = scene.backend.log.count
        scene.hook.cancel(abort: true)
        #expect(transferError { try scene.start() }?.code == .cancelHookUsed)
        #expect(scene.backend.log.count == requests)
        #expect(scene.isCopied)
    }

    /// An argument that is refused does not use the hook up.
    @Test func aRefusedCallLeavesItsHookUnused() async throws {
        let scene = Scene()
        var options = scene.options()
        options.partSize = 2 << 30
        let error = transferError { try scene.start(options) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.field == "partSize")
        _ = try await scene.start().value
    }

    @Test func lateWishesDoNothing() async throws {
        let scene = Scene()
        let handle = try scene.start()
        _ = try await handle.value
        let labels = scene.labels
        for _ in 0..<100 {
            handle.cancel(.pause)
            handle.cancel(.abort)
            handle.dispose()
            scene.hook.cancel(abort: true)
        }
        #expect(try await handle.value.verification == .crc64)
        #expect(scene.labels == labels)
        #expect(scene.isCopied)
    }

    @Test func disposingPausesAndSaysSo() async throws {
        let scene = Scene()
        scene.holds.hold(.part(3))
        let handle = try scene.start(scene.options(concurrency: 1, grace: .zero))
        await scene.holds.arrival(of: .part(3))
        handle.dispose()
        #expect(await transferError { try await handle.value }?.code == .disposed)
        #expect(try await scene.pendingParts() == 2)
    }

    /// FR-023: at whatever moment it comes, a wish to stop ends in one of both: the result, or its own error.
    @Test(arguments: 0..<40 as Range<UInt64>) func atAnyMoment(_ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let abort = random.chance(50)
        let moment = Int.random(in: 1...26, using: &random)
        let counter = LockBox(0)
        let hook = TransferCancelHook()
        let scene = Scene(before: { _ in
            if counter.withLock({
                $0 += 1
                return $0
            }) == moment {
                hook.cancel(abort: abort)
            }
        })
        let handle = try scene.start(
            scene.options(concurrency: Int.random(in: 1...6, using: &random), hook: hook, grace: .zero))
        let error = await transferError { try await handle.value }
        if let error {
            #expect(error.code == (abort ? .aborted : .paused))
            #expect(scene.labels.count { $0.hasPrefix("stopping") } == 1)
            #expect(!scene.labels.contains("completed"))
            #expect(!scene.isCopied)
            if abort { #expect(try await scene.pendingParts() == nil) }
            try await scene.resume()
        } else {
            #expect(!scene.labels.contains { $0.hasPrefix("stopping") })
        }
        #expect(scene.isCopied)
        #expect(scene.backend.openUploads.isEmpty)
        #expect(try await scene.pendingParts() == nil)
    }

    /// FR-026, over a running transfer.
    @Test func aThousandWishesFromTenThreads() async throws {
        let scene = Scene()
        scene.holds.hold { $0.isPart }
        let handle = try scene.start()
        await scene.holds.until { $0.waiting.count == 2 }
        let hook = scene.hook
        runThreads(10) { thread in
            for call in 0..<100 {
                if call % 2 == 0 { hook.cancel(abort: (call + thread) % 7 == 0) } else { handle.cancel(.pause) }
            }
        }
        #expect(await transferError { try await handle.value }?.code == .aborted)
        #expect(scene.labels.count { $0.hasPrefix("stopping") } == 1)
        #expect(scene.backend.openUploads.isEmpty)
    }

    /// FR-024: pausing and going on ten times: one request a part at a time, one Complete.
    @Test func pausingAndGoingOnTenTimes() async throws {
        let live = LockBox((now: [Int: Int](), overlaps: 0))
        let scene = Scene(
            before: { request in
                guard let number = request.partNumber else { return }
                live.withLock { live in
                    live.now[number, default: 0] += 1
                    if live.now[number, default: 0] > 1 { live.overlaps += 1 }
                }
            },
            after: { request in
                if let number = request.partNumber { live.withLock { $0.now[number] = nil } }
            })
        for round in 1...9 {
            let hook = TransferCancelHook()
            let gate = scene.holds.hold(.part(round + 1))
            let handle = try scene.start(scene.options(concurrency: 1, hook: hook, grace: .zero))
            await scene.holds.until { $0.waiting.count == 1 }
            hook.cancel()
            #expect(await transferError { try await handle.value }?.code == .paused)
            #expect(try await scene.pendingParts() == round)
            gate.open()
        }
        try await scene.resume()
        #expect(scene.isCopied)
        #expect(scene.backend.log.count { $0 == .create } == 1)
        #expect(scene.backend.log.count { $0 == .complete } == 1)
        #expect(live.withLock { $0.overlaps } == 0)
    }
}
