import CCurl
package import TransferHTTP
import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// HTTP over libcurl: a few event loops, each on its own thread, that share the requests of one client.
///
/// Loops are started when there is work for them. They end with `shutdown`, or when the transport is released, which no
/// request can outlive.
package final class CurlTransport: HTTPTransport {
    private struct State {
        var loops: [CurlLoop] = []
        /// Requests under way on each loop.
        var load: [Int] = []
        var isShutDown = false
    }

    /// The most connections at once; what a `ConcurrencyLimiter` in front should allow.
    package let connectionLimit: Int
    private let settings: CurlSettings
    private let proxies: ProxyRules
    private let hosts: HostCache
    private let maxLoops: Int
    private let state = LockBox(State())

    /// Throws `TransportConfigurationError` for a setting that cannot be used.
    package convenience init(_ configuration: TransportConfiguration = TransportConfiguration()) throws {
        try self.init(configuration, environment: ProcessInfo.processInfo.environment)
    }

    init(_ configuration: TransportConfiguration, environment: [String: String]) throws {
        try configuration.validate()
        let limit = DescriptorLimit.current()
        guard let plan = limit.plan(configuration.maxConnections),
            plan.raised.map(DescriptorLimit.raise) ?? true
        else {
            throw TransportConfigurationError(
                "maxConnections", "the limit on open files allows \(limit.most); raise it (ulimit -Hn) or ask for fewer"
            )
        }
        connectionLimit = plan.connections
        guard CurlLibrary.initialised == CURLE_OK else {
            throw CurlSetupError("curl_global_init", CurlLibrary.initialised)
        }
        settings = try CurlSettings(configuration)
        proxies = ProxyRules(configuration.proxy, environment: environment)
        hosts = HostCache(
            configuration.resolver, lifetime: configuration.addressLifetime, timeout: configuration.connectTimeout)
        maxLoops = configuration.eventLoops
    }

    deinit {
        for loop in loops { loop.thread.stop() }
    }

    /// The loops that were started.
    var loops: [CurlLoop] { state.withLock { $0.loops } }

    package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try Task.checkCancellation()
        guard request.method.takesBody || request.body.length == 0 else {
            throw failure(.invalidRequest, request, "a \(request.method.rawValue) has no body here")
        }
        let way = proxies.way(to: request.endpoint)
        let route = try await StopSignal.waiting(unless: knownRoute(way)) { try await self.route(way, for: request) }
        let (loop, index) = try enterLoop(request)
        defer {
            state.withLock { $0.load[index] -= 1 }
            loop.thread.leave()
        }
        do {
            return try await loop.perform(request, route)
        } catch {
            noteFailure(error, on: route)
            throw error
        }
    }

    @inline(never) private func noteFailure(_ error: any Error, on route: Route) {
        guard let kind = (error as? TransportFailure)?.kind else { return }
        // The next request asks for the addresses again: the service may have moved.
        if kind == .connect || kind == .connectTimeout { route.names.forEach(hosts.forget) }
    }

    package func shutdown() async {
        hosts.shutdown()
        let loops = state.withLock { state in
            state.isShutDown = true
            return state.loops
        }
        for loop in loops { loop.thread.stop() }
        for loop in loops { await loop.thread.waitForEnd() }
        // With the loops go the connections that were kept for later.
        state.withLock { $0.loops = [] }
    }

    /// Takes a place on the loop with the least to do; a further loop is started only when all others are busy.
    @inline(never) private func enterLoop(_ request: HTTPRequest) throws -> (CurlLoop, Int) {
        try state.withLock { state in
            guard !state.isShutDown else { throw failure(.shutdown, request, "the client was shut down") }
            var index = state.load.indices.min { state.load[$0] < state.load[$1] } ?? 0
            if state.loops.isEmpty || state.load[index] > 0 && state.loops.count < maxLoops {
                do {
                    state.loops.append(try CurlLoop(settings, maxIdleConnections: connectionLimit / maxLoops + 1))
                } catch let error as CurlSetupError {
                    throw failure(.other, request, "\(error.step): \(error.message)")
                }
                state.load.append(0)
                index = state.loops.count - 1
            }
            state.load[index] += 1
            state.loops[index].thread.enter()
            return (state.loops[index], index)
        }
    }

    /// The way with addresses for its names, as far as all of them are known. libcurl resolves no name itself.
    @inline(never) private func knownRoute(_ way: Way) -> Route? {
        var route = Route(proxy: way.proxy)
        for place in way.places {
            guard let addresses = hosts.known(place.host) else { return nil }
            route.add(place, addresses)
        }
        return route
    }

    private func route(_ way: Way, for request: HTTPRequest) async throws -> Route {
        var route = Route(proxy: way.proxy)
        for place in way.places { route.add(place, try await addresses(of: place.host, for: request)) }
        return route
    }

    private func addresses(of host: String, for request: HTTPRequest) async throws -> [String] {
        do {
            return try await hosts.addresses(of: host)
        } catch is ResolutionTimeout {
            throw failure(.resolve, request, "\(host) was not resolved in time")
        } catch let error where !Task.isCancelled {
            var failure = failure(.resolve, request, "\(host) could not be resolved")
            failure.underlying = error
            throw failure
        }
    }

    @inline(never)
    private func failure(_ kind: TransportFailure.Kind, _ request: HTTPRequest, _ message: String) -> TransportFailure {
        TransportFailure(kind, operation: request.operation, host: request.endpoint.host, message: message)
    }
}
