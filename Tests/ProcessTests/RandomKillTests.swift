import Foundation
import TestSupport
import Testing

/// Programs that transfer, killed at moments that nobody chose. `make kill-test KILLS=300` says how many kills; with `SEED` the
/// same moments are chosen again.
@Suite(.serialized, .enabled(if: RunSettings.kills > 0, "make kill-test runs it"))
struct RandomKillTests {
    /// Nine parts of 5 MiB, some four hundred of 100 KiB.
    private static let size = 8 * (5 << 20) + 17

    /// Transfers of one kind, and what their kills met.
    private struct Victims {
        let kind: KilledTransfer.Kind
        let stub: StubProcess
        /// What an undisturbed transfer takes, which is how late a kill may come.
        let duration: Duration
        var kills = 0
        /// Those that came before there was a record.
        var early = 0
        /// Parts in the records that they left, all together.
        var durableParts = 0
        /// Parts that were sent a second time.
        var repeatedParts = 0
        /// Uploads without parts that no record names, for the kill came between their creation and the record.
        var lostUploads = 0

        init(_ kind: KilledTransfer.Kind, original: String) async throws {
            self.kind = kind
            stub = try await StubProcess([
                "--object", "\(KilledTransfer.source)=\(size)", "--discard", "dst", "--latency", "5",
            ])
            let begun = ContinuousClock.now
            let undisturbed = try KilledTransfer(kind, key: "undisturbed", stub: stub, original: original)
            #expect(try await undisturbed.start().wait().status == 0)
            duration = ContinuousClock.now - begun
        }
    }

    @Test(.timeLimit(.minutes(60))) func killsAtRandomMomentsCostNothingThatIsDurable() async throws {
        let seed = RunSettings.seed
        print("kill-test: KILLS=\(RunSettings.kills) SEED=\(seed)")
        var random = SeededRandom(seed: seed)
        let directory = try TemporaryDirectory()
        try directory.write(KilledTransfer.bytes(Self.size, &random), to: "original")
        let original = directory.path("original")

        var all: [Victims] = []
        for kind in KilledTransfer.Kind.allCases { all.append(try await Victims(kind, original: original)) }
        for number in 0... {
            guard all.map(\.kills).reduce(0, +) < RunSettings.kills else { break }
            try await kill("film-\(number)", original, &all[number % all.count], &random)
        }
        for victims in all {
            print(
                """
                kill-test: \(victims.kind): \(victims.kills) kills, \(victims.early) before there was a record, \
                \(victims.durableParts) parts recorded, \(victims.repeatedParts) sent again, \
                \(victims.lostUploads) empty uploads left at the server
                """)
        }
        #expect(all.contains { $0.durableParts > 0 }, "no kill came late enough to test anything")
    }

    /// Kills a transfer once or more often, and then lets it come to its end.
    private func kill(
        _ key: String, _ original: String, _ victims: inout Victims, _ random: inout SeededRandom
    ) async throws {
        let (kind, stub) = (victims.kind, victims.stub)
        let transfer = try KilledTransfer(kind, key: key, stub: stub, original: original)
        let start = try stub.requests().count
        /// How often each part had been sent when it was found recorded for the first time.
        var sent: [String: Int] = [:]
        var kills = 0
        repeat {
            let victim = try transfer.start()
            try await Task.sleep(for: victims.duration * Double.random(in: 0...1, using: &random))
            victim.signal(SIGKILL)
            let death = await victim.wait()
            #expect(death.wasKilled || death.status == 0, "\(kind) \(key): \(death.errors)")
            guard death.wasKilled, !transfer.isDone() else { break }
            kills += 1
            let durable = try transfer.durableParts()
            let counts = try transfer.partCounts(since: start)
            for part in durable where sent[part] == nil { sent[part] = counts[part] }
            #expect(durable.isSuperset(of: sent.keys), "\(kind) \(key) lost parts of its record")
            victims.durableParts += durable.count
            if transfer.leftFiles().allSatisfy({ !$0.hasSuffix(".checkpoint") }) { victims.early += 1 }
        } while random.chance(30)
        if !transfer.isDone() {
            let end = try await transfer.start().wait()
            #expect(end.status == 0, "\(kind) \(key): \(end.errors)")
        }

        #expect(try transfer.result() == transfer.expected(), "\(kind) \(key)")
        #expect(transfer.leftFiles().isEmpty, "\(kind) \(key)")
        let counts = try transfer.partCounts(since: start)
        for (part, count) in sent { #expect(counts[part] == count, "\(kind) \(key): part \(part) was durable") }
        let repeated = counts.values.map { $0 - 1 }.reduce(0, +)
        #expect(repeated <= kills * KilledTransfer.parallel, "\(kind) \(key)")
        let lost = try transfer.openUploads()
        #expect(lost.allSatisfy(\.isEmpty) && lost.count <= kills, "\(kind) \(key)")
        victims.kills += kills
        victims.repeatedParts += repeated
        victims.lostUploads += lost.count
    }
}
