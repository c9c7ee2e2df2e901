import TestSupport
import Testing

/// A history that cannot be played again is of no use to whoever looks for what went wrong in it.
@Suite struct DeterminismTests {
    @Test func theSameSeedTakesTheSameTurns() async throws {
        let first = try await hashes(from: 1)
        let second = try await hashes(from: 1)
        #expect(first.count == 40)
        #expect(first == second)
        #expect(Set(first).count == first.count)
    }

    @Test func aHistoryIsTheSameWithoutThoseBeforeIt() async throws {
        let all = try await hashes(from: 101)
        let last = try await hashes(from: 140, count: 1)
        #expect(last == all.suffix(1))
    }

    private func hashes(from first: Int, count: Int = 40) async throws -> [String] {
        let outcome = try await Program.run("simulate", ["--first", "\(first)", "--count", "\(count)", "--hashes"])
        try #require(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
        return outcome.lines.filter { $0.hasPrefix("hash ") }.map(String.init)
    }
}
