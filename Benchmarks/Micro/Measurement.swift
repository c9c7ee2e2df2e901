/// Repeats a step and prints the median of what it took.
struct Measurement {
    private static let rounds = 11

    private let name: String
    private let bytes: Int?

    /// - Parameter bytes: What one step goes over, where that tells its speed.
    init(_ name: String, bytes: Int? = nil) {
        self.name = name
        self.bytes = bytes
    }

    /// Runs the step `count` times in each round.
    func run<Value>(count: Int, _ step: () throws -> Value) rethrows {
        var rounds: [Duration] = []
        for round in 0...Self.rounds {
            let started = ContinuousClock.now
            for _ in 0..<count { keep(try step()) }
            // The first round warms up.
            if round > 0 { rounds.append(ContinuousClock.now - started) }
        }
        tell(rounds, count)
    }

    func run<Value>(count: Int, _ step: () async throws -> Value) async rethrows {
        var rounds: [Duration] = []
        for round in 0...Self.rounds {
            let started = ContinuousClock.now
            for _ in 0..<count { keep(try await step()) }
            if round > 0 { rounds.append(ContinuousClock.now - started) }
        }
        tell(rounds, count)
    }

    private func tell(_ rounds: [Duration], _ count: Int) {
        let middle = rounds.sorted()[rounds.count / 2]
        let nanoseconds = middle / .nanoseconds(1) / Double(count)
        var members = "\"name\": \"\(name)\", \"ns\": \(nanoseconds)"
        if let bytes {
            let speed = Double(bytes) / nanoseconds * 1e9 / Double(1 << 30)
            members += ", \"gib_per_s\": \(speed)"
        }
        print("{\(members)}")
    }
}

/// Has the optimiser believe that somebody wants the value.
@inline(never)
private func keep<Value>(_ value: Value) {}
