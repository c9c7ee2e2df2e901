import Testing
import TransferCurl
import TransferHTTP
import TransferPrimitives

/// Takes a few chunks, then wants a pause until the test lets it go on.
private final class PausingSink: ResponseSink {
    struct State {
        var status = 0
        var length: String?
        var received = 0
        var begun = 0
        var isPausing = true
        var flow: (any ResponseFlow)?
    }

    let state = LockBox(State())

    func begin(status: Int, headers: HTTPHeaders, flow: any ResponseFlow) {
        state.withLock { state in
            state.status = status
            state.length = headers["Content-Length"]
            state.received = 0
            state.begun += 1
            state.flow = flow
        }
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> ResponseDemand {
        state.withLock { state in
            state.received += bytes.count
            return state.isPausing ? .pause : .more
        }
    }

    var received: Int { state.withLock { $0.received } }

    func goOn(pausing: Bool) {
        let flow = state.withLock { state in
            state.isPausing = pausing
            return state.flow
        }
        flow?.resume()
    }
}

private struct FailingSink: ResponseSink {
    let atBegin: Bool
    func begin(status: Int, headers: HTTPHeaders, flow: any ResponseFlow) throws {
        if atBegin { throw ServerError("full") }
    }
    func receive(_ bytes: UnsafeRawBufferPointer) throws -> ResponseDemand { throw ServerError("full") }
}

@Suite struct SinkTests {
    private static let size = 8 << 20

    private func download(
        _ sink: any ResponseSink, status: Int = 200,
        _ body: (Task<HTTPResponse, any Error>, ScriptedServer) async throws -> Void
    ) async throws {
        let server = try ScriptedServer { connection in
            while try connection.readRequest() != nil {
                try connection.write("HTTP/1.1 \(status) X\r\nContent-Length: \(Self.size)\r\n\r\n")
                try connection.write(Array(repeating: 1, count: Self.size))
            }
        }
        try await withServer(server) { transport in
            var request = try server.request()
            request.sink = sink
            request.idleTimeout = .milliseconds(1000)
            let task = Task { [request] in try await transport.send(request) }
            try await body(task, server)
        }
    }

    @Test func aPausedAnswerStandsStillAndGoesOn() async throws {
        let sink = PausingSink()
        try await download(sink) { task, _ in
            try await eventually { sink.received > 0 }
            // Longer than the idle limit: a pause is no silence of the server.
            try await Task.sleep(for: .milliseconds(1500))
            // What libcurl had read already it hands over in several calls: one buffer of it, and no more.
            #expect(sink.received <= 256 << 10)
            for _ in 0..<5 {
                let before = sink.received
                sink.goOn(pausing: true)
                try await eventually { sink.received > before }
            }
            sink.goOn(pausing: false)
            let response = try await task.value
            #expect(response.status == 200 && response.body.isEmpty)
            #expect(sink.received == Self.size)
            sink.state.withLock { #expect($0.status == 200 && $0.length == "\(Self.size)" && $0.begun == 1) }
        }
    }

    @Test func resumingWhatHasEndedDoesNothing() async throws {
        let sink = PausingSink()
        sink.state.withLock { $0.isPausing = false }
        try await download(sink) { task, _ in
            _ = try await task.value
            for _ in 0..<10 { sink.goOn(pausing: false) }
        }
        sink.goOn(pausing: false)
    }

    @Test func aPausedAnswerCanBeCancelled() async throws {
        let sink = PausingSink()
        try await download(sink) { task, _ in
            try await eventually { sink.received > 0 }
            task.cancel()
            await #expect(throws: CancellationError.self) { _ = try await task.value }
        }
    }

    @Test func errorsDoNotReachTheSink() async throws {
        let sink = PausingSink()
        try await download(sink, status: 404) { task, _ in
            let response = try await task.value
            #expect(response.status == 404 && response.body.count == 64 << 10)
            sink.state.withLock { #expect($0.begun == 0 && $0.received == 0) }
        }
    }

    @Test(arguments: [true, false]) func aSinkThatFailsEndsTheRequestWithItsError(_ atBegin: Bool) async throws {
        try await download(FailingSink(atBegin: atBegin)) { task, _ in
            let failure = try await transportFailure { try await task.value }
            #expect(failure.kind == .sink && failure.retry == .never)
            #expect((failure.underlying as? ServerError)?.step == "full")
        }
    }
}
