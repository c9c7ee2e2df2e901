import Testing
import TransferCurl
import TransferHTTP
import TransferPrimitives

/// What goes over the wire, byte for byte: signatures depend on it.
@Suite struct RequestWireTests {
    private func recorded(
        _ make: (ScriptedServer) throws -> HTTPRequest
    ) async throws -> RecordedRequest {
        let server = try ScriptedServer(answering: okAnswer)
        return try await withServer(server) { transport in
            let response = try await transport.send(make(server))
            #expect(response.status == 200)
            return try #require(server.requests.first)
        }
    }

    @Test(arguments: [HTTPMethod.put, .post]) func statesALengthOfZero(_ method: HTTPMethod) async throws {
        let request = try await recorded { try $0.request(method) }
        #expect(request.method == method.rawValue)
        #expect(request.values("Content-Length") == ["0"])
        #expect(!request.names.contains("transfer-encoding"))
    }

    @Test(arguments: [HTTPMethod.get, .delete]) func statesNoLength(_ method: HTTPMethod) async throws {
        let request = try await recorded { try $0.request(method) }
        #expect(request.method == method.rawValue)
        #expect(!request.names.contains("content-length"))
    }

    @Test func headStatesNoLengthAndReadsNoBody() async throws {
        let server = try ScriptedServer(answering: "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\nETag: \"x\"\r\n\r\n")
        try await withServer(server) { transport in
            let response = try await transport.send(server.request(.head))
            #expect(response.status == 200 && response.body.isEmpty)
            #expect(response.headers["Content-Length"] == "5000")
            #expect(server.requests.first?.method == "HEAD")
            #expect(server.requests.first?.names.contains("content-length") == false)
        }
    }

    @Test(arguments: HTTPMethod.allCases) func addsNoHeaderThatWouldBreakASignature(_ method: HTTPMethod) async throws {
        let answer = method == .head ? "HTTP/1.1 200 OK\r\n\r\n" : okAnswer
        let server = try ScriptedServer(answering: answer)
        try await withServer(server) { transport in
            let body = method.takesBody ? HTTPBody.bytes(Array(repeating: 1, count: 2 << 20)) : .none
            _ = try await transport.send(server.request(method, headers: ["x-tos-date": "d"], body: body))
            let expected =
                method.takesBody
                ? ["host", "x-tos-date", "user-agent", "content-length"] : ["host", "x-tos-date", "user-agent"]
            #expect(Set(server.requests[0].names) == Set(expected))
            #expect(server.requests[0].names.count == expected.count)
        }
    }

    @Test func sendsHeadersAsTheyAre() async throws {
        let request = try await recorded {
            try $0.request(
                .put, headers: ["Content-Type": "text/plain", "x-tos-meta-empty": "", "x-tos-meta-b": "中文, \"q\"; v=1"])
        }
        #expect(request.head.contains("\r\nContent-Type: text/plain\r\n"))
        #expect(request.head.contains("\r\nx-tos-meta-empty:\r\n"))
        #expect(request.head.contains("\r\nx-tos-meta-b: 中文, \"q\"; v=1\r\n"))
    }

    @Test(arguments: ["/a/../b", "/./x", "//lead", "/a//b//", "/..", "/%2e%2e/x", "/~%20%2B"])
    func leavesThePathAlone(_ path: String) async throws {
        let request = try await recorded { try $0.request(path: path) }
        #expect(request.target == path)
    }

    @Test func encodesTheQueryOnce() async throws {
        let request = try await recorded { server in
            var request = try server.request(.post)
            request.query = [.init("uploads"), .init("uploadId", "a+/=b c"), .init("empty", "")]
            return request
        }
        #expect(request.target == "/k?uploads&uploadId=a%2B%2F%3Db%20c&empty=")
    }

    @Test func saysWhichHostAndWho() async throws {
        let server = try ScriptedServer(answering: okAnswer)
        try await withServer(server, settings { $0.userAgent = "mine/1.0" }) { transport in
            _ = try await transport.send(server.request())
            #expect(server.requests[0].values("Host") == ["127.0.0.1:\(server.port)"])
            #expect(server.requests[0].values("User-Agent") == ["mine/1.0"])
        }
    }

    @Test(arguments: [1, 1000, 65_535, 65_536, 65_537, 300_000, 1 << 20])
    func sendsBodiesOfAllSizes(_ size: Int) async throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        let request = try await recorded { try $0.request(.put, body: .bytes(bytes)) }
        #expect(request.contentLength == size)
        #expect(request.body == bytes)
    }

    /// Handles are kept from request to request: nothing of one may show in the next.
    @Test func nothingOfOneRequestShowsInTheNext() async throws {
        let server = try ScriptedServer(answering: okAnswer)
        try await withServer(server) { transport in
            for round in 0..<3 {
                let many = try server.request(
                    .put, path: "/first\(round)", headers: ["x-a": "1", "x-b": "2", "Content-Type": "t"],
                    body: .bytes([1, 2, 3]))
                _ = try await transport.send(many)
                _ = try await transport.send(server.request(.put, path: "/second\(round)", headers: ["x-c": "3"]))
                _ = try await transport.send(server.request(.delete, path: "/third\(round)"))
                _ = try await transport.send(server.request(.post, path: "/fourth\(round)"))
            }
            let recorded = server.requests
            #expect(
                recorded.map(\.method) == Array(repeating: ["PUT", "PUT", "DELETE", "POST"], count: 3).flatMap { $0 })
            #expect(recorded.map(\.contentLength) == Array(repeating: [3, 0, 0, 0], count: 3).flatMap { $0 })
            for request in recorded where request.target.hasPrefix("/second") {
                #expect(Set(request.names) == ["host", "x-c", "user-agent", "content-length"])
            }
            for request in recorded where request.target.hasPrefix("/third") {
                #expect(Set(request.names) == ["host", "user-agent"])
            }
        }
    }

    @Test func manyAndLongHeaders() async throws {
        let long = String(repeating: "x", count: 10_000)
        let server = try ScriptedServer(answering: okAnswer)
        try await withServer(server) { transport in
            var request = try server.request(.put)
            for number in 0..<60 { try request.headers.append("x-tos-meta-\(number)", "\(number)") }
            try request.headers.append("x-tos-meta-long", long)
            _ = try await transport.send(request)
            let recorded = server.requests[0]
            #expect((0..<60).allSatisfy { recorded.values("x-tos-meta-\($0)") == ["\($0)"] })
            #expect(recorded.values("x-tos-meta-long") == [long])
        }
    }

    @Test func aBodyOnAMethodThatHasNoneIsRefused() async throws {
        let server = try ScriptedServer(answering: okAnswer)
        try await withServer(server) { transport in
            let failure = try await transportFailure {
                try await transport.send(server.request(.get, body: .bytes([1])))
            }
            #expect(failure.kind == .invalidRequest && failure.retry == .never && !failure.mayHaveReachedServer)
            #expect(server.accepted == 0)
        }
    }
}
