import Testing
import TransferCurl
import TransferHTTP
import TransferPrimitives

@Suite struct AnswerTests {
    private func answered(
        _ answer: String, _ method: HTTPMethod = .get, change: @Sendable (inout HTTPRequest) -> Void = { _ in }
    )
        async throws
        -> HTTPResponse
    {
        let server = try ScriptedServer { connection in
            guard try connection.readRequest() != nil else { return }
            try connection.write(answer)
        }
        return try await withServer(server) { transport in
            var request = try server.request(method)
            change(&request)
            return try await transport.send(request)
        }
    }

    @Test func readsStatusHeadersAndBody() async throws {
        let response = try await answered(
            "HTTP/1.1 207 Whatever it is\r\nX-Id: 1\r\nX-ID:2 \r\nContent-Length: 5\r\n\r\nhello")
        #expect(response.status == 207)
        #expect(response.headers.values("x-id") == ["1", "2"])
        #expect(response.body == Array("hello".utf8))
        #expect(!response.reusedConnection && response.sentCRC64 == nil)
    }

    @Test(arguments: [204, 301, 304, 400, 403, 404, 412, 429, 500, 503]) func everyStatusIsAnAnswer(_ status: Int)
        async throws
    {
        let response = try await answered(
            "HTTP/1.1 \(status) X\r\nContent-Length: 0\r\nLocation: http://127.0.0.1:1/\r\n\r\n")
        #expect(response.status == status)
    }

    @Test func forgetsInterimAnswers() async throws {
        let response = try await answered(
            "HTTP/1.1 102 Processing\r\nX-Early: 1\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nX-Late: 2\r\nContent-Length: 1\r\n\r\nx")
        #expect(response.status == 200)
        #expect(response.headers["X-Early"] == nil && response.headers["Link"] == nil)
        #expect(response.headers["X-Late"] == "2")
    }

    @Test func readsChunksAndIgnoresTrailers() async throws {
        let response = try await answered(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-A: 1\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\nX-Trailer: t\r\n\r\n"
        )
        #expect(response.body == Array("abcde".utf8))
        #expect(response.headers["X-Trailer"] == nil)
    }

    @Test func readsUntilTheConnectionEnds() async throws {
        let response = try await answered("HTTP/1.1 200 OK\r\n\r\nall of it")
        #expect(response.body == Array("all of it".utf8))
    }

    @Test func collectsUpToTheBound() async throws {
        let body = String(repeating: "x", count: 1000)
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n\(body)"
        #expect(try await answered(answer) { $0.bodyLimit = 1000 }.body.count == 1000)
        let failure = try await transportFailure { try await answered(answer) { $0.bodyLimit = 999 } }
        #expect(failure.kind == .tooLarge && failure.retry == .never)
    }

    @Test func keepsTheBeginningOfALongError() async throws {
        let body = String(repeating: "e", count: 200_000)
        let response = try await answered("HTTP/1.1 500 X\r\nContent-Length: 200000\r\n\r\n\(body)")
        #expect(response.status == 500)
        #expect(response.body.count == 64 << 10)
        let small = try await answered("HTTP/1.1 404 X\r\nContent-Length: 200000\r\n\r\n\(body)") {
            $0.errorBodyLimit = 10
        }
        #expect(small.status == 404 && small.body.count == 10)
    }

    @Test func aBodyWithoutEndIsCutToo() async throws {
        let server = try ScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.write("HTTP/1.1 503 X\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = "10000\r\n" + String(repeating: "y", count: 0x10000) + "\r\n"
            while true { try connection.write(chunk) }
        }
        try await withServer(server) { transport in
            let response = try await transport.send(server.request())
            #expect(response.status == 503 && response.body.count == 64 << 10)
        }
    }

    @Test(arguments: [
        "", "garbage\r\n\r\n", "HTTP/1.1\r\n\r\n", "SSH-2.0-x\r\n", "HTTP/1.1 abc X\r\nContent-Length: 0\r\n\r\n",
    ])
    func whatIsNoAnswerIsAFailure(_ answer: String) async throws {
        let failure = try await transportFailure { try await answered(answer) }
        #expect([.emptyReply, .malformed, .receive].contains(failure.kind), "\(failure)")
    }

    @Test func anEndlessHeadIsAFailure() async throws {
        let server = try ScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.write("HTTP/1.1 200 OK\r\n")
            let line = "X-Pad: " + String(repeating: "p", count: 8000) + "\r\n"
            while true { try connection.write(line) }
        }
        try await withServer(server) { transport in
            let failure = try await transportFailure { try await transport.send(server.request()) }
            #expect(!failure.message.isEmpty)
        }
    }
}
