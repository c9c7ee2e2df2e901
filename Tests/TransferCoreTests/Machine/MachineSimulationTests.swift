import TestSupport
import Testing

@testable import TransferCore

/// Thousands of histories in random order and weather. Each is named by its seed, which plays it again.
@Suite struct MachineSimulationTests {
    static let historiesPerSeed = 120

    @Test(arguments: 0..<24 as Range<UInt64>) func noHistoryBreaksAnInvariant(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for number in 0..<Self.historiesPerSeed {
            var simulation = Self.simulation(&random)
            if Self.violations(simulation).found.isEmpty { continue }
            simulation.keepsHistory = true
            let (found, history) = Self.violations(simulation)
            Issue.record("seed \(seed), history \(number): \(found)\n\(simulation.service)\n\(history)")
            return
        }
    }

    /// Plays a history, and the next call after it: whatever was left, fair weather makes the object of it.
    private static func violations(_ simulation: Simulation) -> (found: [String], history: String) {
        var first = simulation
        first.run()
        var next = Simulation(
            first.settings, first.service, weather: .fair, isWhole: first.isWhole, random: first.random)
        next.keepsHistory = first.keepsHistory
        next.run()
        if next.outcome?.receipt == nil { next.violations.append("cannot be resumed: \(next.outcome?.label ?? "")") }
        return (
            first.violations + next.violations.map { "next call: \($0)" },
            (first.history + ["next call"] + next.history).joined(separator: "\n")
        )
    }

    /// The histories must reach what they are meant to test.
    @Test func theHistoriesEndInEveryWay() {
        var random = SeededRandom(seed: 1)
        var outcomes: [String: Int] = [:]
        for _ in 0..<3000 {
            var simulation = Self.simulation(&random)
            simulation.run()
            outcomes[simulation.outcome?.label ?? "", default: 0] += 1
        }
        for outcome in [
            "success crc64", "paused", "aborted", "cancelled", "disposed", "checkpointLost", "outcomeUnknown",
            "storedCallbackFailed", "sourceChanged", "uploadNotFound", "diskFull", "refused", "timedOut",
        ] {
            #expect(outcomes[outcome, default: 0] > 2, "\(outcome): \(outcomes)")
        }
    }

    private static func simulation(_ random: inout SeededRandom) -> Simulation {
        let weather = Simulation.Weather(
            stops: [0, 0, 2, 10].randomElement(using: &random) ?? 0,
            losses: [0, 0, 0, 3].randomElement(using: &random) ?? 0,
            failures: [0, 3, 10, 25].randomElement(using: &random) ?? 0)
        let settings = TransferMachine.Settings(
            concurrency: Int.random(in: 1...4, using: &random), keepsCheckpoint: random.chance(75),
            abortsOnDenial: random.chance(50), rechecksSource: random.chance(50),
            acceptsUnrecordedParts: random.chance(50), checksLocalParts: random.chance(30))
        let simulated = SeededRandom(seed: random.next())
        return Simulation(
            settings, service(&random, keeps: settings.keepsCheckpoint), weather: weather, isWhole: random.chance(10),
            random: simulated)
    }

    /// A service with, or without, what an earlier call has left.
    private static func service(_ random: inout SeededRandom, keeps: Bool) -> ModelService {
        var service = ModelService()
        guard keeps, random.chance(50) else { return service }
        let stored = Set((1...3).filter { _ in random.chance(60) })
        let recorded = (1...3).filter { _ in random.chance(60) }
        var record = Sample.checkpoint(parts: recorded, isCompleting: random.chance(20))
        switch Int.random(in: 0..<10, using: &random) {
        case 0: record.optionsDigest = "other"
        case 1: record.uploadID = ""
        case 2: record.partSize = 11
        case 3: record.source.size = 24
        default: break
        }
        if random.chance(75), !record.uploadID.isEmpty { service.uploads[record.uploadID] = stored }
        if record.isCompleting, service.uploads.isEmpty { service.hasObject = random.chance(50) }
        service.record = record
        return service
    }
}
