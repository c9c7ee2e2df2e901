import TransferPrimitives

/// Bounds how many requests of a client run at once; first come, first served.
///
/// It doubles as the client's connection limit. When the service asks to slow down, the bound is halved, once for all
/// requests that were under way at that moment; it grows again by one after as many successes as it allows requests, and
/// never falls below one. A permit is held for one attempt: a request that waits for its next try holds none.
package final class ConcurrencyLimiter: Sendable {
    package struct Permit: Sendable {
        /// How often the bound had been halved when the request began.
        fileprivate let halvings: Int
        /// The time without a pause, from the first request to the last, in which it ran.
        fileprivate let run: Int
    }

    /// What an attempt says about the load that the service bears.
    package enum Outcome: Sendable {
        case succeeded
        case throttled
        case unknown
    }

    private enum Waiter {
        /// Has a ticket, is not yet suspended.
        case arriving
        case suspended(CheckedContinuation<Permit, any Error>)
        /// Was let in before it was suspended.
        case admitted(Permit)
    }

    private struct State {
        var bound: Int
        var inUse = 0
        var halvings = 0
        var successes = 0
        /// By ticket; those that gave up are simply missing.
        var waiters: [Int: Waiter] = [:]
        var nextTicket = 0
        var nextServed = 0
        /// Counts the times in which requests run.
        var run = 0
        /// The last one in which there was more than one request.
        var lastShared = 0

        mutating func enterAtOnce() -> Permit? { waiters.isEmpty && inUse < bound ? enter() : nil }

        mutating func enter() -> Permit {
            if inUse == 0 { run += 1 } else { lastShared = run }
            inUse += 1
            return Permit(halvings: halvings, run: run)
        }
    }

    /// The most requests at once, when the service copes.
    package let maximum: Int
    private let state: LockBox<State>

    /// `maximum` below one counts as one.
    package init(maximum: Int) {
        self.maximum = max(1, maximum)
        state = LockBox(State(bound: self.maximum))
    }

    /// How many requests may run at once now.
    package var bound: Int { state.withLock { $0.bound } }

    /// How many requests run now.
    package var inUse: Int { state.withLock { $0.inUse } }

    /// How many requests wait.
    package var waiting: Int { state.withLock { $0.waiters.count } }

    /// Waits for a free place. Throws `CancellationError` as soon as the task is cancelled.
    package func acquire() async throws -> Permit {
        let (permit, ticket) = state.withLock { state -> (Permit?, Int) in
            if let permit = state.enterAtOnce() { return (permit, 0) }
            let ticket = state.nextTicket
            state.nextTicket += 1
            state.waiters[ticket] = .arriving
            return (nil, ticket)
        }
        if let permit { return permit }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { suspend(ticket, $0) }
        } onCancel: {
            giveUp(ticket)
        }
    }

    /// A free place, if there is one and nobody waits for it.
    package func tryAcquire() -> Permit? { state.withLock { $0.enterAtOnce() } }

    /// Returns a permit, with what the attempt showed.
    package func release(_ permit: Permit, _ outcome: Outcome) {
        serve(
            state.withLock { state in
                state.inUse -= 1
                switch outcome {
                case .throttled where permit.halvings == state.halvings:
                    // Halving what is in use, not a bound that nobody reaches; this request itself is counted.
                    state.bound = max(1, min(state.bound, state.inUse + 1) / 2)
                    state.halvings += 1
                    state.successes = 0
                case .succeeded where state.bound < maximum:
                    state.successes += 1
                    if state.successes >= state.bound {
                        state.bound += 1
                        state.successes = 0
                    }
                case .succeeded, .throttled, .unknown: break
                }
                return Self.admit(&state)
            })
    }

    /// Whether other requests ran while this one did. To be asked before its permit is returned.
    package func wasShared(_ permit: Permit) -> Bool { state.withLock { $0.lastShared == permit.run } }

    private typealias Admission = (continuation: CheckedContinuation<Permit, any Error>, permit: Permit)

    private func suspend(_ ticket: Int, _ continuation: CheckedContinuation<Permit, any Error>) {
        let outcome: Result<Permit, any Error>? = state.withLock { state in
            switch state.waiters.removeValue(forKey: ticket) {
            case .admitted(let permit): return .success(permit)
            case .arriving:
                state.waiters[ticket] = .suspended(continuation)
                return nil
            case .suspended, nil: return .failure(CancellationError())
            }
        }
        if let outcome { continuation.resume(with: outcome) }
    }

    private func giveUp(_ ticket: Int) {
        let continuation: CheckedContinuation<Permit, any Error>? = state.withLock { state in
            switch state.waiters[ticket] {
            case .suspended(let continuation):
                state.waiters[ticket] = nil
                return continuation
            case .arriving:
                state.waiters[ticket] = nil
                return nil
            case .admitted, nil: return nil
            }
        }
        continuation?.resume(throwing: CancellationError())
    }

    /// Lets in as many waiters as there is room for, in the order of their tickets.
    private static func admit(_ state: inout State) -> [Admission] {
        var admitted: [Admission] = []
        while state.inUse < state.bound, state.nextServed < state.nextTicket {
            let ticket = state.nextServed
            state.nextServed += 1
            guard let waiter = state.waiters[ticket] else { continue }
            let permit = state.enter()
            if case .suspended(let continuation) = waiter {
                state.waiters[ticket] = nil
                admitted.append((continuation, permit))
            } else {
                state.waiters[ticket] = .admitted(permit)
            }
        }
        return admitted
    }

    private func serve(_ admitted: [Admission]) {
        for (continuation, permit) in admitted { continuation.resume(returning: permit) }
    }
}
