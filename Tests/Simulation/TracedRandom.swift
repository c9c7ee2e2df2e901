import TestSupport

/// The chance of a history, and the trace of what it led to: two histories with one hash took every turn alike.
struct TracedRandom: RandomNumberGenerator {
    private var generator: SeededRandom
    private(set) var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    init(seed: UInt64) { generator = SeededRandom(seed: seed) }

    mutating func next() -> UInt64 {
        let value = generator.next()
        note(value)
        return value
    }

    mutating func note(_ value: UInt64) { hash = (hash ^ value) &* 0x0000_0100_0000_01B3 }

    mutating func note(_ text: String) { for byte in text.utf8 { note(UInt64(byte)) } }

    /// True in about `percent` of a hundred calls.
    mutating func chance(_ percent: Double) -> Bool {
        percent > 0 && Double.random(in: 0..<100, using: &self) < percent
    }

    mutating func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &self)] }

    mutating func pick<Value>(_ first: Value, _ others: Value...) -> Value { pick([first] + others) }

    mutating func milliseconds(_ range: ClosedRange<Int>) -> Duration {
        .milliseconds(Int.random(in: range, using: &self))
    }
}
