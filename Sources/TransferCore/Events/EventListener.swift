internal import Dispatch
internal import TransferPrimitives

/// Calls a listener for each event, one call at a time, on a queue of the transfer's own, so that a slow or blocking listener
/// holds up nothing but itself.
final class EventListener: Sendable {
    private struct State {
        var buffer = EventBuffer()
        var isRunning = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let body: @Sendable (TransferEvent) -> Void
    private let queue = DispatchQueue(label: "object-transfer.events")
    private let state = LockBox(State())

    init(_ body: @escaping @Sendable (TransferEvent) -> Void) { self.body = body }

    func send(_ event: TransferEvent) {
        let starts = state.withLock { state in
            state.buffer.append(event)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts { queue.async { self.run() } }
    }

    /// Returns once every event sent so far has been listened to.
    func drain() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.isRunning { state.waiters.append(continuation) }
                return !state.isRunning
            }
            if isIdle { continuation.resume() }
        }
    }

    private func run() {
        while let event = next() { body(event) }
    }

    private func next() -> TransferEvent? {
        let (event, waiters) = state.withLock { state in
            if let event = state.buffer.next() {
                return (TransferEvent?.some(event), [CheckedContinuation<Void, Never>]())
            }
            state.isRunning = false
            defer { state.waiters = [] }
            return (nil, state.waiters)
        }
        for waiter in waiters { waiter.resume() }
        return event
    }
}
