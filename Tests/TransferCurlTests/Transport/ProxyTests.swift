import Testing
import TransferCurl
import TransferHTTP
import TransferPrimitives

private struct TableResolver: HostResolver {
    let table: [String: [String]]
    func addresses(of host: String) async throws -> [String] {
        guard let found = table[host] else { throw HostResolutionError(host: host, message: "not in the table") }
        return found
    }
}

@Suite struct ProxyTests {
    private func target(_ scheme: HTTPEndpoint.Scheme) throws -> HTTPRequest {
        try HTTPRequest(
            .put, at: HTTPEndpoint(scheme: scheme, host: "bucket.store.example"), path: "/a/../k", operation: "Test")
    }

    @Test func plainRequestsGoOutInAbsoluteForm() async throws {
        let proxy = try ScriptedServer(answering: okAnswer)
        let configuration = settings {
            $0.proxy = .url("http://user:pass%20word@127.0.0.1:\(proxy.port)")
        }
        try await withServer(proxy, configuration) { transport in
            let response = try await transport.send(target(.http))
            #expect(response.status == 200)
            let request = proxy.requests[0]
            #expect(request.target == "http://bucket.store.example/a/../k")
            #expect(request.values("Host") == ["bucket.store.example"])
            // user:pass word
            #expect(request.values("Proxy-Authorization") == ["Basic dXNlcjpwYXNzIHdvcmQ="])
        }
    }

    @Test func encryptedRequestsAskForATunnel() async throws {
        let proxy = try ScriptedServer { connection in
            guard try connection.readRequest() != nil else { return }
            try connection.write("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n")
        }
        try await withServer(proxy, settings { $0.proxy = .url("http://127.0.0.1:\(proxy.port)") }) { transport in
            let failure = try await transportFailure { try await transport.send(target(.https)) }
            #expect(failure.kind == .proxy && failure.retry == .never && failure.message.contains("403"))
            #expect(!failure.mayHaveReachedServer)
            #expect(proxy.requests[0].requestLine == "CONNECT bucket.store.example:443 HTTP/1.1")
        }
    }

    @Test(arguments: [HTTPEndpoint.Scheme.http, .https])
    func aProxyThatWantsAPasswordIsAProxyFailure(_ scheme: HTTPEndpoint.Scheme) async throws {
        let proxy = try ScriptedServer { connection in
            while try connection.readRequest() != nil {
                try connection.write(
                    "HTTP/1.1 407 Auth\r\nProxy-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n")
            }
        }
        try await withServer(proxy, settings { $0.proxy = .url("http://u:secretpass@127.0.0.1:\(proxy.port)") }) {
            transport in
            let failure = try await transportFailure { try await transport.send(target(scheme)) }
            #expect(failure.kind == .proxy && failure.retry == .never && failure.message.contains("407"))
            #expect(!"\(failure)".contains("secretpass"))
        }
    }

    @Test func aBusyProxyIsTriedAgain() async throws {
        let proxy = try ScriptedServer(answering: "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n")
        try await withServer(proxy, settings { $0.proxy = .url("http://127.0.0.1:\(proxy.port)") }) { transport in
            let failure = try await transportFailure { try await transport.send(target(.https)) }
            #expect(failure.kind == .proxy && failure.retry == .backoff)
        }
    }

    /// libcurl resolves no name itself: a look-up of its own could not be cut.
    @Test func theProxysNameGoesToTheResolver() async throws {
        let proxy = try ScriptedServer(answering: okAnswer)
        let resolver = TableResolver(table: ["proxy.example": ["127.0.0.1"]])
        let configuration = settings {
            $0.proxy = .url("http://proxy.example:\(proxy.port)")
            $0.resolver = resolver
        }
        try await withServer(proxy, configuration) { transport in
            let response = try await transport.send(target(.http))
            #expect(response.status == 200)
        }
    }

    @Test func noProxyMeansNone() async throws {
        let server = try ScriptedServer(answering: okAnswer)
        try await withServer(server, settings { $0.proxy = .none }) { transport in
            _ = try await transport.send(server.request())
            #expect(server.requests[0].target == "/k")
        }
    }
}
