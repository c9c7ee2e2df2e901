import Testing
import TransferHTTP
import TransferPrimitives

@testable import TransferCurl

@Suite(.serialized) struct LifecycleTests {
    @Test func shutdownCutsWhatRunsAndRefusesWhatComes() async throws {
        let server = try ScriptedServer { connection in
            while try connection.readRequest() != nil {}
        }
        let transport = try CurlTransport(plainSettings)
        let tasks = try (0..<10).map { number in
            let request = try server.request(path: "/\(number)")
            return Task { try await transport.send(request) }
        }
        try await eventually { server.requests.count == 10 }
        await transport.shutdown()
        for task in tasks {
            let failure = try await transportFailure { try await task.value }
            #expect(failure.kind == .shutdown && failure.retry == .never)
        }
        let late = try await transportFailure { try await transport.send(server.request()) }
        #expect(late.kind == .shutdown && !late.mayHaveReachedServer)
        await transport.shutdown()
        server.stop()
    }

    @Test func shutdownWhileRequestsStart() async throws {
        let server = try ScriptedServer(answering: okAnswer)
        for _ in 0..<30 {
            let transport = try CurlTransport(plainSettings)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        do { _ = try await transport.send(server.request(.put)) } catch {
                            #expect((error as? TransportFailure)?.kind == .shutdown, "\(error)")
                        }
                    }
                }
                group.addTask { await transport.shutdown() }
            }
        }
        server.stop()
    }

    /// Field report 30: the last reference goes away while a request runs.
    @Test func aRequestKeepsItsTransport() async throws {
        let server = try ScriptedServer(answering: okAnswer)
        for _ in 0..<100 {
            var transport: CurlTransport? = try CurlTransport(plainSettings)
            let request = try server.request(.put, body: .bytes(Array(repeating: 1, count: 100_000)))
            let task = Task { [transport] in try await transport?.send(request) }
            transport = nil
            #expect(try await task.value?.status == 200)
        }
        server.stop()
    }

    /// Field report 95: a loop that is gone has ended its thread and closed its descriptors.
    @Test func clientsThatAreDroppedLeaveNothingBehind() async throws {
        struct Weak { weak var loop: CurlLoop? }
        let server = try ScriptedServer(answering: okAnswer)
        var loops: [Weak] = []
        for number in 0..<500 {
            let transport = try CurlTransport(plainSettings)
            if number.isMultiple(of: 5) { continue }
            _ = try await transport.send(server.request())
            loops += transport.loops.map { Weak(loop: $0) }
            if number.isMultiple(of: 2) { await transport.shutdown() }
        }
        #expect(loops.count == 400)
        try await eventually { loops.allSatisfy { $0.loop == nil } && server.openConnections == 0 }
        server.stop()
    }

    @Test func anIdleClientDoesNotTurn() async throws {
        let server = try ScriptedServer(answering: okAnswer)
        try await withServer(server) { transport in
            _ = try await transport.send(server.request())
            let loop = try #require(transport.loops.first)
            let before = await loop.turns
            try await Task.sleep(for: .milliseconds(300))
            // Asking is work, too.
            #expect(await loop.turns - before <= 3)
        }
    }

    @Test func loopsAreStartedWhenThereIsWorkForThem() async throws {
        let server = try ScriptedServer { connection in
            while try connection.readRequest() != nil {}
        }
        try await withServer(server, settings { $0.eventLoops = 3 }) { transport in
            #expect(transport.loops.isEmpty)
            let tasks = try (0..<8).map { _ in
                let request = try server.request()
                return Task { try await transport.send(request) }
            }
            try await eventually { server.requests.count == 8 }
            #expect(transport.loops.count == 3)
            for task in tasks { task.cancel() }
        }
    }
}
