import ObjectStoreStub
import TestSupport
import Testing

@Suite struct WireTests {
    private static let malformed: [(String, Int)] = [
        ("GET\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        ("GET nothing HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
        ("G(T / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nbad name: x\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\n folded: x\r\n\r\n", 400),
        ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400),
        ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", 400),
        ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
        ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        ("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
        ("GET / HTTP/1.1\r\nHost: a\r\nx: \u{1}\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nx: " + String(repeating: "y", count: 70_000) + "\r\n\r\n", 431),
        ("PUT /dst-bucket/a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", 400),
        ("PUT /dst-bucket/a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", 400),
        ("GET /dst-bucket/%zz HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET /dst-bucket/%ff HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET /dst-bucket/a?x=%1 HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ]

    @Test(arguments: malformed.indices)
    func answersWhatIsNotHTTP(index: Int) async throws {
        let (text, status) = Self.malformed[index]
        let stub = try await StubFixture()
        let client = try stub.connect()
        try client.send(text)
        client.shutDownSending()
        #expect(try client.receive().status == status)
        #expect(try stub.send("HEAD", "/src-bucket/x").status == 404)
    }

    @Test(arguments: UInt64(1)...8)
    func survivesGarbage(seed: UInt64) async throws {
        let stub = try await StubFixture()
        var random = SplitMix(state: seed)
        let valid = stub.signer.request(
            "PUT", "/dst-bucket/a", query: [("partNumber", "1"), ("uploadId", "x")],
            host: "127.0.0.1:\(stub.server.port)",
            headers: [("x-tos-copy-source", "/src-bucket/a?versionId=1"), ("x-tos-copy-source-range", "bytes=0-9")])
        for round in 0..<60 {
            var bytes = valid
            if round % 3 == 0 {
                bytes = (0..<random.below(2_000)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            } else {
                for _ in 0...random.below(8) {
                    bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next())
                }
            }
            let client = try stub.connect()
            // The server may have refused and left before all of it is written.
            do { try client.send(bytes) } catch RawClient.Failure.reset {}
            client.shutDownSending()
            do { _ = try client.receiveToEnd() } catch RawClient.Failure.reset {}
        }
        #expect(try stub.send("HEAD", "/src-bucket/x").status == 404)
    }

    @Test func keepsAConnectionAndTakesPipelinedRequests() async throws {
        let stub = try await StubFixture()
        let client = try stub.connect()
        let host = "127.0.0.1:\(stub.server.port)"
        let put = stub.signer.request("PUT", "/dst-bucket/a", host: host, body: Array("one".utf8))
        let get = stub.signer.request("GET", "/dst-bucket/a", host: host)
        try client.send(put + Array("\r\n".utf8) + get + get)
        #expect(try client.receive().status == 200)
        #expect(try client.receive().text == "one")
        #expect(try client.receive().text == "one")
        #expect(stub.server.wireLog.connectionCount == 1)
        #expect(Set(stub.server.wireLog.entries.map(\.connection)) == [1])
    }

    @Test func takesAHeadInPieces() async throws {
        let stub = try await StubFixture()
        let client = try stub.connect()
        for byte in stub.signer.request("GET", "/src-bucket/x", host: "127.0.0.1:\(stub.server.port)") {
            try client.send([byte])
        }
        #expect(try client.receive().status == 404)
    }

    @Test func takesAChunkedBody() async throws {
        let stub = try await StubFixture()
        let client = try stub.connect()
        var request = String(
            decoding: stub.signer.request("PUT", "/dst-bucket/a", host: "127.0.0.1:\(stub.server.port)"), as: UTF8.self)
        request = request.replacing("Content-Length: 0", with: "Transfer-Encoding: chunked")
        try client.send(request + "5;name=value\r\nhello\r\n1\r\n!\r\n0\r\ntrailer: x\r\n\r\n")
        #expect(try client.receive().status == 200)
        #expect(stub.server.storage.object("a", in: "dst-bucket")?.content.read() == Array("hello!".utf8))
        #expect(try stub.send("HEAD", "/dst-bucket/a", on: client).status == 200)
    }

    @Test func continuesWhenAsked() async throws {
        let stub = try await StubFixture()
        let client = try stub.connect()
        let host = "127.0.0.1:\(stub.server.port)"
        let request = stub.signer.request(
            "PUT", "/dst-bucket/a", host: host, headers: [("Expect", "100-continue")], body: [], contentLength: 5)
        try client.send(request)
        #expect(try client.receiveHead().status == 100)
        try client.send("hello")
        #expect(try client.receive().status == 200)
    }

    @Test func refusesBeforeTheBodyWhenAskedFirst() async throws {
        var stub = try await StubFixture()
        stub.signer.secretKey = "wrong"
        let client = try stub.connect()
        let request = stub.signer.request(
            "PUT", "/dst-bucket/a", host: "127.0.0.1:\(stub.server.port)", headers: [("Expect", "100-continue")],
            contentLength: 5)
        try client.send(request)
        let reply = try client.receive()
        #expect(reply.status == 403)
        #expect(reply.headers["connection"] == "close")
    }

    @Test func closesWhenAskedTo() async throws {
        let stub = try await StubFixture()
        let client = try stub.connect()
        let reply = try stub.send("HEAD", "/src-bucket/x", headers: [("Connection", "close")], on: client)
        #expect(reply.headers["connection"] == "close")
        #expect(throws: RawClient.Failure.closed) { try client.receive() }
    }

    @Test func theLogHoldsTheHeadAsItCame() async throws {
        let stub = try await StubFixture()
        let host = "127.0.0.1:\(stub.server.port)"
        let request = stub.signer.request("HEAD", "/src-bucket/x", query: [("versionId", "v%2B1")], host: host)
        let client = try stub.connect()
        try client.send(request)
        _ = try client.receive(isHead: true)
        let entry = try #require(stub.server.wireLog.entries.first)
        #expect(entry.head == request)
        #expect(entry.request.versionID == "v+1")
        #expect(entry.header("HOST") == host)
        #expect(entry.time == stub.clock.now)
        #expect(!entry.description.contains("Signature"))
        #expect(entry.requestID?.count == 24)
    }

    @Test func servesManyConnectionsAtOnce() async throws {
        let stub = try await StubFixture()
        let handle = stub.server.faults.add(.on(.headObject), .hold)
        let request = stub.signer.request("HEAD", "/src-bucket/x", host: "127.0.0.1:\(stub.server.port)")
        let clients = try (0..<300).map { _ in try stub.connect() }
        for client in clients { try client.send(request) }
        try await handle.waitUntilHeld(300)
        #expect(try stub.send("GET", "/src-bucket/x").status == 404)
        handle.release()
        for client in clients { #expect(try client.receive(isHead: true).status == 404) }
        #expect(Set(stub.server.wireLog.entries(of: .headObject).map(\.connection)).count == 300)
        #expect(stub.server.wireLog.mostAtOnce(of: .headObject) == 300)
        #expect(stub.server.wireLog.mostAtOnce(of: .getObject) == 1)
    }

    @Test func stopsWithRequestsInEveryState() async throws {
        let stub = try await StubFixture()
        stub.server.faults.add(.on(.headObject), .hold)
        stub.server.faults.add(.on(.getObject), .stall)
        stub.server.faults.add(.on(.putObject), .stopReading(after: 3))
        let host = "127.0.0.1:\(stub.server.port)"
        let clients = try (0..<6).map { _ in try stub.connect() }
        try clients[0].send(stub.signer.request("HEAD", "/src-bucket/x", host: host))
        try clients[1].send(stub.signer.request("GET", "/src-bucket/x", host: host))
        try clients[2].send(stub.signer.request("PUT", "/src-bucket/x", host: host, body: [1, 2, 3, 4]))
        try clients[3].send("GET / HT")
        try clients[4].send(stub.signer.request("PUT", "/src-bucket/y", host: host, body: [1], contentLength: 9))
        try await stub.server.wireLog.waitFor(count: 4) { _ in true }
        stub.server.stop()
        stub.server.stop()
        for client in clients {
            do { _ = try client.receiveToEnd() } catch RawClient.Failure.reset {}
        }
        #expect(throws: RawClient.Failure.self) { try stub.connect() }
    }

    @Test func tellsWhenConnectionsHaveEnded() async throws {
        let stub = try await StubFixture()
        var clients = try (0..<3).map { _ in try stub.connect() }
        for client in clients { #expect(try stub.send("HEAD", "/src-bucket/x", on: client).status == 404) }
        #expect(stub.server.wireLog.openConnectionCount == 3)
        clients = []
        try await stub.server.wireLog.waitUntilConnectionsEnd()
        #expect(stub.server.wireLog.openConnectionCount == 0)
    }

    @Test func anOutageEnds() async throws {
        let stub = try await StubFixture()
        let client = try stub.connect()
        #expect(try stub.send("HEAD", "/src-bucket/x", on: client).status == 404)
        stub.server.goOffline()
        #expect(throws: RawClient.Failure.closed) { try client.receive() }
        #expect(throws: RawClient.Failure.self) { try stub.connect() }
        try stub.server.goOnline()
        #expect(try stub.send("HEAD", "/src-bucket/x").status == 404)
    }

    private static let hasIPv6: Bool = {
        var configuration = StubConfiguration()
        configuration.host = "::1"
        do { return try ObjectStoreStub.startNow(configuration).port > 0 } catch { return false }
    }()

    @Test(.enabled(if: hasIPv6, "this machine has no IPv6 loopback")) func listensOnIPv6() async throws {
        var configuration = StubConfiguration()
        configuration.host = "::1"
        let server = try await ObjectStoreStub.start(configuration)
        #expect(server.endpoint == "http://[::1]:\(server.port)")
        let client = try RawClient(port: server.port, isIPv6: true)
        try client.send("HEAD /bucket/key HTTP/1.1\r\nHost: [::1]:\(server.port)\r\n\r\n")
        #expect(try client.receive(isHead: true).status == 403)
        let entry = try #require(server.wireLog.entries.first)
        #expect(entry.request.bucket == "bucket")
    }

    @Test func aPortInUseIsAnError() async throws {
        let stub = try await StubFixture()
        await #expect(throws: (any Error).self) {
            var configuration = StubConfiguration()
            configuration.port = stub.server.port
            _ = try await ObjectStoreStub.start(configuration)
        }
    }
}

private struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
}
