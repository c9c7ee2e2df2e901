import Simulation

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A row of histories, and their sum.
struct Run {
    let options: Options
    private var histories = 0
    private var calls = 0
    private var steps = 0
    private var faults: [String: Int] = [:]

    init(options: Options) { self.options = options }

    /// Whether every history kept every promise; ends with the first that did not, unless it is to go on.
    func play() -> Bool {
        var run = self
        let start = ContinuousClock.now
        var failed: [UInt64] = []
        for seed in options.first..<(options.first + options.count) {
            let report = History.run(seed: seed, prints: options.prints)
            run.add(report)
            if options.printsHashes { print("hash \(seed) \(String(report.hash, radix: 16))") }
            guard report.violations.isEmpty else {
                for violation in report.violations { print("violation: \(seed): \(violation)") }
                failed.append(seed)
                if options.goesOn { continue }
                break
            }
        }
        run.printSummary(ContinuousClock.now - start)
        for seed in failed { print("failed: \(seed)") }
        return failed.isEmpty
    }

    private mutating func add(_ report: History.Report) {
        histories += 1
        calls += report.calls
        steps += report.steps
        faults.merge(report.faults, uniquingKeysWith: +)
    }

    private func printSummary(_ duration: Duration) {
        print("histories: \(histories)")
        print("calls: \(calls)")
        print("steps: \(steps)")
        print("milliseconds: \(Int(duration / .milliseconds(1)))")
        for (name, count) in faults.sorted(by: { $0.key < $1.key }) { print("fault \(name): \(count)") }
    }
}
