import TransferPrimitives

/// Tasks that wait for a count to be reached. No polling: whoever raises the count says so.
final class CountWaiters: Sendable {
    private struct Waiter {
        let count: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var nextID = 0
        var waiters: [Int: Waiter] = [:]
        var cancelled: Set<Int> = []
    }

    private let state = LockBox(State())

    /// Wakes the tasks that wait for `count` or less.
    func reached(_ count: Int) {
        let ready = state.withLock { state -> [Waiter] in
            let ids = state.waiters.filter { $0.value.count <= count }.map(\.key)
            return ids.compactMap { state.waiters.removeValue(forKey: $0) }
        }
        for waiter in ready { waiter.continuation.resume() }
    }

    /// Waits until `count` is reached. `current` reads the count; it is asked once the task can be woken.
    func wait(for count: Int, current: @Sendable () -> Int) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let isCancelled = state.withLock { state -> Bool in
                    if state.cancelled.remove(id) != nil { return true }
                    state.waiters[id] = Waiter(count: count, continuation: continuation)
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
                reached(current())
            }
        } onCancel: {
            let waiter = state.withLock { state -> Waiter? in
                if let waiter = state.waiters.removeValue(forKey: id) { return waiter }
                state.cancelled.insert(id)
                return nil
            }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }
}
