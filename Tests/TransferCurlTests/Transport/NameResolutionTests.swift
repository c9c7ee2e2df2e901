import Testing
import TransferHTTP
import TransferPrimitives

@testable import TransferCurl

/// Answers from a script, and counts.
private final class ScriptedResolver: HostResolver {
    private let state = LockBox((calls: 0, names: [String]()))
    private let answer: @Sendable (Int) async throws -> [String]

    init(_ answer: @escaping @Sendable (Int) async throws -> [String]) { self.answer = answer }

    var calls: Int { state.withLock { $0.calls } }
    var names: [String] { state.withLock { $0.names } }

    func addresses(of host: String) async throws -> [String] {
        let number = state.withLock { state in
            state.calls += 1
            state.names.append(host)
            return state.calls
        }
        return try await answer(number)
    }
}

@Suite struct NameResolutionTests {
    private func request(_ server: ScriptedServer, host: String = "bucket.store.example") throws -> HTTPRequest {
        try HTTPRequest(.get, at: HTTPEndpoint(scheme: .http, host: host, port: server.port), operation: "Test")
    }

    @Test func namesGoToTheResolverOnce() async throws {
        let resolver = ScriptedResolver { _ in ["127.0.0.1"] }
        let server = try ScriptedServer(answering: okAnswer)
        try await withServer(server, settings { $0.resolver = resolver }) { transport in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { _ = try await transport.send(request(server)) } }
                try await group.waitForAll()
            }
            _ = try await transport.send(request(server))
            #expect(resolver.names == ["bucket.store.example"])
            #expect(server.requests.allSatisfy { $0.values("Host") == ["bucket.store.example:\(server.port)"] })
        }
    }

    @Test func severalNamesAndPortsAreKeptApart() async throws {
        let resolver = ScriptedResolver { _ in ["127.0.0.1"] }
        let one = try ScriptedServer(answering: okAnswer)
        let two = try ScriptedServer(answering: okAnswer)
        try await withServer(one, settings { $0.resolver = resolver }) { transport in
            for _ in 0..<3 {
                for server in [one, two] {
                    for host in ["a.example", "b.example"] { _ = try await transport.send(request(server, host: host)) }
                }
            }
            #expect(one.requests.count == 6 && two.requests.count == 6)
            #expect(resolver.calls == 2)
        }
        two.stop()
    }

    @Test func addressesSkipTheResolver() async throws {
        let resolver = ScriptedResolver { _ in throw ServerError("asked") }
        let server = try ScriptedServer(answering: okAnswer)
        try await withServer(server, settings { $0.resolver = resolver }) { transport in
            _ = try await transport.send(server.request())
            #expect(resolver.calls == 0)
        }
    }

    @Test func theNextAddressIsTriedWhenOneDoesNotAnswer() async throws {
        let resolver = ScriptedResolver { _ in ["::1", "127.0.0.1"] }
        let server = try ScriptedServer(answering: okAnswer)
        try await withServer(server, settings { $0.resolver = resolver }) { transport in
            let response = try await transport.send(request(server))
            #expect(response.status == 200)
        }
    }

    @Test func ipv6Loopback() async throws {
        let server = try ScriptedServer(answering: okAnswer, family: .v6)
        try await withServer(server, settings { $0.resolver = ScriptedResolver { _ in ["::1"] } }) { transport in
            _ = try await transport.send(request(server))
            let literal = try HTTPRequest(.get, at: HTTPEndpoint(scheme: .http, host: "::1", port: server.port))
            _ = try await transport.send(literal)
            #expect(server.requests.last?.values("Host") == ["[::1]:\(server.port)"])
        }
    }

    /// Field report 46: the resolver fails twice, then answers. The layer above repeats; here every failure says its step.
    @Test func failuresNameTheStepAndAreNotKept() async throws {
        let resolver = ScriptedResolver { number in
            if number < 3 { throw HostResolutionError(host: "bucket.store.example", message: "failure \(number)") }
            return ["127.0.0.1"]
        }
        let server = try ScriptedServer(answering: okAnswer)
        try await withServer(server, settings { $0.resolver = resolver }) { transport in
            for number in 1...2 {
                let failure = try await transportFailure { try await transport.send(request(server)) }
                #expect(failure.kind == .resolve && failure.retry == .backoff && !failure.mayHaveReachedServer)
                #expect(failure.host == "bucket.store.example")
                #expect((failure.underlying as? HostResolutionError)?.message == "failure \(number)")
            }
            let response = try await transport.send(request(server))
            #expect(response.status == 200)
        }
    }

    @Test func noAddressIsAFailure() async throws {
        let server = try ScriptedServer(answering: okAnswer)
        try await withServer(server, settings { $0.resolver = ScriptedResolver { _ in [] } }) { transport in
            let failure = try await transportFailure { try await transport.send(request(server)) }
            #expect(failure.kind == .resolve)
        }
    }

    @Test func resolvingNeverBlocksCancellation() async throws {
        let asked = Event()
        let answered = Event()
        let resolver = ScriptedResolver { _ in
            asked.happen()
            await answered.wait()
            return ["127.0.0.1"]
        }
        let server = try ScriptedServer(answering: okAnswer)
        try await withServer(server, settings { $0.resolver = resolver }) { transport in
            let request = try request(server)
            let hasty = Task { try await transport.send(request) }
            let patient = Task { try await transport.send(request) }
            await asked.wait()
            hasty.cancel()
            await #expect(throws: CancellationError.self) { _ = try await hasty.value }
            answered.happen()
            #expect(try await patient.value.status == 200)
            #expect(resolver.calls == 1)
        }
    }

    @Test func resolvingHasATimeLimit() async throws {
        let never = Event()
        let resolver = ScriptedResolver { _ in
            await never.wait()
            return []
        }
        let server = try ScriptedServer(answering: okAnswer)
        let configuration = settings { settings in
            settings.resolver = resolver
            settings.connectTimeout = .milliseconds(100)
        }
        try await withServer(server, configuration) { transport in
            let failure = try await transportFailure { try await transport.send(request(server)) }
            #expect(failure.kind == .resolve && failure.message.contains("in time"))
            never.happen()
        }
    }

    /// The service has moved, and the old address refuses.
    @Test func anAddressThatRefusesIsForgotten() async throws {
        let resolver = ScriptedResolver { number in [number == 1 ? "127.0.0.2" : "127.0.0.1"] }
        let server = try ScriptedServer(answering: okAnswer)
        try await withServer(server, settings { $0.resolver = resolver }) { transport in
            let failure = try await transportFailure { try await transport.send(request(server)) }
            #expect(failure.kind == .connect && failure.codeName == "CURLE_COULDNT_CONNECT")
            let response = try await transport.send(request(server))
            #expect(response.status == 200)
        }
    }

    @Test func theSystemResolvesLocalhost() async throws {
        let addresses = try await SystemHostResolver().addresses(of: "localhost")
        #expect(addresses.contains("127.0.0.1") || addresses.contains("::1"))
        await #expect(throws: HostResolutionError.self) {
            try await SystemHostResolver().addresses(of: "no.such.host.invalid")
        }
    }
}
