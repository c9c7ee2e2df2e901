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
    package final class Lease: Sendable {
        package let access: ServiceAccess
        package let generation: Int

        init(access: ServiceAccess, generation: Int) {
            self.access = access
            self.generation = generation
        }
    }

    private struct Held {
        let lease: Lease
        let life: AccessLife?
        var isRefused = false
        /// After an early renewal failed, the next one is not tried before this.
        var nextRenewal: Duration = .zero

        func isInForce(at uptime: Duration) -> Bool { !isRefused && (life.map { uptime < $0.ends } ?? true) }
        func isDue(at uptime: Duration) -> Bool { life.map { uptime >= max($0.renews, nextRenewal) } ?? false }
    }

    private struct State {
        var held: Held?
        var generation = 0
    }

    private struct Key: Hashable {}

    private let provider: any AccessProvider
    private let clock: any TransferClock
    private let flight: SingleFlight<Key, Lease>
    private let state = LockBox(State())

    /// - Parameter timeout: How long one fetch may take; 60 s by default (`authTimeout`).
    package init(_ provider: any AccessProvider, clock: any TransferClock, timeout: Duration = .seconds(60)) {
        self.provider = provider
        self.clock = clock
        flight = SingleFlight(timeout: timeout, clock: clock, timeoutError: CredentialsFailure.timedOut(timeout))
    }

    /// The access in force. Throws `CredentialsFailure`, or `CancellationError` as soon as the task is cancelled, which
    /// does not disturb a fetch that others wait for.
    package func access() async throws -> Lease {
        if let lease = held() { return lease }
        return try await flight.value(for: Key()) { [self] in try await fetch(early: false) }
    }

    /// The same without waiting: nil when it must be fetched first. Begins an early renewal when one is due.
    package func held() -> Lease? {
        let uptime = clock.uptime
        let (lease, isDue) = state.withLock { state -> (Lease?, Bool) in
            guard let held = state.held, held.isInForce(at: uptime) else { return (nil, false) }
            return (held.lease, held.isDue(at: uptime))
        }
        if lease != nil, isDue { flight.begin(Key()) { [self] in try await fetch(early: true) } }
        return lease
    }

    /// The service refused the credentials of `generation`: the next request fetches others. A refusal that comes late,
    /// when others are already in force, changes nothing.
    package func invalidate(_ generation: Int) {
        state.withLock { state in
            if state.held?.lease.generation == generation { state.held?.isRefused = true }
        }
    }

    /// What is in force is so no longer, though nobody refused it: the next request fetches anew.
    package func invalidate() { state.withLock { $0.held?.isRefused = true } }

    /// Cancels a running fetch; whoever waits, now or later, fails.
    package func shutdown() { flight.close(CredentialsFailure.shutDown) }

    private func fetch(early: Bool) async throws -> Lease {
        let uptime = clock.uptime
        // Another fetch may have ended between the caller's look and this one.
        let (lease, generation) = state.withLock { state -> (Lease?, Int) in
            guard let held = state.held, held.isInForce(at: uptime), !(early && held.isDue(at: uptime)) else {
                return (nil, state.generation)
            }
            return (held.lease, state.generation)
        }
        if let lease { return lease }
        do {
            return store(try await provider.access(), after: generation)
        } catch {
            let next = clock.uptime + Self.renewalPause
            state.withLock { $0.held?.nextRenewal = next }
            throw CredentialsFailure(error)
        }
    }

    private func store(_ access: ServiceAccess, after generation: Int) -> Lease {
        let life = access.credentials.expiration.flatMap { AccessLife(until: $0, now: clock.now, uptime: clock.uptime) }
        return state.withLock { state in
            // A fetch that was given up and answered after all must not replace what was fetched since.
            if let held = state.held, state.generation != generation { return held.lease }
            state.generation += 1
            let lease = Lease(access: access, generation: state.generation)
            // Those that were renewed early and came back are not renewed early again.
            let isRepeated = state.held?.lease.access.credentials == access.credentials
            state.held = Held(lease: lease, life: life, nextRenewal: isRepeated ? life?.ends ?? .zero : .zero)
            return lease
        }
    }

    private static let renewalPause = Duration.seconds(1)
}

/// When temporary credentials are to be renewed, and when they end, on a clock that does not jump.
struct AccessLife: Hashable {
    let renews: Duration
    let ends: Duration

    /// Nil when they have ended already, by a clock that may be wrong.
    init?(until expiration: Date, now: Date, uptime: Duration) {
        let seconds = expiration.timeIntervalSince(now)
        guard seconds > 0 else { return nil }
        let life = Duration.seconds(min(seconds, Self.longest))
        renews = uptime + life - min(.seconds(60), life / 10)
        ends = uptime + life
    }

    /// A hundred years, in seconds: no date overflows the arithmetic.
    private static let longest = 3_153_600_000.0
}

/// Credentials could not be had.
package enum CredentialsFailure: Error, Sendable, CustomStringConvertible {
    /// The provider's own error.
    case provider(any Error)
    /// The provider has handed out what it can, and all of it was refused; its own account of that.
    case exhausted(any Error)
    case timedOut(Duration)
    case shutDown

    init(_ error: any Error) { self = error as? CredentialsFailure ?? .provider(error) }

    package var description: String {
        switch self {
        case .provider(let error): "the credentials provider failed: \(error)"
        case .exhausted(let error): "no other credentials are to be had: \(error)"
        case .timedOut(let limit): "the credentials provider did not answer within \(limit)"
        case .shutDown: "the client was shut down"
        }
    }
}
