import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The program `object-store-stub`, run as a process of its own.
@Suite struct ProgramTests {
    private func run(_ arguments: [String]) throws -> ChildProcess {
        try ChildProcess("object-store-stub", arguments)
    }

    /// The `key=value` lines before `ready`.
    private func settings(of program: ChildProcess) -> [String: String] {
        var settings: [String: String] = [:]
        while let line = program.nextLine(), line != "ready" {
            let parts = line.split(separator: "=", maxSplits: 1).map { String($0) }
            if parts.count == 2 { settings[parts[0]] = parts[1] }
        }
        return settings
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func servesUntilASignal(signal: Int32) throws {
        let program = try run([
            "--bucket", "dst", "--object", "src/a=3k", "--pretend", "src/b/c=1t", "--access-key", "AK", "--secret-key",
            "SK", "--token", "T", "--region", "r1", "--oss-region", "r2", "--log",
        ])
        let settings = settings(of: program)
        #expect(settings["access-key"] == "AK")
        #expect(settings["secret-key"] == "SK")
        #expect(settings["security-token"] == "T")
        #expect(settings["region"] == "r1")
        #expect(settings["app-server"] == settings["endpoint"].map { $0 + "/app" })
        #expect(settings["oss-region"] == "r2")
        let endpoint = try #require(settings["endpoint"])
        let port = try #require(endpoint.split(separator: ":").last.flatMap { UInt16($0) })
        let client = try RawClient(port: port)
        try client.send("GET /_stub/objects/src/b/c HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try client.receive().text.hasPrefix("{\"length\":1099511627776,\"crc64\":\""))
        try client.send("GET /src/a HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try client.receive().status == 403)
        program.signal(signal)
        #expect(program.errorText() == "#1 c1 GetObject src/a → 403 AccessDenied\n")
        #expect(program.wait() == 0)
    }

    @Test func handsOutUploadKeys() throws {
        let program = try run(["--vod-bucket", "media", "--token-life", "900"])
        let port = try #require(settings(of: program)["endpoint"]?.split(separator: ":").last.flatMap { UInt16($0) })
        let client = try RawClient(port: port)
        let body = "{\"fileName\":\"a.mp4\"}"
        try client.send(
            "POST /app/create-video HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        let reply = try client.receive()
        #expect(try reply.blob("UploadAddress").member("Bucket") == "media")
        #expect(try reply.blob("UploadAuth").member("Expiration") == "900")
        program.signal(SIGTERM)
        #expect(program.wait() == 0)
    }

    @Test(arguments: [
        ["--nonsense"], ["--port"], ["--port", "70000"], ["--object", "b=1"], ["--object", "b/k=x"],
        ["--pretend", "b/k=99999999999t"], ["--latency", "-1"], ["--access-key", "a"], ["--token", "t"],
        ["--quirk", "x"], ["--token-life", "0"], ["--token-life", "x"], ["--vod-bucket"],
    ])
    func refusesWrongArguments(arguments: [String]) throws {
        let program = try run(arguments)
        #expect(program.errorText().hasPrefix("object-store-stub: "))
        #expect(program.restOfOutput().isEmpty)
        #expect(program.wait() == 2)
    }

    @Test func saysHowToUseIt() throws {
        let program = try run(["--help"])
        #expect(program.restOfOutput().hasPrefix("usage: object-store-stub"))
        #expect(program.wait() == 0)
    }

    @Test func aPortInUseIsAFailure() throws {
        let first = try run([])
        let port = try #require(settings(of: first)["endpoint"]?.split(separator: ":").last)
        let second = try run(["--port", String(port)])
        #expect(
            second.errorText().contains(
                "port \(port) of 127.0.0.1 is in use; choose another port (--port), or 0 for a free one"))
        #expect(second.wait() == 1)
    }
}
