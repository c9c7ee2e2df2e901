import Foundation
import TestSupport
import Testing

/// The example, killed while it copies.
@Suite(.serialized) struct KillTests {
    @Test func twentyKillsAtRandomMomentsCostNoDurablePart() async throws {
        let stub = try await StubProcess(["--object", "src/film=64m", "--bucket", "dst", "--latency", "20"])
        let source = try stub.object("src/film")
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("kills-\(UUID().uuidString)/")
        defer { try? FileManager.default.removeItem(at: directory) }
        var durableBefore = 0
        for round in 1...20 {
            let arguments = [
                "--source-bucket", "src", "--source-key", "film", "--bucket", "dst", "--key", "film-\(round)",
                "--part-size", "5m", "--task-num", "3", "--checkpoint", directory.path + "/",
            ]
            let victim = try Program("ResumableCopy", arguments, environment: stub.environment)
            // A random moment: after so many parts, or none, and a little later.
            for _ in 0..<Int.random(in: 0...10) { _ = await victim.waitForLine { $0.hasPrefix("part ") } }
            try await Task.sleep(for: .microseconds(Int.random(in: 0...30_000)))
            victim.signal(SIGKILL)
            let death = await victim.wait()
            let durable = try CheckpointDirectory.durableParts(in: directory.path)
            durableBefore += durable.count

            let next = try await Program.run("ResumableCopy", arguments, environment: stub.environment)
            #expect(next.status == 0, "round \(round): \(next.errors)")
            #expect(try stub.object("dst/film-\(round)") == source)
            let stored = try #require(try stub.storedParts()["dst/film-\(round)"])
            for number in durable { #expect(stored[number] == 1, "round \(round), part \(number)") }
            // Either it was killed, or it was done before the signal came.
            #expect(death.wasKilled || death.status == 0)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
        }
        #expect(durableBefore > 0, "no kill came late enough to test anything")
    }
}
