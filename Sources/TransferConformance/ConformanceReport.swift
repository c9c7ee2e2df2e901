/// What came of a run.
public struct ConformanceReport: Sendable, Hashable, CustomStringConvertible {
    /// What came of one check.
    public struct Result: Sendable, Hashable, CustomStringConvertible {
        /// The check's name.
        public let check: String
        /// What came of it.
        public let outcome: ConformanceCheck.Outcome

        public var description: String {
            switch outcome {
            case .passed: "passed   \(check)"
            case .failed(let reason): "FAILED   \(check): \(reason)"
            case .skipped(let reason): "skipped  \(check): \(reason)"
            }
        }
    }

    /// In the order in which they were run.
    public internal(set) var results: [Result] = []
    /// Where the objects are that were left behind.
    public let keyPrefix: String

    init(keyPrefix: String) { self.keyPrefix = keyPrefix }

    /// Those that passed.
    public var passed: [Result] { results.filter { $0.outcome == .passed } }
    /// Those that failed.
    public var failed: [Result] {
        results.filter { if case .failed = $0.outcome { true } else { false } }
    }
    /// Those that were skipped.
    public var skipped: [Result] {
        results.filter { if case .skipped = $0.outcome { true } else { false } }
    }

    /// Whether nothing failed, and something was run.
    public var isConforming: Bool { failed.isEmpty && !passed.isEmpty }

    /// A line for each check, and a last one with the numbers.
    public var description: String {
        (results.map(\.description) + ["\(passed.count) passed, \(failed.count) failed, \(skipped.count) skipped"])
            .joined(separator: "\n")
    }
}
