import Foundation
import ObjectStoreStub
import TestSupport
import Testing
import TransferPrimitives

/// Uploads in one process for minutes, while much goes wrong. `make soak MINUTES=5` says for how long; with `SEED` the same requests
/// meet the same faults, as far as they come in the same order.
@Suite(.serialized, .enabled(if: RunSettings.soakSeconds > 0, "make soak runs it"))
struct SoakTests {
    private static let uploads = 32
    private static let size = 2 << 20

    /// One line of the program.
    private struct Lap {
        let figures: [String: Int]
        subscript(name: String) -> Int { figures[name] ?? 0 }

        init(_ line: Substring) {
            let words = line.split(separator: " ")
            var figures: [String: Int] = [:]
            for index in stride(from: 0, to: words.count - 1, by: 2) {
                figures[String(words[index])] = Int(words[index + 1])
            }
            self.figures = figures
        }
    }

    /// Each meets one request in a hundred.
    private static let faults: [Fault] = [
        .status(500), .status(503), .status(503, code: "SlowDown"), .resetBeforeBody, .resetInBody(after: 1_000),
        .resetAfterBody,
        .closeAfterBody, .earlyAnswer(after: 1_000, status: 500), .loseAnswer, .closeInsteadOfAnswer,
        .resetAfterStatusLine,
        .truncatedAnswer(to: 0), .closeAfterAnswer, .corruptBody(), .stall, .stopReading(after: 1_000), .lateError(),
        .delayAnswer(.milliseconds(200)), .crc64(1),
    ]

    @Test(.timeLimit(.minutes(120))) func manyUploadsWithFaultsLeakNothing() async throws {
        let seed = RunSettings.seed
        print("soak: SECONDS=\(RunSettings.soakSeconds) SEED=\(seed)")
        let random = LockBox(SeededRandom(seed: seed))
        var configuration = StubConfiguration()
        configuration.buckets = ["dst-bucket"]
        configuration.logLimit = 1_000
        let server = try await ObjectStoreStub.start(configuration)
        defer { server.stop() }
        for fault in Self.faults {
            // An upload whose creation is not told of, or whose abort fails, is the server's to keep.
            let match = RequestMatch.on(.uploadPart, .listParts, .completeMultipartUpload, .headObject)
            server.faults.add(match.matching { _ in random.withLock { $0.chance(1) } }, fault)
        }
        let directory = try TemporaryDirectory()
        var bytes: [UInt8] = []
        while bytes.count < Self.size { bytes.append(random.withLock { UInt8.random(in: 0...255, using: &$0) }) }
        try directory.write(bytes, to: "film")

        let program = try Program(
            "MeteredProgram", ["soak", directory.path, "\(RunSettings.soakSeconds)", "\(Self.uploads)"],
            environment: ["ENDPOINT": server.endpoint, "ACCESS_KEY": server.accessKey, "SECRET_KEY": server.secretKey])
        var laps: [Lap] = []
        var last = ""
        while let line = await program.waitForLine({ _ in true }) {
            last = line
            guard line.hasPrefix("lap ") else { continue }
            print("soak: \(line)")
            laps.append(Lap(line[...]))
        }
        let outcome = await program.wait()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(last == "left 0")

        #expect(laps.allSatisfy { $0["files"] == 0 })
        let total = laps.map { $0["done"] }.reduce(0, +)
        #expect(total > 0 && laps.contains { $0["paused"] > 0 } && laps.contains { $0["aborted"] > 0 })
        // What the laps have in common after the first of them.
        let (early, late) = (laps.dropFirst().prefix(laps.count / 2), laps.suffix(laps.count / 2))
        func most(_ name: String, _ laps: ArraySlice<Lap>) -> Int { laps.map { $0[name] }.max() ?? 0 }
        // Those of the system's queues linger for a while; that all are gone in the end is told by the last line.
        #expect(most("threads", laps[...]) <= Self.uploads * 2)
        #expect(most("sockets", late) <= Self.uploads * 3 + 8)
        #expect(most("memory", late) <= most("memory", early) + 4 << 10)

        var sum = CRC64()
        sum.update(bytes)
        for lane in 0..<Self.uploads {
            #expect(server.storage.object("lane-\(lane)", in: "dst-bucket")?.crc64 == sum.value)
        }
        #expect(server.storage.uploads.isEmpty)
        #expect(directory.files == ["film"])
    }
}
