import Foundation
import TestSupport
import Testing

/// Programs that are stopped, as by a debugger or a suspended machine, for longer than any of their timeouts, and go on.
@Suite(.serialized) struct StoppedProcessTests {
    private static let size = 4 * (5 << 20) + 17
    private static let idleTimeout = Duration.milliseconds(300)
    /// Three timeouts.
    private static let pause = idleTimeout * 3
    private static let settings = ["IDLE_TIMEOUT": "300"]

    /// The server answers so late that a transfer is in its middle when its first events are told, also on a busy machine.
    private func scene(_ kind: KilledTransfer.Kind) async throws -> (stub: StubProcess, directory: TemporaryDirectory) {
        // Of 100 KiB there are two hundred parts, of 5 MiB five.
        let latency = kind == .uploadToOSS ? 20 : 100
        let stub = try await StubProcess([
            "--object", "\(KilledTransfer.source)=\(Self.size)", "--bucket", "dst", "--latency", "\(latency)",
        ])
        let directory = try TemporaryDirectory()
        var random = SeededRandom(seed: 1)
        try directory.write(KilledTransfer.bytes(Self.size, &random), to: "original")
        return (stub, directory)
    }

    @Test(.timeLimit(.minutes(5)), arguments: [KilledTransfer.Kind.upload, .uploadToOSS, .download])
    func aProgramThatWasStoppedGoesOn(_ kind: KilledTransfer.Kind) async throws {
        let (stub, directory) = try await scene(kind)
        let transfer = try KilledTransfer(kind, key: "film", stub: stub, original: directory.path("original"))
        // It stops itself in the middle, with parts in flight.
        let program = try transfer.start(Self.settings, events: 3)
        await program.waitUntilStopped()
        try await Task.sleep(for: Self.pause)
        program.signal(SIGCONT)
        let outcome = await program.wait()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.lines.last == "done crc64")
        #expect(try transfer.result() == transfer.expected())
        #expect(transfer.leftFiles().isEmpty)
    }

    @Test(.timeLimit(.minutes(5)), arguments: [KilledTransfer.Kind.upload, .uploadToOSS, .download])
    func aServerThatWasStoppedCostsNoDurablePart(_ kind: KilledTransfer.Kind) async throws {
        let (stub, directory) = try await scene(kind)
        let transfer = try KilledTransfer(kind, key: "film", stub: stub, original: directory.path("original"))
        // It stops itself in the middle, so that it cannot have ended before the server stands still.
        let program = try transfer.start(Self.settings, events: 3)
        await program.waitUntilStopped()
        stub.signal(SIGSTOP)
        program.signal(SIGCONT)
        try await Task.sleep(for: Self.pause)
        let durable = try transfer.durableParts()
        stub.signal(SIGCONT)
        let before = try transfer.partCounts(since: 0)
        let outcome = await program.wait()
        if outcome.status != 0 {
            // Its repeats were used up before the server went on.
            #expect(outcome.errors.hasPrefix("timedOut "), "\(outcome.errors)")
            let next = try await transfer.start(Self.settings).wait()
            #expect(next.status == 0, "\(next.errors)")
        }
        #expect(try transfer.result() == transfer.expected())
        #expect(transfer.leftFiles().isEmpty)
        let counts = try transfer.partCounts(since: 0)
        #expect(!durable.isEmpty)
        for part in durable { #expect(counts[part] == before[part], "part \(part) was durable") }
    }
}
