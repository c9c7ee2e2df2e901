internal import TransferPrimitives

/// Counts the bytes of a transfer that are on their way, and reports them at most ten times a second.
final class TransferMeter: Sendable {
    /// The shortest time between two reports.
    static var interval: Duration { .milliseconds(100) }

    private struct State {
        var total: UInt64
        var stored: UInt64 = 0
        /// By part number; an attempt that begins again counts from the start again.
        var moved: [Int: UInt64] = [:]
        var lastReport: Duration?
        var report: (@Sendable (TransferProgress) -> Void)?
    }

    private let clock: any TransferClock
    private let state: LockBox<State>

    /// - Parameter total: Bytes of the whole, where they are known yet.
    init(total: UInt64 = 0, clock: any TransferClock) {
        self.clock = clock
        state = LockBox(State(total: total))
    }

    func expect(_ total: UInt64) { state.withLock { $0.total = total } }

    func begin(reporting report: @escaping @Sendable (TransferProgress) -> Void) {
        state.withLock { $0.report = report }
    }

    /// Counts anew from the bytes that are stored.
    func reset(to stored: UInt64) { state.withLock { $0.stored = stored } }

    func moved(_ bytes: UInt64, of part: Int) {
        let now = clock.uptime
        let (report, progress) = state.withLock { state in
            state.moved[part] = bytes
            let isDue = state.lastReport.map { now - $0 >= Self.interval } ?? true
            if isDue { state.lastReport = now }
            let sum = isDue ? state.moved.values.reduce(state.stored, +) : 0
            return (isDue ? state.report : nil, TransferProgress(completedBytes: sum, totalBytes: state.total))
        }
        report?(progress)
    }

    func stored(_ part: Int, bytes: UInt64) {
        state.withLock { state in
            state.moved[part] = nil
            state.stored += bytes
        }
    }

    func failed(_ part: Int) { state.withLock { $0.moved[part] = nil } }
}
