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

    func connect() throws -> RawClient { try RawClient(port: server.port) }

    /// Sends one request, path-style, on a connection of its own or on `client`.
    func send(
        _ method: String, _ path: String, query: [(String, String)] = [], headers: [(String, String)] = [],
        body: [UInt8] = [], on client: RawClient? = nil
    ) throws -> RawClient.Reply {
        let client = try client ?? connect()
        try client.send(
            signer.request(
                method, path, query: query, host: "127.0.0.1:\(server.port)", headers: headers, body: body))
        return try client.receive(isHead: method == "HEAD")
    }

    func createUpload(_ path: String) throws -> String {
        let reply = try send("POST", path, query: [("uploads", "")])
        return try reply.member("UploadId")
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
