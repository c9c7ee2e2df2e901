internal import TransferPrimitives

/// The one door through which the events of a transfer go out: in order, progress never going back, none after the end.
final class EventGate: Sendable {
    private struct State {
        var reported: UInt64?
        var isClosed = false
    }

    private let state = LockBox(State())
    private let deliver: @Sendable (TransferEvent) -> Void

    /// `deliver` must not call back into the gate.
    init(_ deliver: @escaping @Sendable (TransferEvent) -> Void) { self.deliver = deliver }

    func send(_ event: TransferEvent) {
        state.withLock { state in
            guard !state.isClosed else { return }
            if case .progress(let progress) = event {
                if let reported = state.reported, progress.completedBytes <= reported, !progress.isFinished { return }
                state.reported = progress.completedBytes
            }
            deliver(event)
        }
    }

    func close() { state.withLock { $0.isClosed = true } }
}
