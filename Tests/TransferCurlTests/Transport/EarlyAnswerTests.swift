import Testing
import TransferCurl
import TransferHTTP
import TransferPrimitives

/// Field report 48: the server refuses in the middle of the body and closes while the client still writes.
@Suite struct EarlyAnswerTests {
    private static let refusal =
        "HTTP/1.1 403 Forbidden\r\nx-tos-request-id: r1\r\nContent-Length: 12\r\nConnection: close\r\n\r\nAccessDenied"

    private func refused(_ end: @escaping @Sendable (ServerConnection) throws -> Void, size: Int = 5 << 20) async throws
    {
        let server = try ScriptedServer { connection in
            _ = try connection.readHead()
            _ = try connection.read(16 << 10)
            try connection.write(Self.refusal)
            try end(connection)
        }
        try await withServer(server) { transport in
            for _ in 0..<20 {
                let body = HTTPBody.source(MemorySource(Array(repeating: 3, count: size)), computesCRC64: true)
                let response = try await transport.send(server.request(.put, body: body))
                #expect(response.status == 403)
                #expect(response.headers["x-tos-request-id"] == "r1")
                #expect(response.body == Array("AccessDenied".utf8))
                #expect(response.sentCRC64 == nil)
            }
        }
    }

    @Test func theServerDrainsBeforeItCloses() async throws {
        try await refused { connection in
            connection.halfClose()
            try connection.drain()
        }
    }

    @Test func theServerClosesAtOnce() async throws { try await refused { _ in } }

    @Test func anEarlySuccessStopsNothing() async throws {
        let server = try ScriptedServer { connection in
            guard let head = try connection.readHead() else { return }
            try connection.write(okAnswer)
            _ = try connection.read(head.contentLength)
        }
        try await withServer(server) { transport in
            let body = HTTPBody.bytes(Array(repeating: 3, count: 5 << 20))
            let response = try await transport.send(server.request(.put, body: body))
            #expect(response.status == 200)
        }
    }
}
