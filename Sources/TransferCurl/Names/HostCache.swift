import TransferHTTP
import TransferPrimitives

/// Keeps resolved names for a while. Failures are not kept.
final class HostCache: Sendable {
    private struct Entry {
        let addresses: [String]
        let expires: Duration
    }

    private let resolver: any HostResolver
    private let lifetime: Duration
    private let clock: any TransferClock
    private let flight: SingleFlight<String, [String]>
    private let entries = LockBox<[String: Entry]>([:])
    /// Far more names than a client of one service meets: a bound, not a working set.
    private static let capacity = 256

    init(_ resolver: any HostResolver, lifetime: Duration, timeout: Duration, clock: any TransferClock = SystemClock())
    {
        self.resolver = resolver
        self.lifetime = lifetime
        self.clock = clock
        flight = SingleFlight(timeout: timeout, clock: clock, timeoutError: ResolutionTimeout())
    }

    /// How many names are kept.
    var count: Int { entries.withLock { $0.count } }

    /// The addresses of `host`. Throws what the resolver throws, `ResolutionTimeout`, or `CancellationError` at once when
    /// the task is cancelled.
    func addresses(of host: String) async throws -> [String] {
        if let known = known(host) { return known }
        return try await flight.value(for: host) { [self] in
            let addresses = try await resolver.addresses(of: host)
            guard !addresses.isEmpty else { throw HostResolutionError(host: host, message: "no address") }
            let entry = Entry(addresses: addresses, expires: clock.uptime + lifetime)
            entries.withLock { entries in
                if entries.count >= Self.capacity { entries.removeAll(keepingCapacity: true) }
                entries[host] = entry
            }
            return addresses
        }
    }

    /// The addresses of `host`, unless they must be asked for.
    func known(_ host: String) -> [String]? {
        let now = clock.uptime
        guard let entry = entries.withLock({ $0[host] }), now < entry.expires else { return nil }
        return entry.addresses
    }

    /// No connection could be made to what is kept: the next request asks again.
    func forget(_ host: String) { entries.withLock { $0[host] = nil } }

    func shutdown() { flight.close(HostResolutionError(host: "", message: "the client was shut down")) }
}

/// A resolver that did not answer in time.
struct ResolutionTimeout: Error {}
