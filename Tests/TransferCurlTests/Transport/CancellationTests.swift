import Testing
import TransferCurl
import TransferHTTP
import TransferPrimitives

@Suite struct CancellationTests {
    @Test func cutsSilentRequestsAtOnce() async throws {
        let server = try ScriptedServer { connection in
            while try connection.readRequest() != nil {}
        }
        try await withServer(server) { transport in
            let tasks = try (0..<16).map { number in
                let request = try server.request(.put, path: "/\(number)")
                return Task { try await transport.send(request) }
            }
            try await eventually { server.requests.count == 16 }
            for task in tasks { task.cancel() }
            for task in tasks {
                await #expect(throws: CancellationError.self) { _ = try await task.value }
            }
            // The connections are cut, not left to the server.
            try await eventually { server.openConnections == 0 }
        }
    }

    @Test func cutsInTheMiddleOfABody() async throws {
        let released = Event()
        let began = Event()
        let server = try ScriptedServer(receiveBuffer: 16 << 10) { connection in
            _ = try connection.readHead()
            began.happen()
            connection.hold(until: released)
        }
        try await withServer(server) { transport in
            let request = try server.request(.put, body: .bytes(Array(repeating: 1, count: 64 << 20)))
            let task = Task { try await transport.send(request) }
            await began.wait()
            task.cancel()
            await #expect(throws: CancellationError.self) { _ = try await task.value }
            released.happen()
            try await eventually { server.openConnections == 0 }
        }
    }

    @Test func aCancelledTaskSendsNothing() async throws {
        let server = try ScriptedServer(answering: okAnswer)
        try await withServer(server) { transport in
            let request = try server.request()
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await transport.send(request)
            }
            await #expect(throws: CancellationError.self) { _ = try await task.value }
            #expect(server.accepted == 0)
        }
    }

    @Test func othersGoOn() async throws {
        let server = try ScriptedServer { connection in
            while let request = try connection.readRequest() {
                if request.target == "/silent" { continue }
                try connection.write(okAnswer)
            }
        }
        try await withServer(server) { transport in
            let silent = try server.request(path: "/silent")
            for _ in 0..<20 {
                let task = Task { try await transport.send(silent) }
                let response = try await transport.send(server.request())
                #expect(response.status == 200)
                task.cancel()
                await #expect(throws: CancellationError.self) { _ = try await task.value }
            }
        }
    }

    /// Every moment of an exchange is hit by some of these.
    @Test func atAnyMoment() async throws {
        let server = try ScriptedServer(answering: okAnswer)
        try await withServer(server) { transport in
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<400 {
                    group.addTask {
                        guard let request = try? server.request(.put, body: .bytes([1])) else { return }
                        let task = Task { try await transport.send(request) }
                        for _ in 0..<(number % 20) { await Task.yield() }
                        task.cancel()
                        switch await task.result {
                        case .success(let response): #expect(response.status == 200)
                        case .failure(let error): #expect(error is CancellationError)
                        }
                    }
                }
            }
            let response = try await transport.send(server.request())
            #expect(response.status == 200)
        }
    }
}
