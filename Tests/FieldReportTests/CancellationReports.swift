import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import TestSupport
import Testing
import TransferCurl
import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Field reports about stopping, and about what is left of what was stopped.
@Suite("Field reports: cancellation", .timeLimit(.minutes(2))) struct CancellationReports {
    // MARK: FR-021

    @Test(
        "FR-021: a part on a slow link is cut by a cancel within the grace, and no byte follows",
        arguments: Flow.uploads + Flow.downloads, Stop.allCases)
    func slowPart(flow: Flow, stop: Stop) async throws {
        let clock = ManualClock()
        let fixture = try await FlowFixture(flow) { setup in
            setup.clock = clock
            setup.parts = 2
            setup.partSize = 8 << 20
        }
        fixture.server.faults.add(
            .on(flow.part), flow.isUpload ? .readSlowly(bytesPerSecond: 1 << 20) : .writeSlowly(bytesPerSecond: 1 << 20)
        )
        let task = try fixture.start { call in
            call.parallel = 1
            call.grace = .milliseconds(500)
        }
        try await fixture.server.wireLog.waitFor(operation: flow.part)
        stop.act(on: task)
        if stop != .terminate {
            // The grace is all that passes before the end.
            await clock.waitForSleepers { $0 == .milliseconds(500) }
            clock.advance(by: .milliseconds(500))
        }
        await stop.expectEnd(of: task)
        try await fixture.server.wireLog.waitFor(operation: flow.part, phase: .ended)
        let parts = fixture.partRequests
        #expect(parts.count == 1)
        #expect(parts.first?.answerWasCut == true)
        if flow.isUpload { #expect(parts.first.map { $0.bodyLength < 8 << 20 } == true) }
        #expect(!fixture.isDone)
        #expect(fixture.hasCheckpoint == (stop != .terminate))
    }

    @Test(
        "FR-021: so is a file that goes by one request, as long as the server has not got all of it",
        arguments: Flow.uploads, Stop.allCases)
    func slowFile(flow: Flow, stop: Stop) async throws {
        let clock = ManualClock()
        let fixture = try await FlowFixture(flow) { setup in
            setup.clock = clock
            setup.parts = 1
            setup.partSize = 8 << 20
            setup.lastPart = 8 << 20
        }
        let slow = fixture.server.faults.add(.on(.putObject), .readSlowly(bytesPerSecond: 1 << 20))
        let task = try fixture.start { $0.grace = .milliseconds(500) }
        try await fixture.server.wireLog.waitFor(operation: .putObject)
        stop.act(on: task)
        if stop != .terminate {
            await clock.waitForSleepers { $0 == .milliseconds(500) }
            clock.advance(by: .milliseconds(500))
        }
        await stop.expectEnd(of: task)
        try await fixture.server.wireLog.waitFor(operation: .putObject, phase: .ended)
        let puts = fixture.server.wireLog.entries(of: .putObject)
        #expect(puts.map(\.status) == [nil])
        #expect(puts.first.map { $0.bodyLength < 8 << 20 } == true)
        // It is certain that nothing stands: nobody has to look.
        #expect(fixture.count(.headObject) == 0)
        #expect(fixture.stored == nil)
        #expect(task.events.turns == ["stopping"])
        slow.remove()
        try await fixture.run()
        #expect(fixture.isDone)
    }

    // MARK: FR-022

    @Test(
        "FR-022: a cancel while the object is being completed does not make a success a failure",
        arguments: Flow.inParts, [1, 3])
    func cancelWhileCompleting(flow: Flow, parts: Int) async throws {
        for abort in [false, true] {
            let fixture = try await FlowFixture(flow) { $0.parts = parts }
            let held = fixture.server.faults.add(.on(.completeMultipartUpload, .putObject, .copyObject), .holdAnswer)
            let task = try fixture.start()
            try await held.waitUntilHeld()
            task.cancel(abort: abort)
            held.release()
            try await task.value()
            #expect(fixture.isDone)
            #expect(!fixture.hasCheckpoint)
            #expect(fixture.count(.abortMultipartUpload) == 0)
            #expect(held.hits == 1)
            #expect(task.events.turns.last == "completed")
        }
    }

    @Test(
        "FR-022: a completion that is cut off is said to be open, and the next run finds the object",
        arguments: Flow.withCRC64)
    func cutWhileCompleting(flow: Flow) async throws {
        let clock = ManualClock()
        let fixture = try await FlowFixture(flow) { $0.clock = clock }
        let held = fixture.server.faults.add(.on(.completeMultipartUpload), .holdAnswer)
        let task = try fixture.start()
        try await held.waitUntilHeld()
        let end = Task { await fixture.shutdown() }
        await clock.waitForSleepers { $0 == .seconds(5) }
        clock.advance(by: .seconds(5))
        let error = await task.failure()
        await end.value
        #expect(error?.code == .disposed)
        #expect(error?.message.contains("whether the object was stored could not be found out") == true)
        #expect(error?.uploadID != nil)
        #expect(fixture.count(.abortMultipartUpload) == 0)
        #expect(fixture.hasCheckpoint)
        held.remove()
        try await fixture.server.wireLog.waitFor(operation: .completeMultipartUpload, phase: .ended)

        let again = try fixture.restarted()
        let before = again.log.count
        try await again.run()
        let second = again.log.dropFirst(before)
        #expect(again.isDone)
        #expect(!again.hasCheckpoint)
        #expect(second.contains { $0.operation == .headObject })
        #expect(
            !second.contains { [flow.part, .createMultipartUpload, .completeMultipartUpload].contains($0.operation) })
        #expect(again.count(.abortMultipartUpload) == 0)
    }

    // MARK: FR-023

    @Test("FR-023: 200 uploads that are cancelled at any moment end once, with a result or as cancelled")
    func cancelAtAnyMoment() async throws {
        let fixture = try await VODFixture()
        let path = try fixture.file(size: 4 * VODFixture.partSize)
        let uploader = try fixture.uploader()
        var random = SeededRandom(seed: 23)
        var results = 0
        for run in 1...200 {
            let moment = Int.random(in: 1...10, using: &random)
            let abort = random.chance(30)
            let hook = TransferCancelHook()
            let arrived = LockBox(0)
            let watch = fixture.server.faults.add(
                .any.matching { _ in
                    let number = arrived.withLock { count in
                        count += 1
                        return count
                    }
                    if number == moment { hook.cancel(abort: abort) }
                    return false
                }, .delay(.zero))
            let calls = LockBox<[Result<VODUploadResult, VODUploadError>]>([])
            let called = Gate()
            let task = uploader.uploadFile(path, options: VODUploadOptions(cancelHook: hook)) { result in
                calls.withLock { $0.append(result) }
                called.open()
            }
            await called.wait()
            do { _ = try await task.value } catch { #expect(error is VODUploadError) }
            watch.remove()
            let outcomes = calls.withLock { $0 }
            #expect(outcomes.count == 1, "run \(run)")
            switch outcomes.first {
            case .success(let result):
                results += 1
                #expect(result.videoId != nil)
            case .failure(let error):
                #expect(error.errorCode == "FileAlreadyCancel", "run \(run), moment \(moment)")
                #expect(error.isCancellation)
            case nil: break
            }
        }
        // Both ends were seen; a moment after the end changes nothing.
        #expect((20..<180).contains(results), "\(results)")
        await uploader.shutdown()
    }

    @Test("FR-023: a cancelled task of TOS has an error and no result", arguments: [false, true])
    func cancelledTask(abort: Bool) async throws {
        for moment in 1...8 {
            let fixture = try await CopyFixture()
            let hook = TOSCancelHook()
            let arrived = LockBox(0)
            fixture.server.faults.add(
                .any.matching { _ in
                    let number = arrived.withLock { count in
                        count += 1
                        return count
                    }
                    if number == moment { hook.cancel(abort: abort) }
                    return false
                }, .delay(.zero))
            var input = fixture.input()
            input.cancelHook = hook
            let calls = LockBox<[Result<TOSResumableCopyObjectOutput, any Error>]>([])
            let called = Gate()
            let task = fixture.client.resumableCopyObject(input) { result in
                calls.withLock { $0.append(result) }
                called.open()
            }
            await called.wait()
            #expect(calls.withLock { $0.count } == 1)
            #expect((task.result == nil) != (task.error == nil))
            if case .failure(let error)? = calls.withLock({ $0.first }) {
                #expect((error as? TransferError)?.code == (abort ? .aborted : .paused))
                #expect(task.isCancelled)
            } else {
                #expect(fixture.isCopied)
            }
        }
    }

    // MARK: FR-024

    @Test(
        "FR-024: pausing and going on ten times leaves no request running and sends no part twice at once",
        arguments: Flow.allCases)
    func pauseAndGoOn(flow: Flow) async throws {
        let fixture = try await FlowFixture(flow) { $0.parts = flow.partSize > 1 << 20 ? 6 : 24 }
        var ended: [(events: FlowEvents, count: Int)] = []
        for _ in 1...10 {
            let earlier = fixture.partRequests.count
            // What was cut may be stored all the same, and come to the server as late as in the next round.
            let stored = flow.isDownload ? [] : fixture.server.storage.storedPartCounts.values.flatMap(\.keys)
            let done = Set(ended.flatMap(\.events.doneParts)).union(stored)
            guard fixture.setup.parts - done.count >= 4 else { break }
            // The next part of each round gets through; the others hang on a slow link.
            let next = try #require((1...fixture.setup.parts).first { !done.contains($0) })
            let stalled = fixture.server.faults.add(
                .on(flow.part).matching { fixture.partNumber(of: $0) != next }, .stall)
            let hook = TransferCancelHook()
            let passed = Gate()
            let task = try fixture.start { call in
                call.parallel = 3
                call.hook = hook
                call.onEvent = { event in if case .partCompleted = event { passed.open() } }
            }
            // In the first round nothing comes late, so one part is done for certain.
            if ended.isEmpty { await passed.wait() }
            try await fixture.server.wireLog.waitFor(count: earlier + 2) { $0.operation == flow.part }
            hook.cancel()
            await Stop.keep.expectEnd(of: task)
            ended.append((task.events, task.events.all.count))
            // What was cut ends at the server as well, or this waits for ever.
            try await fixture.server.wireLog.waitFor(count: fixture.partRequests.count, phase: .ended) {
                $0.operation == flow.part
            }
            stalled.remove()
        }
        try await fixture.run()
        #expect(fixture.isDone)
        // A part whose event was told is never sent again.
        let told = ended.flatMap(\.events.doneParts)
        #expect(ended.count > 1 && !told.isEmpty)
        #expect(Set(told).count == told.count)
        if !flow.isDownload {
            #expect(fixture.count(.createMultipartUpload) == 1)
            #expect(fixture.server.wireLog.entries(of: .completeMultipartUpload).map(\.status) == [200])
        }
        // Nothing was told of a call after its end.
        #expect(ended.allSatisfy { $0.events.all.count == $0.count })
        #expect(ended.allSatisfy { $0.events.turns.last == "stopping" })
    }

    // MARK: FR-025

    @Test(
        "FR-025 (a): a cancel ends a back-off of 30 s at once, and nothing is sent after it",
        arguments: Flow.allCases, Stop.allCases)
    func cancelInBackOff(flow: Flow, stop: Stop) async throws {
        let clock = ManualClock()
        let fixture = try await FlowFixture(flow) { $0.clock = clock }
        fixture.server.faults.add(.on(flow.part), .status(503, retryAfter: 30))
        let task = try fixture.start { call in
            call.parallel = 2
            call.grace = .milliseconds(500)
        }
        await clock.waitForSleepers(2) { $0 >= .seconds(30) && $0 < .seconds(50) }
        stop.act(on: task)
        // The clock stands still: neither the back-off nor the grace is waited for.
        await stop.expectEnd(of: task)
        #expect(clock.uptime == .zero)
        #expect(fixture.partRequests.count == 2)
        #expect(fixture.hasCheckpoint == (stop != .terminate))
    }

    @Test(
        "FR-025 (a): nor is a back-off before the request that makes the object waited for", arguments: Flow.inParts,
        [1, 3])
    func cancelInLastBackOff(flow: Flow, parts: Int) async throws {
        for stop in Stop.allCases {
            let clock = ManualClock()
            let fixture = try await FlowFixture(flow) { setup in
                setup.clock = clock
                setup.parts = parts
            }
            let steps: [StoreOperation] = [.putObject, .copyObject, .completeMultipartUpload]
            let refused = fixture.server.faults.add(
                .any.matching { steps.contains($0.operation) }, .status(503, retryAfter: 30))
            let task = try fixture.start { $0.grace = .milliseconds(500) }
            await clock.waitForSleepers { $0 >= .seconds(30) && $0 < .seconds(50) }
            stop.act(on: task)
            await stop.expectEnd(of: task)
            #expect(clock.uptime == .zero)
            #expect(refused.hits == 1)
            #expect(fixture.stored == nil)
            // Some services copy even one part by an upload in parts.
            let isKept = stop != .terminate && fixture.count(.createMultipartUpload) == 1
            #expect(fixture.hasCheckpoint == isKept)
            #expect(fixture.server.storage.uploads.isEmpty == !isKept)
        }
    }

    @Test("FR-025 (a): a back-off that ends within the grace sends nothing either", arguments: Flow.allCases)
    func shortBackOff(flow: Flow) async throws {
        let clock = ManualClock()
        let fixture = try await FlowFixture(flow) { $0.clock = clock }
        // One part waits for its next attempt, the other is on the wire.
        fixture.server.faults.add(.on(flow.part).nth(1), .status(503, retryAfter: 1))
        fixture.server.faults.add(.on(flow.part).nth(2), .stall)
        let task = try fixture.start { call in
            call.parallel = 2
            call.grace = .seconds(20)
        }
        try await fixture.server.wireLog.waitFor(count: 2, operation: flow.part)
        await clock.waitForSleepers { $0 >= .seconds(1) && $0 < .seconds(10) }
        task.cancel()
        let grace: Duration = flow == .vodUpload ? .milliseconds(500) : .seconds(20)
        await clock.waitForSleepers { $0 == grace }
        clock.advance(by: .seconds(20))
        await Stop.keep.expectEnd(of: task)
        #expect(fixture.partRequests.count == 2)
    }

    @Test(
        "FR-025 (c): a cancel does not wait for a name to be resolved",
        arguments: Flow.allCases.filter { $0 != .vodUpload }, Stop.allCases)
    func cancelWhileResolving(flow: Flow, stop: Stop) async throws {
        // At the first request, and at the first part.
        for passed in [0, flow.isCopy ? 2 : 1] {
            let resolver = SlowResolver(passing: passed)
            let clock = ManualClock()
            let fixture = try await FlowFixture(flow) { setup in
                setup.clock = clock
                setup.server.serviceDomains = ["store.example"]
                setup.transport.resolver = resolver
                setup.transport.addressLifetime = .zero
            }
            let task = try fixture.start { call in
                call.parallel = 1
                call.grace = .milliseconds(500)
            }
            await resolver.blocked.wait()
            stop.act(on: task)
            // An abort has to reach the server.
            if stop == .terminate { resolver.release() }
            await stop.expectEnd(of: task)
            #expect(clock.uptime == .zero)
            #expect(fixture.partRequests.isEmpty || stop == .terminate)
            if passed == 0, stop != .terminate { #expect(fixture.log.isEmpty) }
            resolver.release()
        }
    }

    @Test(
        "FR-025 (d): a cancel does not wait for credentials", arguments: Flow.allCases.filter { $0 != .vodUpload },
        Stop.allCases)
    func cancelWhileAsking(flow: Flow, stop: Stop) async throws {
        let office = SlowOffice()
        let clock = ManualClock()
        let fixture = try await FlowFixture(flow) { setup in
            setup.clock = clock
            setup.credentials = office
        }
        fixture.server.faults.add(.on(flow.part).first(1), .expiredToken)
        let task = try fixture.start { call in
            call.parallel = 1
            call.grace = .milliseconds(500)
        }
        await office.blocked.wait()
        stop.act(on: task)
        // An abort has to reach the server.
        if stop == .terminate { office.release() }
        await stop.expectEnd(of: task)
        #expect(clock.uptime == .zero)
        #expect(fixture.partRequests.count == 1 || stop == .terminate)
        office.release()
    }

    @Test("FR-025 (d): nor does one of VOD, at the first credentials or later ones", arguments: [false, true])
    func cancelWhileAskingVOD(isLater: Bool) async throws {
        for stop in [Stop.keep, .task] {
            let clock = ManualClock()
            let fixture = try await FlowFixture(.vodUpload) { $0.clock = clock }
            if isLater { fixture.server.faults.add(.on(.uploadPart).first(1), .expiredToken) }
            let asked: StoreOperation = isLater ? .refreshUploadVideo : .createUploadVideo
            fixture.server.faults.add(.on(asked), .stall)
            let task = try fixture.start { $0.parallel = 1 }
            try await fixture.server.wireLog.waitFor(operation: asked)
            stop.act(on: task)
            await stop.expectEnd(of: task)
            #expect(clock.uptime == .zero)
            #expect(fixture.partRequests.count == (isLater ? 1 : 0))
            #expect(fixture.count(asked) == 1)
        }
    }

    // MARK: FR-026

    @Test(
        "FR-026: a thousand cancels from ten threads end a flow once", arguments: Flow.allCases, [false, true])
    func manyCancels(flow: Flow, mixed: Bool) async throws {
        let fixture = try await FlowFixture(flow)
        fixture.server.faults.add(.on(flow.part), .stall)
        let hook = TransferCancelHook()
        let task = try fixture.start { $0.hook = hook }
        try await fixture.server.wireLog.waitFor(operation: flow.part)
        runThreads(10) { thread in
            // By the hook, which never takes an abort back, and by the task, which passes on what it is told.
            for number in 0..<100 {
                let abort = mixed && (thread + number) % 7 == 3
                if number.isMultiple(of: 2) { hook.cancel(abort: abort) } else { task.cancel(abort: abort) }
            }
        }
        await (mixed ? Stop.terminate : .keep).expectEnd(of: task)
        #expect(task.events.turns.count { $0 == "stopping" } == 1)
        let events = task.events.all.count
        #expect(fixture.hasCheckpoint == !mixed)
        #expect(fixture.server.storage.uploads.isEmpty == (mixed || flow.isDownload))
        // Too late to change anything.
        let requests = fixture.log.count
        for abort in [true, false] {
            hook.cancel(abort: abort)
            task.cancel(abort: abort)
        }
        #expect(fixture.hasCheckpoint == !mixed)
        #expect(fixture.log.count == requests)
        #expect(task.events.all.count == events)
    }

    // MARK: FR-027

    @Test("FR-027: an abort reaches the server before the call ends, with the right id", arguments: Flow.inParts)
    func abortIsSent(flow: Flow) async throws {
        let fixture = try await FlowFixture(flow)
        fixture.server.faults.add(.on(flow.part).after(2), .stall)
        let held = fixture.server.faults.add(.on(.abortMultipartUpload).first(1), .holdAnswer)
        let hasEnded = LockBox(false)
        let done = LockBox(0)
        let task = try fixture.start { call in
            call.parallel = 1
            call.onEvent = { event in if case .partCompleted = event { done.withLock { $0 += 1 } } }
        }
        try await fixture.server.wireLog.waitFor(count: 3, operation: flow.part)
        let upload = try #require(fixture.server.storage.uploads.first?.id)
        task.cancel(abort: true)
        let end = Task {
            await Stop.terminate.expectEnd(of: task)
            hasEnded.withLock { $0 = true }
        }
        try await held.waitUntilHeld()
        #expect(!hasEnded.withLock { $0 })
        held.release()
        await end.value
        #expect(done.withLock { $0 } == 2)
        #expect(fixture.server.wireLog.entries(of: .abortMultipartUpload).allSatisfy { $0.request.uploadID == upload })
        #expect(fixture.server.storage.uploads.isEmpty)
        #expect(!fixture.hasCheckpoint)
    }

    @Test("FR-027: a denied part without a checkpoint is followed by an abort", arguments: Flow.inParts)
    func abortAfterDenial(flow: Flow) async throws {
        let fixture = try await FlowFixture(flow) { $0.checkpoint = false }
        fixture.server.faults.add(.on(flow.part).part(3), .status(403, code: "AccessDenied"))
        let task = try fixture.start { $0.parallel = 1 }
        let error = await task.failure()
        #expect(error?.code == .accessDenied)
        #expect(error?.part == 3)
        let aborts = fixture.server.wireLog.entries(of: .abortMultipartUpload)
        #expect(aborts.count == 1)
        #expect(aborts.first?.request.uploadID == fixture.partRequests.first?.request.uploadID)
        #expect(fixture.server.storage.uploads.isEmpty)
        #expect(!fixture.hasCheckpoint)
    }

    @Test("FR-027: an abort that is never answered is waited for ten seconds, and told", arguments: Flow.inParts)
    func abortHangs(flow: Flow) async throws {
        let clock = ManualClock()
        let fixture = try await FlowFixture(flow) { $0.clock = clock }
        fixture.server.faults.add(.on(flow.part), .stall)
        fixture.server.faults.add(.on(.abortMultipartUpload), .stall)
        let task = try fixture.start()
        try await fixture.server.wireLog.waitFor(operation: flow.part)
        task.cancel(abort: true)
        try await fixture.server.wireLog.waitFor(operation: .abortMultipartUpload)
        await clock.waitForSleepers { $0 == .seconds(10) }
        clock.advance(by: .seconds(10))
        let error = await task.failure()
        #expect(error?.code == .aborted)
        #expect(error?.uploadID == fixture.server.storage.uploads.first?.id)
        #expect(task.events.turns.contains("left behind"))
        #expect(!fixture.hasCheckpoint)
    }

    // MARK: FR-028

    @Test(
        "FR-028: a network that swallows everything ends the call by its time limit, and the client goes on afterwards",
        arguments: Flow.allCases)
    func blackHole(flow: Flow) async throws {
        let fixture = try await FlowFixture(flow) { setup in
            setup.parts = 4
            setup.retries = 2
            setup.silence = .milliseconds(200)
        }
        let isShort = flow.isUpload && flow.partSize < 1 << 20
        fixture.server.faults.add(.on(flow.part).after(2), isShort ? .stopReading(after: 1_000) : .stall)
        let error = try await fixture.failure { $0.parallel = 1 }
        #expect(error?.code == .timedOut)
        #expect(error?.attempts == 3)
        #expect(fixture.partRequests.count == 2 + 3)

        fixture.server.faults.removeAll()
        try await fixture.run()
        #expect(fixture.isDone)
        #expect(fixture.server.wireLog.repeatedParts.isEmpty)
        await fixture.shutdown()
        // Nobody waits for anything: every connection is closed.
        try await fixture.server.wireLog.waitUntilConnectionsEnd()
    }

    // MARK: FR-029

    /// Uploads `count` times, 20 at a time, and gives how often each was called back, and with what.
    private func callBacks(
        _ count: Int, _ fixture: VODFixture, _ path: String, idleTimeout: Duration = .seconds(60)
    ) async throws -> [[Bool]] {
        var transport = TransportConfiguration()
        transport.proxy = .none
        transport.idleTimeout = idleTimeout
        var config = VODUploadConfig(getAuth: .appServer(try fixture.appServer()))
        config.partSize = VODFixture.partSize
        config.checkpoint = false
        let uploader = try VODUploader(config, transport: CurlTransport(transport), clock: ImpatientClock())
        let calls = LockBox(Array(repeating: [Bool](), count: count))
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                if number >= 20 { await group.next() }
                group.addTask {
                    let called = Gate()
                    uploader.uploadFile(path) { result in
                        calls.withLock { $0[number].append((try? result.get()) != nil) }
                        called.open()
                    }
                    await called.wait()
                }
            }
        }
        await uploader.shutdown()
        return calls.withLock { $0 }
    }

    @Test("FR-029: 900 uploads whose requests fail twice call back once, with a success")
    func oneCallBack() async throws {
        let fixture = try await VODFixture()
        fixture.server.faults.add(.on(.uploadPart, .putObject).first(2).ofEachPart, .status(500))
        let inParts = try await callBacks(100, fixture, fixture.file("a.mp4", size: VODFixture.partSize + 9))
        #expect(inParts.allSatisfy { $0 == [true] })
        #expect(fixture.count(.uploadPart) == 100 * 2 * 3)
        let whole = try await callBacks(800, fixture, fixture.file("b.mp4", size: 9))
        #expect(whole.allSatisfy { $0 == [true] })
        #expect(fixture.count(.putObject) == 800 * 3)
    }

    @Test("FR-029: uploads whose every attempt fails call back once, with the failure")
    func oneCallBackOfFailure() async throws {
        let fixture = try await VODFixture()
        fixture.server.faults.add(.on(.uploadPart, .putObject), .status(500))
        for size in [9, VODFixture.partSize + 9] {
            let calls = try await callBacks(50, fixture, fixture.file("\(size).mp4", size: size))
            #expect(calls.allSatisfy { $0 == [false] })
        }
        #expect(fixture.count(.putObject) == 50 * 3)
    }

    @Test("FR-029: an answer that races with the time limit leads to one call back")
    func answerAgainstLimit() async throws {
        let fixture = try await VODFixture()
        fixture.server.faults.add(.on(.putObject), .delayAnswer(.milliseconds(60)))
        let calls = try await callBacks(100, fixture, fixture.file(size: 9), idleTimeout: .milliseconds(60))
        #expect(calls.allSatisfy { $0.count == 1 })
    }

    // MARK: FR-030

    @Test(
        "FR-030: a flow goes on when its client is let go of at once, and ends once", arguments: Flow.allCases)
    func droppedClient(flow: Flow) async throws {
        let fixture = try await FlowFixture(flow)
        for _ in 1...8 {
            let task = try fixture.restarted().start()
            try await task.value()
            #expect(task.events.turns.count { $0 == "completed" } == 1)
        }
        #expect(fixture.isDone)
    }

    @Test(
        "FR-030: the end of a client ends ten running flows, each once, and nothing is told afterwards",
        arguments: Flow.allCases)
    func endOfClient(flow: Flow) async throws {
        let fixture = try await FlowFixture(flow) { $0.checkpoint = false }
        fixture.server.faults.add(.on(flow.part), .stall)
        let tasks = try (1...10).map { number in
            try fixture.start { call in
                call.parallel = 1
                call.number = number
            }
        }
        try await fixture.server.wireLog.waitFor(count: 10, operation: flow.part)
        await fixture.shutdown()
        let requests = fixture.log.count
        for task in tasks {
            let error = await task.failure()
            #expect(error?.code == .disposed)
            #expect(task.events.turns.count { $0 == "stopping" } == 1)
        }
        try await fixture.server.wireLog.waitUntilConnectionsEnd()
        #expect(fixture.log.count == requests)
        #expect(fixture.server.storage.uploads.isEmpty)
        #expect(await fixture.isRefused())
    }

    @Test("FR-030: when dispose of an uploader returns, all ten call-backs have come")
    func dispose() async throws {
        let fixture = try await VODFixture()
        fixture.server.faults.add(.on(.uploadPart), .stall)
        let uploader = try fixture.uploader { $0.checkpoint = false }
        let path = try fixture.file(size: 3 * VODFixture.partSize)
        let codes = LockBox<[String?]>([])
        for _ in 1...10 {
            uploader.uploadFile(path) { result in
                codes.withLock { codes in
                    if case .failure(let error) = result { codes.append(error.errorCode) } else { codes.append(nil) }
                }
            }
        }
        try await fixture.server.wireLog.waitFor(count: 10, operation: .uploadPart)
        uploader.dispose()
        #expect(codes.withLock { $0 } == Array(repeating: "FileAlreadyCancel", count: 10))
        await uploader.shutdown()
        #expect(codes.withLock { $0.count } == 10)
    }

    // MARK: FR-031

    @Test("FR-031: after a denied part no other is begun", arguments: Flow.inParts + Flow.downloads)
    func denialEndsTheCall(flow: Flow) async throws {
        let fixture = try await FlowFixture(flow) { $0.parts = flow.partSize > 1 << 20 ? 12 : 100 }
        fixture.server.faults.add(.on(flow.part).nth(5), .status(403, code: "AccessDenied"))
        let held = fixture.server.faults.add(.on(flow.part).after(5), .hold)
        let task = try fixture.start { call in
            call.parallel = 4
            call.grace = .seconds(20)
            // Those under way go on once the denial was read.
            call.onEvent = { event in if case .stopping = event { held.release() } }
        }
        let error = await task.failure()
        #expect(error?.code == .accessDenied)
        #expect(error?.service?.status == 403)
        #expect(error?.part != nil || flow.isDownload)
        #expect(fixture.partRequests.count <= 5 + 3)
        #expect(task.events.turns.count { $0 == "stopping" } == 1)
        #expect(!fixture.isDone)
    }

    // MARK: FR-032

    @Test(
        "FR-032: a part that fails for good leaves the upload open only where a checkpoint leads back to it",
        arguments: Flow.inParts, [false, true])
    func whatAFailureLeaves(flow: Flow, checkpoint: Bool) async throws {
        let fixture = try await FlowFixture(flow) { $0.checkpoint = checkpoint }
        fixture.server.faults.add(.on(flow.part).part(3), .status(500))
        let error = try await fixture.failure { $0.parallel = 1 }
        #expect(error?.code == .serviceUnavailable)
        #expect(error?.part == 3)
        #expect(error?.attempts == 4)
        #expect(error?.uploadID == fixture.partRequests.first?.request.uploadID)
        #expect(fixture.count(.abortMultipartUpload) == (checkpoint ? 0 : 1))
        #expect(fixture.server.storage.uploads.count == (checkpoint ? 1 : 0))
        #expect(fixture.hasCheckpoint == checkpoint)
    }
}

/// Resolves every name to this machine, the first few at once and the others when it is told to.
private final class SlowResolver: HostResolver {
    let blocked = Gate()
    private let gate = Gate()
    private let calls = LockBox(0)
    private let passing: Int

    init(passing: Int) { self.passing = passing }

    func release() { gate.open() }

    func addresses(of host: String) async throws -> [String] {
        let number = calls.withLock { calls in
            calls += 1
            return calls
        }
        if number > passing {
            blocked.open()
            await gate.wait()
        }
        return ["127.0.0.1"]
    }
}

/// Hands out the keys of the test's account, the first time at once and later when it is told to.
private final class SlowOffice: CredentialsProvider {
    let blocked = Gate()
    private let gate = Gate()
    private let calls = LockBox(0)

    func release() { gate.open() }

    func credentials() async throws -> Credentials {
        let number = calls.withLock { calls in
            calls += 1
            return calls
        }
        if number > 1 {
            blocked.open()
            await gate.wait()
        }
        let account = StubAccount.test
        return Credentials(
            accessKey: account.accessKey, secretKey: account.secretKey, securityToken: account.sessionToken,
            expiration: number > 1 ? .distantFuture : nil)
    }
}
