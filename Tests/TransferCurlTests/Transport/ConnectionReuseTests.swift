import Testing
import TransferCurl
import TransferHTTP
import TransferPrimitives

@Suite struct ConnectionReuseTests {
    @Test func requestsInARowShareAConnection() async throws {
        let server = try ScriptedServer(answering: okAnswer)
        try await withServer(server) { transport in
            var reused: [Bool] = []
            for method in [HTTPMethod.put, .get, .delete, .post, .put, .get] {
                reused.append(try await transport.send(server.request(method)).reusedConnection)
            }
            #expect(reused == [false, true, true, true, true, true])
            #expect(server.accepted == 1)
        }
    }

    /// Field report 96.
    @Test func parallelRequestsNeedNoMoreConnectionsThanTheyAre() async throws {
        let server = try ScriptedServer(answering: okAnswer)
        try await withServer(server) { transport in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        for _ in 0..<50 { _ = try await transport.send(server.request(.put, body: .bytes([1]))) }
                    }
                }
                try await group.waitForAll()
            }
            #expect(server.requests.count == 200)
            #expect(server.accepted <= 6)
        }
    }

    @Test func aFreshConnectionCanBeDemanded() async throws {
        let server = try ScriptedServer(answering: okAnswer)
        try await withServer(server) { transport in
            _ = try await transport.send(server.request())
            var fresh = try server.request()
            fresh.needsFreshConnection = true
            #expect(try await transport.send(fresh).reusedConnection == false)
            #expect(try await transport.send(server.request()).reusedConnection)
            #expect(server.accepted == 2)
        }
    }

    /// The server keeps the connection open, and breaks it as soon as it is used again.
    @Test(arguments: [true, false]) func aConnectionThatTheServerHasGivenUpIsLeft(_ hasBody: Bool) async throws {
        let server = try ScriptedServer { connection in
            guard try connection.readRequest() != nil else { return }
            try connection.write(okAnswer)
            if connection.number == 0 {
                _ = try connection.readHead()
                return connection.reset()
            }
            while try connection.readRequest() != nil { try connection.write(okAnswer) }
        }
        try await withServer(server) { transport in
            let body = hasBody ? HTTPBody.bytes(Array(repeating: 9, count: 300_000), computesCRC64: true) : .none
            _ = try await transport.send(server.request(.put))
            var again = try server.request(.put, body: body)
            let response: HTTPResponse
            do { response = try await transport.send(again) } catch let failure as TransportFailure {
                // libcurl repeats by itself what breaks while it reads, but not what breaks while it writes.
                #expect(failure.isStaleConnection && failure.retry == .backoff)
                again.needsFreshConnection = true
                response = try await transport.send(again)
            }
            #expect(response.status == 200 && !response.reusedConnection)
            #expect(server.requests.last?.body.count == Int(body.length))
            if hasBody {
                var crc = CRC64()
                crc.update(Array(repeating: 9, count: 300_000))
                #expect(response.sentCRC64 == crc.value)
            }
        }
    }

    @Test func aBodyThatCannotBeReplayedFailsAsStale() async throws {
        let server = try ScriptedServer { connection in
            guard try connection.readRequest() != nil else { return }
            try connection.write(okAnswer)
            _ = try connection.readHead()
            // libcurl repeats by itself what it has not begun to read.
            _ = try connection.read(100_000)
            connection.reset()
        }
        try await withServer(server) { transport in
            _ = try await transport.send(server.request(.put))
            let source = MemorySource(Array(repeating: 1, count: 5 << 20))
            let failure = try await transportFailure {
                try await transport.send(server.request(.put, body: .source(source, isReplayable: false)))
            }
            #expect(failure.mayHaveReachedServer)
            #expect(failure.retry == .backoff)
        }
    }

    @Test func idleConnectionsAreNotUsedBeyondTheirTime() async throws {
        let server = try ScriptedServer(answering: okAnswer)
        try await withServer(server, settings { $0.idleConnectionLifetime = .seconds(1) }) { transport in
            _ = try await transport.send(server.request())
            try await Task.sleep(for: .milliseconds(2100))
            #expect(try await transport.send(server.request()).reusedConnection == false)
        }
    }
}
