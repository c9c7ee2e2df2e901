import Testing
import TransferCurl
import TransferHTTP

/// What a server, or somebody on the way to it, may want of the transport.
@Suite("Security: the transport") struct SecurityOfTransportTests {
    /// The signature was made for one host, and the token belongs to nobody else.
    @Test(arguments: [301, 302, 303, 307, 308], [HTTPMethod.get, .put, .post, .head, .delete])
    func aRedirectIsAnAnswerAndNoWay(_ status: Int, _ method: HTTPMethod) async throws {
        let trap = try ScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.write(okAnswer)
        }
        defer { trap.stop() }
        let elsewhere = trap.url
        let server = try ScriptedServer { connection in
            guard try connection.readRequest() != nil else { return }
            try connection.write(
                "HTTP/1.1 \(status) X\r\nLocation: \(elsewhere)/k\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        }
        let response = try await withServer(server) { transport in
            try await transport.send(
                try server.request(method, headers: ["Authorization": "secret", "x-oss-security-token": "token"]))
        }
        #expect(response.status == status)
        #expect(server.accepted == 1)
        #expect(trap.accepted == 0)
    }

    /// Whatever the head of an answer asks for, the next request says what its caller said.
    @Test func anAnswerSetsNothingForTheNextRequest() async throws {
        let server = try ScriptedServer { connection in
            while try connection.readRequest() != nil {
                try connection.write(
                    "HTTP/1.1 401 X\r\nWWW-Authenticate: Basic realm=\"a\"\r\nSet-Cookie: a=b; Path=/\r\n"
                        + "Alt-Svc: h2=\"127.0.0.1:1\"\r\nContent-Length: 0\r\n\r\n")
            }
        }
        try await withServer(server) { transport in
            for _ in 1...2 {
                let response = try await transport.send(server.request())
                #expect(response.status == 401)
            }
        }
        let heads = server.requests.map(\.head)
        #expect(heads.count == 2 && heads.first == heads.last)
        #expect(heads.allSatisfy { !$0.lowercased().contains("cookie") && !$0.lowercased().contains("authorization") })
    }

    /// A head that never ends is cut as a body is.
    @Test(arguments: ["X-Long: ", ""]) func anEndlessHeadEnds(_ start: String) async throws {
        let server = try ScriptedServer { connection in
            guard try connection.readRequest() != nil else { return }
            try connection.write("HTTP/1.1 200 OK\r\n" + start)
            // Until the client has had enough.
            while true { try connection.write(start.isEmpty ? "X-Short: 1\r\n" : String(repeating: "x", count: 1_024)) }
        }
        let failure = try await withServer(server) { transport in
            try await transportFailure { try await transport.send(try server.request()) }
        }
        // One line alone meets a bound of libcurl's own; of them all, not every version has one.
        #expect(failure.kind == .malformed || !start.isEmpty, "\(failure)")
    }

    /// So is a refusal: its first bytes are enough, and it must not keep a part from being repeated.
    @Test(arguments: [200, 500]) func anEndlessBodyEnds(_ status: Int) async throws {
        let server = try ScriptedServer { connection in
            guard try connection.readRequest() != nil else { return }
            try connection.write("HTTP/1.1 \(status) X\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = "10000\r\n" + String(repeating: "<a>", count: 0x10000 / 3) + "x\r\n"
            while true { try connection.write(chunk) }
        }
        try await withServer(server) { transport in
            if status == 500 {
                let response = try await transport.send(try server.request())
                #expect(response.status == 500 && response.body.count == 64 << 10)
            } else {
                let failure = try await transportFailure { try await transport.send(try server.request()) }
                #expect(failure.kind == .tooLarge)
            }
        }
    }
}
