import Testing
import TransferCurl
import TransferHTTP
import TransferPrimitives

/// Field report 47: the connection breaks at every point of an exchange.
@Suite struct BrokenConnectionTests {
    private static let body = HTTPBody.bytes(Array(repeating: 5, count: 1 << 20))

    private func failure(_ script: @escaping ScriptedServer.Script) async throws -> TransportFailure {
        let server = try ScriptedServer(script: script)
        return try await withServer(server) { transport in
            try await transportFailure { try await transport.send(server.request(.put, body: Self.body)) }
        }
    }

    @Test func atTheStart() async throws {
        let failure = try await failure { $0.reset() }
        #expect([.connect, .receive, .send, .emptyReply].contains(failure.kind), "\(failure)")
        #expect(failure.retry == .backoff && !failure.isStaleConnection)
    }

    @Test func inTheMiddleOfTheBody() async throws {
        let failure = try await failure { connection in
            _ = try connection.readHead()
            _ = try connection.read(100_000)
            connection.reset()
        }
        #expect([.receive, .send].contains(failure.kind), "\(failure)")
        #expect(failure.retry == .backoff && failure.mayHaveReachedServer)
        #expect(failure.host == "127.0.0.1" && failure.operation == "Test")
        #expect(failure.code != nil && failure.codeName?.hasPrefix("CURLE_") == true)
    }

    @Test func afterTheBody() async throws {
        let failure = try await failure { connection in
            _ = try connection.readRequest()
            connection.reset()
        }
        #expect(failure.kind == .receive && failure.retry == .backoff && failure.mayHaveReachedServer)
    }

    @Test func withoutAnAnswer() async throws {
        let failure = try await failure { connection in _ = try connection.readRequest() }
        #expect(failure.kind == .emptyReply && failure.retry == .backoff)
    }

    @Test func afterTheStatusLine() async throws {
        let failure = try await failure { connection in
            _ = try connection.readRequest()
            try connection.write("HTTP/1.1 200 OK\r\n")
            connection.reset()
        }
        #expect(failure.kind == .receive && failure.retry == .backoff)
    }

    @Test func inTheAnswersBody() async throws {
        let failure = try await failure { connection in
            _ = try connection.readRequest()
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
            connection.reset()
        }
        #expect([.receive, .partialBody].contains(failure.kind), "\(failure)")
        #expect(failure.retry == .backoff)
    }

    /// Field report 41: a length that is larger than what is sent.
    @Test func theAnswerIsShorterThanItsLength() async throws {
        let failure = try await failure { connection in
            _ = try connection.readRequest()
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
        }
        #expect(failure.kind == .partialBody && failure.retry == .backoff && failure.codeName == "CURLE_PARTIAL_FILE")
    }

    @Test func aRefusalCutShortIsStillARefusal() async throws {
        let server = try ScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.write("HTTP/1.1 403 No\r\nx-tos-request-id: r1\r\nContent-Length: 100\r\n\r\nhalf")
        }
        try await withServer(server) { transport in
            let response = try await transport.send(server.request(.put, body: Self.body))
            #expect(response.status == 403 && response.headers["x-tos-request-id"] == "r1")
            #expect(response.body == Array("half".utf8))
        }
    }

    @Test func nobodyListens() async throws {
        let server = try ScriptedServer(answering: okAnswer)
        server.stop()
        let transport = try CurlTransport(plainSettings)
        try await eventually { server.openConnections == 0 }
        let failure = try await transportFailure {
            // The listener may linger for a moment after it was told to stop.
            for _ in 0..<100 { _ = try await transport.send(server.request()) }
            return HTTPResponse(status: 0)
        }
        #expect([.connect, .receive, .emptyReply].contains(failure.kind), "\(failure)")
        await transport.shutdown()
    }

    @Test func aConnectionThatWorkedIsNotNeededForTheNext() async throws {
        let server = try ScriptedServer { connection in
            guard try connection.readRequest() != nil else { return }
            if connection.number == 0 { return connection.reset() }
            try connection.write(okAnswer)
        }
        try await withServer(server) { transport in
            _ = try await transportFailure { try await transport.send(server.request(.put, body: Self.body)) }
            #expect(try await transport.send(server.request(.put, body: Self.body)).status == 200)
        }
    }
}
