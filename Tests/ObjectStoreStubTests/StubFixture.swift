import ObjectStoreStub
import TestSupport
import TransferPrimitives

/// A server with a clock that stands at the date of the test vectors, two buckets, and a signing client.
struct StubFixture {
    let server: ObjectStoreStub
    let clock = ManualClock()
    var signer = TestSigner()

    init(_ change: (inout StubConfiguration) -> Void = { _ in }) async throws {
        var configuration = StubConfiguration()
        configuration.clock = clock
        configuration.accounts = [StubAccount(accessKey: signer.accessKey, secretKey: signer.secretKey)]
        configuration.buckets = ["src-bucket", "dst-bucket"]
        change(&configuration)
        server = try await ObjectStoreStub.start(configuration)
    }

    var host: String { "127.0.0.1:\(server.port)" }

    func connect() throws -> RawClient { try RawClient(port: server.port) }

    /// Sends one request, path-style, on a connection of its own or on `client`.
    func send(
        _ method: String, _ path: String, query: [(String, String)] = [], headers: [(String, String)] = [],
        body: [UInt8] = [], on client: RawClient? = nil
    ) throws -> RawClient.Reply {
        let client = try client ?? connect()
        try client.send(
            signer.request(
                method, path, query: query, host: host, headers: headers, body: body))
        return try client.receive(isHead: method == "HEAD")
    }

    func createUpload(_ path: String) throws -> String {
        let reply = try send("POST", path, query: [("uploads", "")])
        return try reply.member("UploadId")
    }

    /// Sends a request that is signed in its query alone.
    func sendPresigned(
        _ method: String, _ target: String, host: String? = nil, headers: [(String, String)] = [], body: [UInt8] = []
    ) throws -> RawClient.Reply {
        var fields = headers + [("Host", host ?? self.host)]
        if method == "PUT" { fields.append(("Content-Length", String(body.count))) }
        let client = try connect()
        try client.send("\(method) \(target) HTTP/1.1\r\n" + fields.map { "\($0.0): \($0.1)\r\n" }.joined() + "\r\n")
        try client.send(body)
        return try client.receive(isHead: method == "HEAD")
    }
}

extension RawClient.Reply {
    struct MissingMember: Error {}

    /// The text of a member of a flat JSON document, with escaped quotes resolved.
    func member(_ name: String) throws -> String {
        guard let start = text.firstRange(of: "\"\(name)\":\"") else { throw MissingMember() }
        var value = ""
        var rest = text[start.upperBound...].makeIterator()
        while let character = rest.next(), character != "\"" {
            value.append(character == "\\" ? rest.next() ?? "\\" : character)
        }
        return value
    }
}
