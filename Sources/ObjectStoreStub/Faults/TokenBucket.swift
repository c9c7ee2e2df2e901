import TransferPrimitives

/// Admits requests at a rate, with a reserve for bursts. Time is real: it is the client's pace that is measured.
final class TokenBucket: Sendable {
    private struct State {
        var tokens: Double
        var refilled: ContinuousClock.Instant
    }

    private let rate: Double
    private let burst: Double
    private let state: LockBox<State>

    init(rate: Double, burst: Int) {
        self.rate = max(0, rate)
        self.burst = Double(max(1, burst))
        state = LockBox(State(tokens: Double(max(1, burst)), refilled: .now))
    }

    /// Takes a token; false when there is none.
    func admit(at now: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { state in
            let passed = state.refilled.duration(to: now) / .seconds(1)
            state.tokens = min(burst, state.tokens + max(0, passed) * rate)
            state.refilled = now
            guard state.tokens >= 1 else { return false }
            state.tokens -= 1
            return true
        }
    }
}
