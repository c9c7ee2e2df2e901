import Foundation
import Testing

/// The program `object-store-stub`, run as a process of its own.
@Suite struct ProgramTests {
    private final class Run {
        let process = Process()
        private let output = Pipe()
        private let errors = Pipe()
        private var unread: [UInt8] = []

        init(_ arguments: [String]) throws {
            let tests = URL(fileURLWithPath: CommandLine.arguments[0])
            process.executableURL = tests.deletingLastPathComponent().appendingPathComponent("object-store-stub")
            process.arguments = arguments
            process.standardOutput = output
            process.standardError = errors
            try process.run()
        }

        deinit { if process.isRunning { process.terminate() } }

        /// The `key=value` lines before `ready`.
        func settings() throws -> [String: String] {
            var settings: [String: String] = [:]
            while let line = nextLine(), line != "ready" {
                let parts = line.split(separator: "=", maxSplits: 1).map { String($0) }
                if parts.count == 2 { settings[parts[0]] = parts[1] }
            }
            return settings
        }

        func errorText() -> String {
            String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }

        func outputText() -> String {
            String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }

        func end(with signal: Int32) -> Int32 {
            kill(process.processIdentifier, signal)
            process.waitUntilExit()
            return process.terminationStatus
        }

        private func nextLine() -> String? {
            while true {
                if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = String(decoding: unread[..<end], as: UTF8.self)
                    unread.removeSubrange(...end)
                    return line
                }
                let more = output.fileHandleForReading.availableData
                if more.isEmpty { return nil }
                unread += more
            }
        }
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func servesUntilASignal(signal: Int32) throws {
        let run = try Run([
            "--bucket", "dst", "--object", "src/a=3k", "--pretend", "src/b/c=1t", "--access-key", "AK", "--secret-key",
            "SK", "--token", "T", "--region", "r1", "--log",
        ])
        let settings = try run.settings()
        #expect(settings["access-key"] == "AK")
        #expect(settings["secret-key"] == "SK")
        #expect(settings["security-token"] == "T")
        #expect(settings["region"] == "r1")
        let endpoint = try #require(settings["endpoint"])
        let port = try #require(endpoint.split(separator: ":").last.flatMap { UInt16($0) })
        let client = try RawClient(port: port)
        try client.send("GET /_stub/objects/src/b/c HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try client.receive().text.hasPrefix("{\"length\":1099511627776,\"crc64\":\""))
        try client.send("GET /src/a HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try client.receive().status == 403)
        #expect(run.end(with: signal) == 0)
        #expect(run.errorText() == "#1 c1 GetObject src/a → 403 AccessDenied\n")
    }

    @Test(arguments: [
        ["--nonsense"], ["--port"], ["--port", "70000"], ["--object", "b=1"], ["--object", "b/k=x"],
        ["--pretend", "b/k=99999999999t"], ["--latency", "-1"], ["--access-key", "a"], ["--token", "t"],
        ["--quirk", "x"],
    ])
    func refusesWrongArguments(arguments: [String]) throws {
        let run = try Run(arguments)
        run.process.waitUntilExit()
        #expect(run.process.terminationStatus == 2)
        #expect(run.errorText().hasPrefix("object-store-stub: "))
        #expect(run.outputText().isEmpty)
    }

    @Test func saysHowToUseIt() throws {
        let run = try Run(["--help"])
        run.process.waitUntilExit()
        #expect(run.process.terminationStatus == 0)
        #expect(run.outputText().hasPrefix("usage: object-store-stub"))
    }

    @Test func aPortInUseIsAFailure() throws {
        let first = try Run([])
        let port = try #require(try first.settings()["endpoint"]?.split(separator: ":").last)
        let second = try Run(["--port", String(port)])
        second.process.waitUntilExit()
        #expect(second.process.terminationStatus == 1)
        #expect(second.errorText().contains("bind"))
    }
}
