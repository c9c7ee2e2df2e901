import Foundation
import TestSupport
import Testing
import TransferPrimitives

@Suite struct ManualClockTests {
    @Test func standsStillUntilMoved() {
        let clock = ManualClock(start: Date(timeIntervalSince1970: 1000))
        #expect(clock.now == Date(timeIntervalSince1970: 1000))
        #expect(clock.uptime == .zero)
        clock.advance(by: .milliseconds(1500))
        #expect(clock.now == Date(timeIntervalSince1970: 1001.5))
        #expect(clock.uptime == .milliseconds(1500))
    }

    @Test func theWallClockJumpsAlone() {
        let clock = ManualClock(start: Date(timeIntervalSince1970: 1000))
        clock.jumpWallClock(by: -400)
        #expect(clock.now == Date(timeIntervalSince1970: 600))
        #expect(clock.uptime == .zero)
    }

    @Test func wakesThoseWhoseTimeHasCome() async throws {
        let clock = ManualClock()
        let woken = LockBox<[Int]>([])
        let sleepers = [1, 2, 3].map { seconds in
            Task {
                try await clock.sleep(for: .seconds(seconds))
                woken.withLock { $0.append(seconds) }
            }
        }
        await clock.waitForSleepers(3)
        clock.advance(by: .milliseconds(999))
        #expect(woken.withLock { $0 } == [])
        clock.advance(by: .milliseconds(1))
        try await sleepers[0].value
        #expect(woken.withLock { $0 } == [1])
        clock.advance(by: .seconds(10))
        try await sleepers[1].value
        try await sleepers[2].value
        #expect(Set(woken.withLock { $0 }) == [1, 2, 3])
        #expect(Set(clock.sleeps) == [.seconds(1), .seconds(2), .seconds(3)])
    }

    @Test func sleepingForNothingReturnsAtOnce() async throws {
        let clock = ManualClock()
        try await clock.sleep(for: .zero)
        try await clock.sleep(for: .seconds(-1))
        #expect(clock.sleeps == [.zero, .seconds(-1)])
    }

    @Test func cancellingASleeperThrows() async {
        let clock = ManualClock()
        let task = Task { try await clock.sleep(for: .seconds(5)) }
        await clock.waitForSleepers()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func aCancelledTaskDoesNotStartToSleep() async {
        let clock = ManualClock()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(for: .seconds(5))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}

@Suite struct SystemClockTests {
    @Test func uptimeNeverGoesBack() {
        let clock = SystemClock()
        var last = clock.uptime
        for _ in 0..<1000 {
            let next = clock.uptime
            #expect(next >= last)
            last = next
        }
    }

    @Test func aCancelledSleepThrowsAtOnce() async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await SystemClock().sleep(for: .seconds(3600))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
