import Testing
import TransferCurl
import TransferHTTP
import TransferPrimitives

@Suite struct TimeLimitTests {
    private func elapsed(_ body: () async throws -> Void) async rethrows -> Duration {
        let start = ContinuousClock.now
        try await body()
        return ContinuousClock.now - start
    }

    @Test func silenceIsNoticed() async throws {
        let server = try ScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.drain()
        }
        try await withServer(server) { transport in
            var request = try server.request(.put, body: .bytes([1, 2, 3]))
            request.idleTimeout = .milliseconds(200)
            let time = try await elapsed {
                let failure = try await transportFailure { [request] in try await transport.send(request) }
                #expect(failure.kind == .idle && failure.retry == .backoff && failure.mayHaveReachedServer)
            }
            #expect(time >= .milliseconds(200))
        }
    }

    @Test func theClientsOwnLimitCountsUnlessARequestHasOne() async throws {
        let server = try ScriptedServer { connection in
            while try connection.readRequest() != nil {}
        }
        try await withServer(server, settings { $0.idleTimeout = .milliseconds(150) }) { transport in
            let failure = try await transportFailure { try await transport.send(server.request()) }
            #expect(failure.kind == .idle)
        }
    }

    @Test func timeThatAnIdleClientSpendsDoesNotCount() async throws {
        let server = try ScriptedServer { connection in
            while try connection.readRequest() != nil {
                connection.pause(milliseconds: 100)
                try connection.write(okAnswer)
            }
        }
        try await withServer(server, settings { $0.idleTimeout = .milliseconds(1200) }) { transport in
            for _ in 0..<2 {
                _ = try await transport.send(server.request())
                try await Task.sleep(for: .milliseconds(1400))
            }
            var request = try server.request()
            request.deadline = .milliseconds(1300)
            _ = try await transport.send(request)
        }
    }

    /// Field report 44: the server stops reading in the middle of a part.
    @Test func aServerThatStopsReadingIsNoticed() async throws {
        let released = Event()
        let server = try ScriptedServer(receiveBuffer: 16 << 10) { connection in
            _ = try connection.readHead()
            _ = try connection.read(4096)
            // Not reading, and not closing: the window is full.
            connection.hold(until: released)
        }
        try await withServer(server) { transport in
            var request = try server.request(.put, body: .bytes(Array(repeating: 1, count: 32 << 20)))
            request.idleTimeout = .milliseconds(300)
            let failure = try await transportFailure { [request] in try await transport.send(request) }
            #expect(failure.kind == .idle)
            released.happen()
        }
    }

    /// Field report 45: a slow reader is none that has stopped, however long the whole takes.
    @Test func aServerThatReadsSlowlyIsLeftInPeace() async throws {
        let server = try ScriptedServer(receiveBuffer: 16 << 10) { connection in
            guard let head = try connection.readHead() else { return }
            var rest = head.contentLength
            while rest > 0 {
                let count = min(rest, 128 << 10)
                _ = try connection.read(count)
                rest -= count
                connection.pause(milliseconds: 60)
            }
            try connection.write(okAnswer)
        }
        try await withServer(server) { transport in
            var request = try server.request(.put, body: .bytes(Array(repeating: 1, count: 4 << 20)))
            request.idleTimeout = .milliseconds(1500)
            let response = try await transport.send(request)
            #expect(response.status == 200)
        }
    }

    /// Servers send blanks while they work on a long copy.
    @Test func everyByteFeedsTheTimer() async throws {
        let server = try ScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n")
            for _ in 0..<10 {
                connection.pause(milliseconds: 150)
                try connection.write(" ")
            }
            try connection.write("ok")
        }
        try await withServer(server) { transport in
            var request = try server.request(.post)
            request.idleTimeout = .milliseconds(1000)
            let response = try await transport.send(request)
            #expect(response.body == Array("          ok".utf8))
        }
    }

    @Test func aDeadlineEndsAControlCallThatIsNotSilent() async throws {
        let server = try ScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
            while true {
                connection.pause(milliseconds: 10)
                try connection.write(" ")
            }
        }
        try await withServer(server) { transport in
            var request = try server.request()
            request.deadline = .milliseconds(250)
            let time = try await elapsed {
                let failure = try await transportFailure { [request] in try await transport.send(request) }
                #expect(failure.kind == .deadline && failure.retry == .backoff)
            }
            #expect(time >= .milliseconds(250))
        }
    }

    /// 192.0.2.0/24 is reserved for documentation: nobody answers, or the network says so at once.
    @Test func connectingHasItsOwnLimit() async throws {
        let transport = try CurlTransport(settings { $0.connectTimeout = .milliseconds(300) })
        let request = try HTTPRequest(.get, at: HTTPEndpoint(parsing: "http://192.0.2.1:9"), operation: "Test")
        let failure = try await transportFailure { try await transport.send(request) }
        #expect([.connectTimeout, .connect].contains(failure.kind), "\(failure)")
        #expect(failure.retry == .backoff && !failure.mayHaveReachedServer)
        await transport.shutdown()
    }
}
