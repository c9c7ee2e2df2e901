import TransferPrimitives

/// Where requests wait until a test lets them go on.
final class HoldGate: Sendable {
    private struct State {
        var isOpen = false
        var permits = 0
        var held: [WakePipe] = []
        var total = 0
    }

    private let state = LockBox(State())
    private let arrivals = CountWaiters()

    /// Registers a request, and returns what wakes it; nil when it may go on at once, or no pipe can be had.
    func enter() -> WakePipe? {
        let wake: WakePipe?
        do { wake = try WakePipe() } catch { wake = nil }
        let (waits, total) = state.withLock { state -> (Bool, Int) in
            state.total += 1
            if state.isOpen { return (false, state.total) }
            if state.permits > 0 {
                state.permits -= 1
                return (false, state.total)
            }
            if let wake { state.held.append(wake) }
            return (wake != nil, state.total)
        }
        arrivals.reached(total)
        return waits ? wake : nil
    }

    func leave(_ wake: WakePipe) {
        state.withLock { state in state.held.removeAll { $0 === wake } }
    }

    var heldCount: Int { state.withLock { $0.held.count } }

    func release(_ count: Int) {
        let released = state.withLock { state -> [WakePipe] in
            let now = Array(state.held.prefix(max(0, count)))
            state.held.removeFirst(now.count)
            state.permits += max(0, count) - now.count
            return now
        }
        for wake in released { wake.wake() }
    }

    func open() {
        let released = state.withLock { state -> [WakePipe] in
            defer { state.held = [] }
            state.isOpen = true
            return state.held
        }
        for wake in released { wake.wake() }
    }

    func waitUntilHeld(_ count: Int) async throws {
        try await arrivals.wait(for: count) { state.withLock { $0.total } }
    }
}
