import Testing
import TransferHTTP
import TransferPrimitives

@Suite struct ConcurrencyLimiterTests {
    /// Starts a task that takes a permit, and waits until it is in the queue or has it.
    private func queue(
        _ limiter: ConcurrencyLimiter, _ order: LockBox<[Int]>, _ number: Int
    ) async -> Task<ConcurrencyLimiter.Permit, any Error> {
        let before = (limiter.waiting, limiter.inUse)
        let task = Task {
            let permit = try await limiter.acquire()
            order.withLock { $0.append(number) }
            return permit
        }
        while (limiter.waiting, limiter.inUse) == before { await Task.yield() }
        return task
    }

    @Test func firstComeFirstServed() async throws {
        let limiter = ConcurrencyLimiter(maximum: 1)
        let order = LockBox<[Int]>([])
        var tasks: [Task<ConcurrencyLimiter.Permit, any Error>] = []
        for number in 0..<20 { tasks.append(await queue(limiter, order, number)) }
        for task in tasks { limiter.release(try await task.value, .succeeded) }
        #expect(order.withLock { $0 } == Array(0..<20))
        #expect(limiter.inUse == 0 && limiter.waiting == 0)
    }

    @Test func neverMoreThanTheMaximum() async throws {
        let limiter = ConcurrencyLimiter(maximum: 3)
        let peak = LockBox((now: 0, most: 0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    let permit = try await limiter.acquire()
                    peak.withLock { peak in
                        peak.now += 1
                        peak.most = max(peak.most, peak.now)
                    }
                    await Task.yield()
                    peak.withLock { $0.now -= 1 }
                    limiter.release(permit, .succeeded)
                }
            }
            try await group.waitForAll()
        }
        #expect(peak.withLock { $0.most } == 3)
        #expect(limiter.inUse == 0)
    }

    @Test func cancelledWaitersLeaveAndTheNextIsServed() async throws {
        let limiter = ConcurrencyLimiter(maximum: 1)
        let order = LockBox<[Int]>([])
        let first = await queue(limiter, order, 0)
        let second = await queue(limiter, order, 1)
        let third = await queue(limiter, order, 2)
        second.cancel()
        await #expect(throws: CancellationError.self) { _ = try await second.value }
        #expect(limiter.waiting == 1)
        limiter.release(try await first.value, .succeeded)
        limiter.release(try await third.value, .succeeded)
        #expect(order.withLock { $0 } == [0, 2])
    }

    @Test func aTaskThatIsAlreadyCancelledDoesNotWait() async throws {
        let limiter = ConcurrencyLimiter(maximum: 1)
        let permit = try await limiter.acquire()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await limiter.acquire()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(limiter.waiting == 0)
        limiter.release(permit, .succeeded)
        #expect(limiter.inUse == 0)
    }

    @Test func aBurstOfRefusalsHalvesOnce() async throws {
        let limiter = ConcurrencyLimiter(maximum: 16)
        var permits: [ConcurrencyLimiter.Permit] = []
        for _ in 0..<16 { permits.append(try await limiter.acquire()) }
        for permit in permits { limiter.release(permit, .throttled) }
        #expect(limiter.bound == 8)
    }

    @Test func halvesWhatIsInUseNotABoundThatNobodyReaches() async throws {
        let limiter = ConcurrencyLimiter(maximum: 1000)
        var permits: [ConcurrencyLimiter.Permit] = []
        for _ in 0..<8 { permits.append(try await limiter.acquire()) }
        limiter.release(permits[0], .throttled)
        #expect(limiter.bound == 4)
    }

    @Test func neverFallsBelowOneAndGrowsBackSlowly() async throws {
        let limiter = ConcurrencyLimiter(maximum: 4)
        for _ in 0..<10 { limiter.release(try await limiter.acquire(), .throttled) }
        #expect(limiter.bound == 1)
        var bounds: [Int] = []
        for _ in 0..<12 {
            limiter.release(try await limiter.acquire(), .succeeded)
            bounds.append(limiter.bound)
        }
        #expect(bounds == [2, 2, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4])
    }

    /// Two requests share their time when they overlap, whichever began first, and however many others ran between them.
    @Test func tellsWhoRanTogether() async throws {
        let limiter = ConcurrencyLimiter(maximum: 4)
        let first = try await limiter.acquire()
        #expect(!limiter.wasShared(first))
        let second = try await limiter.acquire()
        #expect(limiter.wasShared(first) && limiter.wasShared(second))
        limiter.release(first, .succeeded)
        #expect(limiter.wasShared(second))
        limiter.release(second, .succeeded)
        let alone = try await limiter.acquire()
        #expect(!limiter.wasShared(alone))
        limiter.release(alone, .succeeded)
    }

    @Test func otherFailuresChangeNothing() async throws {
        let limiter = ConcurrencyLimiter(maximum: 4)
        limiter.release(try await limiter.acquire(), .unknown)
        #expect(limiter.bound == 4)
    }

    @Test func manyTasksComeAndGo() async throws {
        let limiter = ConcurrencyLimiter(maximum: 4)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<500 {
                let task = Task {
                    let permit = try await limiter.acquire()
                    await Task.yield()
                    limiter.release(permit, number.isMultiple(of: 7) ? .throttled : .succeeded)
                }
                if number.isMultiple(of: 3) { task.cancel() }
                group.addTask { _ = await task.result }
            }
        }
        #expect(limiter.inUse == 0 && limiter.waiting == 0)
    }
}
