/// Pauses between attempts: exponential growth with full jitter, so that clients that failed together do not return
/// together.
package struct Backoff: Sendable, Hashable {
    /// The longest pause before the first repeat.
    package let base: Duration
    /// The longest pause before any repeat.
    package let cap: Duration

    /// `base` and `cap` below zero count as zero; `cap` is at most a day.
    package init(base: Duration = .milliseconds(200), cap: Duration = .seconds(20)) {
        self.cap = min(max(cap, .zero), .seconds(86_400))
        self.base = min(max(base, .zero), self.cap)
    }

    /// The longest pause before repeat `retry`, which counts from 0: `base` doubled `retry` times, up to `cap`.
    package func ceiling(retry: Int) -> Duration {
        var ceiling = base
        var doublings = 0
        while doublings < retry && ceiling > .zero && ceiling < cap {
            ceiling *= 2
            doublings += 1
        }
        return min(ceiling, cap)
    }

    /// A pause between zero and `ceiling(retry:)`, drawn from `random`, on top of `floor`.
    ///
    /// `floor` is the wait the service asked for (`Retry-After`). It is honoured in full, above `cap` too, and the
    /// jitter is added to it: clients that were all told "two seconds" must not all come back at two seconds.
    package func delay(retry: Int, floor: Duration = .zero, random: some RandomSource) -> Duration {
        // 53 bits are what a Double holds exactly: a fraction in 0..<1.
        let fraction = Double(random.next() >> 11) / Double(1 << 53 as UInt64)
        return max(floor, .zero) + ceiling(retry: retry) * fraction
    }
}
