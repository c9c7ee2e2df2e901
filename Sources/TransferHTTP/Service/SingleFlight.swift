package import TransferPrimitives

/// Runs one fetch per key at a time and gives its outcome to everyone who asked meanwhile.
///
/// A caller that is cancelled leaves at once and does not disturb the fetch. A fetch that neither ends nor heeds
/// cancellation is given up after `timeout`.
package final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Flight {
        let id: Int
        var tasks: [Task<Void, Never>] = []
        var waiters: [Int: CheckedContinuation<Value, any Error>] = [:]

        func end(with outcome: Result<Value, any Error>) {
            for task in tasks { task.cancel() }
            for waiter in waiters.values { waiter.resume(with: outcome) }
        }
    }

    private struct State {
        var flights: [Key: Flight] = [:]
        var lastID = 0
        /// Why no fetch begins any more.
        var closed: (any Error)?
    }

    private let timeout: Duration
    private let clock: any TransferClock
    private let timeoutError: any Error
    private let state = LockBox(State())

    package init(timeout: Duration, clock: any TransferClock, timeoutError: any Error) {
        self.timeout = timeout
        self.clock = clock
        self.timeoutError = timeoutError
    }

    /// Joins the fetch of `key`, or begins it. Throws what it throws, or `CancellationError` when the caller is cancelled.
    ///
    /// Whatever `fetch` keeps of its result it must keep before it returns: the next fetch may begin right after.
    package func value(for key: Key, fetch: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let waiter = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                join(key, waiter, continuation, fetch)
                // Cancelled before it had joined: `onCancel` found nobody to tell.
                if Task.isCancelled { leave(key, waiter) }
            }
        } onCancel: {
            leave(key, waiter)
        }
    }

    /// Begins the fetch of `key` for nobody in particular, unless one is under way.
    package func begin(_ key: Key, fetch: @escaping @Sendable () async throws -> Value) {
        if let id = state.withLock({ Self.open(key, &$0) }) { start(key, id, fetch) }
    }

    /// Cancels every fetch; everyone who waits, now or later, gets `error`.
    package func close(_ error: any Error) {
        let flights = state.withLock { state in
            state.closed = error
            defer { state.flights = [:] }
            return state.flights.values.map { $0 }
        }
        for flight in flights { flight.end(with: .failure(error)) }
    }

    private func join(
        _ key: Key, _ waiter: Int, _ continuation: CheckedContinuation<Value, any Error>,
        _ fetch: @escaping @Sendable () async throws -> Value
    ) {
        let (id, closed) = state.withLock { state -> (Int?, (any Error)?) in
            if let closed = state.closed { return (nil, closed) }
            let id = Self.open(key, &state)
            state.flights[key]?.waiters[waiter] = continuation
            return (id, nil)
        }
        if let closed { continuation.resume(throwing: closed) }
        if let id { start(key, id, fetch) }
    }

    private func leave(_ key: Key, _ waiter: Int) {
        state.withLock { $0.flights[key]?.waiters.removeValue(forKey: waiter) }?.resume(throwing: CancellationError())
    }

    /// The id of a flight that the caller must start; nil when there is one, or may be none.
    private static func open(_ key: Key, _ state: inout State) -> Int? {
        guard state.closed == nil, state.flights[key] == nil else { return nil }
        state.lastID += 1
        state.flights[key] = Flight(id: state.lastID)
        return state.lastID
    }

    private func start(_ key: Key, _ id: Int, _ fetch: @escaping @Sendable () async throws -> Value) {
        // Whoever happened to ask first may stop; the fetch is for all.
        let fetching = StopSignal.$current.withValue(nil) {
            Task {
                do { finish(key, id, .success(try await fetch())) } catch { finish(key, id, .failure(error)) }
            }
        }
        let timing = Task { [clock, timeout, timeoutError] in
            do { try await clock.sleep(for: timeout) } catch { return }
            finish(key, id, .failure(timeoutError))
        }
        let hasEnded = state.withLock { state in
            guard state.flights[key]?.id == id else { return true }
            state.flights[key]?.tasks = [fetching, timing]
            return false
        }
        if hasEnded {
            fetching.cancel()
            timing.cancel()
        }
    }

    private func finish(_ key: Key, _ id: Int, _ outcome: Result<Value, any Error>) {
        let flight = state.withLock { state -> Flight? in
            guard state.flights[key]?.id == id else { return nil }
            return state.flights.removeValue(forKey: key)
        }
        flight?.end(with: outcome)
    }
}
