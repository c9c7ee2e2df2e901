import TransferPrimitives

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A clock that moves only when the test says so.
package final class ManualClock: TransferClock {
    private struct Sleeper {
        let duration: Duration
        let wakes: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Arrival {
        let count: Int
        let matches: @Sendable (Duration) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var elapsed: Duration = .zero
        var offset: TimeInterval = 0
        var nextID = 0
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
        var slept: [Duration] = []
        var arrivals: [Arrival] = []

        func isReady(_ arrival: Arrival) -> Bool {
            sleepers.values.count { arrival.matches($0.duration) } >= arrival.count
        }
    }

    private let start: Date
    private let state = LockBox(State())

    package init(start: Date = Date(timeIntervalSince1970: 1_751_356_800)) { self.start = start }

    package var now: Date {
        state.withLock { start.addingTimeInterval($0.elapsed / .seconds(1) + $0.offset) }
    }

    package var uptime: Duration { state.withLock { $0.elapsed } }

    /// Every sleep that was asked for, in order.
    package var sleeps: [Duration] { state.withLock { $0.slept } }

    /// Moves the wall clock alone, as a user or a time server does.
    package func jumpWallClock(by seconds: TimeInterval) { state.withLock { $0.offset += seconds } }

    package func sleep(for duration: Duration) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let (outcome, arrived) = state.withLock { state -> (Result<Void, any Error>?, [Arrival]) in
                    state.slept.append(duration)
                    if state.cancelled.remove(id) != nil { return (.failure(CancellationError()), []) }
                    if duration <= .zero { return (.success(()), []) }
                    state.sleepers[id] = Sleeper(
                        duration: duration, wakes: state.elapsed + duration, continuation: continuation)
                    let ready = state.arrivals.filter(state.isReady)
                    state.arrivals = state.arrivals.filter { !state.isReady($0) }
                    return (nil, ready)
                }
                for arrival in arrived { arrival.continuation.resume() }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let sleeper = state.withLock { state -> Sleeper? in
                if let sleeper = state.sleepers.removeValue(forKey: id) { return sleeper }
                state.cancelled.insert(id)
                return nil
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Moves both clocks and wakes every sleeper whose time has come.
    package func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.elapsed += duration
            let due = state.sleepers.filter { $0.value.wakes <= state.elapsed }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.sorted { $0.wakes < $1.wakes }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Waits until at least `count` tasks sleep on this clock, for as long as `matches` says.
    package func waitForSleepers(
        _ count: Int = 1, where matches: @escaping @Sendable (Duration) -> Bool = { _ in true }
    ) async {
        await withCheckedContinuation { continuation in
            let ready = state.withLock { state in
                let arrival = Arrival(count: count, matches: matches, continuation: continuation)
                if state.isReady(arrival) { return true }
                state.arrivals.append(arrival)
                return false
            }
            if ready { continuation.resume() }
        }
    }
}
