import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The nonces that have been used, for as long as a request with one of them could still be in time.
final class NonceBook: Sendable {
    private struct State {
        var spent: [String: Date] = [:]
        var sizeToPrune = 10_000
    }

    private let state = LockBox(State())

    /// False when the nonce was spent before.
    func spend(_ nonce: String, of accessKey: String, at now: Date, keptFor seconds: Double) -> Bool {
        state.withLock { state in
            if state.spent.count >= state.sizeToPrune {
                state.spent = state.spent.filter { abs(now.timeIntervalSince($0.value)) <= seconds }
                state.sizeToPrune = max(10_000, 2 * state.spent.count)
            }
            return state.spent.updateValue(now, forKey: accessKey + "\n" + nonce) == nil
        }
    }
}
