import Foundation
import Testing
import TransferHTTP
import TransferPrimitives

@testable import TransferCurl

let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nx-id: 1\r\n\r\nok"

func request(
    _ method: HTTPMethod, _ server: ScriptedServer, path: String = "/k", body: HTTPBody = .none
) throws -> HTTPRequest {
    try HTTPRequest(method, at: HTTPEndpoint(parsing: server.url), path: path, body: body, operation: "Test")
}

@Suite struct CurlTransportTests {
    @Test func readsStatusHeadersAndBody() async throws {
        let server = try ScriptedServer(answering: ok)
        let transport = try CurlTransport()
        let response = try await transport.send(request(.get, server))
        #expect(response.status == 200)
        #expect(response.headers["X-ID"] == "1")
        #expect(response.body == Array("ok".utf8))
        await transport.shutdown()
        server.stop()
    }
}
