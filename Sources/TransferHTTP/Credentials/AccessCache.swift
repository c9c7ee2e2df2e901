package import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Keeps what an `AccessProvider` answered until it must be fetched again; one fetch at a time serves everyone.
///
/// Temporary credentials are renewed ahead of their end by 60 s or a tenth of their life, whichever is less, while
/// requests go on with the old ones. The life is counted from when they were fetched on a clock that does not jump, so
/// credentials that come with an end in the past are used until the service refuses them, and not fetched in a loop.
package final class AccessCache: Sendable {
    /// What was fetched, and the how-manieth it was.
    package struct Lease: Sendable {
        package let access: ServiceAccess
        package let generation: Int
    }

    private struct Held {
        let lease: Lease
        let renews: Duration?
        let ends: Duration?
        var isRefused = false
        /// After an early renewal failed, the next one is not tried before this.
        var nextRenewal: Duration = .zero
    }

    private struct Fetch {
        let id: Int
        var tasks: [Task<Void, Never>] = []
        var waiters: [Int: CheckedContinuation<Lease, any Error>] = [:]

        func end(with outcome: Result<Lease, any Error>) {
            for task in tasks { task.cancel() }
            for waiter in waiters.values { waiter.resume(with: outcome) }
        }
    }

    private struct State {
        var held: Held?
        var fetch: Fetch?
        var generation = 0
        var lastID = 0
        var isShutDown = false
    }

    private let provider: any AccessProvider
    private let clock: any TransferClock
    private let timeout: Duration
    private let state = LockBox(State())

    /// - Parameter timeout: How long one fetch may take; 60 s by default (`authTimeout`).
    package init(_ provider: any AccessProvider, clock: any TransferClock, timeout: Duration = .seconds(60)) {
        self.provider = provider
        self.clock = clock
        self.timeout = timeout
    }

    /// The access in force. Throws `CredentialsFailure`, or `CancellationError` as soon as the task is cancelled, which
    /// does not disturb a fetch that others wait for.
    package func access() async throws -> Lease {
        let now = clock.uptime
        let (lease, renewal) = state.withLock { state -> (Lease?, Int?) in
            guard let held = state.held, !held.isRefused, held.ends.map({ now < $0 }) ?? true else { return (nil, nil) }
            let isDue = held.renews.map { now >= max($0, held.nextRenewal) } ?? false
            return (held.lease, isDue && state.fetch == nil ? Self.beginFetch(&state) : nil)
        }
        if let renewal { start(renewal) }
        if let lease { return lease }
        return try await wait()
    }

    /// The service refused the credentials of `generation`: the next request fetches others. A refusal that comes late,
    /// when others are already in force, changes nothing.
    package func invalidate(_ generation: Int) {
        state.withLock { state in
            if state.held?.lease.generation == generation { state.held?.isRefused = true }
        }
    }

    /// Ends a running fetch; whoever waits, now or later, fails.
    package func shutdown() {
        let fetch = state.withLock { state in
            state.isShutDown = true
            defer { state.fetch = nil }
            return state.fetch
        }
        fetch?.end(with: .failure(CredentialsFailure.shutDown))
    }

    private func wait() async throws -> Lease {
        let waiter = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return try await withCheckedThrowingContinuation { continuation in
                let (outcome, fetch) = join(waiter, continuation)
                if let outcome { continuation.resume(with: outcome) }
                if let fetch { start(fetch) }
                // Cancelled before it had joined: `onCancel` found nobody to tell.
                if Task.isCancelled { leave(waiter) }
            }
        } onCancel: {
            leave(waiter)
        }
    }

    /// Joins the fetch that is running, or begins one; the access itself when it has arrived meanwhile.
    private func join(
        _ waiter: Int, _ continuation: CheckedContinuation<Lease, any Error>
    ) -> (Result<Lease, any Error>?, fetch: Int?) {
        let now = clock.uptime
        return state.withLock { state in
            if state.isShutDown { return (.failure(CredentialsFailure.shutDown), nil) }
            if let held = state.held, !held.isRefused, held.ends.map({ now < $0 }) ?? true {
                return (.success(held.lease), nil)
            }
            let begun = state.fetch == nil ? Self.beginFetch(&state) : nil
            state.fetch?.waiters[waiter] = continuation
            return (nil, begun)
        }
    }

    private func leave(_ waiter: Int) {
        state.withLock { $0.fetch?.waiters.removeValue(forKey: waiter) }?.resume(throwing: CancellationError())
    }

    private static func beginFetch(_ state: inout State) -> Int {
        state.lastID += 1
        state.fetch = Fetch(id: state.lastID)
        return state.lastID
    }

    private func start(_ id: Int) {
        let fetching = Task { [provider] in
            do { finish(id, .success(try await provider.access())) } catch { finish(id, .failure(error)) }
        }
        // A provider that never answers, and does not heed cancellation either, must not hold the requests for ever.
        let timing = Task { [clock, timeout] in
            do { try await clock.sleep(for: timeout) } catch { return }
            finish(id, .failure(CredentialsFailure.timedOut(timeout)))
        }
        let isRunning = state.withLock { state in
            guard state.fetch?.id == id else { return false }
            state.fetch?.tasks = [fetching, timing]
            return true
        }
        if !isRunning {
            fetching.cancel()
            timing.cancel()
        }
    }

    private func finish(_ id: Int, _ result: Result<ServiceAccess, any Error>) {
        let uptime = clock.uptime
        let now = clock.now
        let (fetch, outcome) = state.withLock { state -> (Fetch?, Result<Lease, any Error>) in
            guard let fetch = state.fetch, fetch.id == id else { return (nil, .failure(CancellationError())) }
            state.fetch = nil
            switch result {
            case .success(let access):
                state.generation += 1
                let lease = Lease(access: access, generation: state.generation)
                state.held = Self.hold(lease, at: uptime, now)
                return (fetch, .success(lease))
            case .failure(let error):
                state.held?.nextRenewal = uptime + Self.renewalPause
                return (fetch, .failure(CredentialsFailure(error)))
            }
        }
        fetch?.end(with: outcome)
    }

    private static func hold(_ lease: Lease, at uptime: Duration, _ now: Date) -> Held {
        guard let expiration = lease.access.credentials.expiration else {
            return Held(lease: lease, renews: nil, ends: nil)
        }
        let seconds = expiration.timeIntervalSince(now)
        guard seconds > 0 else { return Held(lease: lease, renews: nil, ends: nil) }
        let life = Duration.seconds(min(seconds, longestLife))
        return Held(lease: lease, renews: uptime + life - min(.seconds(60), life / 10), ends: uptime + life)
    }

    private static let renewalPause = Duration.seconds(1)
    /// A hundred years, in seconds: no date overflows the arithmetic.
    private static let longestLife = 3_153_600_000.0
}

/// Credentials could not be had.
package enum CredentialsFailure: Error, Sendable, CustomStringConvertible {
    /// The provider's own error.
    case provider(any Error)
    case timedOut(Duration)
    case shutDown

    init(_ error: any Error) { self = error as? CredentialsFailure ?? .provider(error) }

    package var description: String {
        switch self {
        case .provider(let error): "the credentials provider failed: \(error)"
        case .timedOut(let limit): "the credentials provider did not answer within \(limit)"
        case .shutDown: "the client was shut down"
        }
    }
}
