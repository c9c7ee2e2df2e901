internal import Dispatch
internal import TransferCore
internal import TransferPrimitives

/// One upload from the call to its last callback: its outcome, once, and who is told of it.
///
/// The outcome is settled by whoever comes first, the transfer that ended or `dispose`. It is delivered, once, in the lane in
/// which all callbacks of the upload run.
final class UploadRun: Sendable {
    typealias Callback = @Sendable (Result<VODUploadResult, VODUploadError>) -> Void

    private struct State {
        var outcome: UploadOutcome?
        /// Let go of with the outcome: it may hold the task that holds this.
        var callback: Callback?
        var isDelivered = false
        var waiters: [CheckedContinuation<UploadOutcome, Never>] = []
        var handle: TransferHandle?
        var follower: Task<Void, Never>?
        var isDisposed = false
        var isEnded = false
        var endWaiters: [CheckedContinuation<Void, Never>] = []
    }

    let id: String
    let metrics: UploadMetrics
    let lane = CallbackLane()
    private let reporter: (any TransferReporter)?
    private let queue = DispatchQueue(label: "object-transfer.callback")
    private let state: LockBox<State>

    init(id: String, metrics: UploadMetrics, reporter: (any TransferReporter)?, callback: Callback?) {
        self.id = id
        self.metrics = metrics
        self.reporter = reporter
        state = LockBox(State(callback: callback))
    }

    // MARK: The transfer

    /// Takes the transfer in; one that was disposed of before it began ends at once.
    func attach(_ handle: TransferHandle) {
        let isDisposed = state.withLock { state in
            state.handle = handle
            return state.isDisposed
        }
        if isDisposed { handle.dispose() }
    }

    /// `follower`: the task that waits for the transfer.
    func attach(follower: Task<Void, Never>) { state.withLock { $0.follower = follower } }

    /// Pauses the upload, or gives it up.
    func cancel(_ mode: CancelMode) { state.withLock({ $0.handle })?.cancel(mode) }

    /// Pauses the upload because the task that waits for it was cancelled.
    func cancelWithTask() { state.withLock({ $0.follower })?.cancel() }

    /// Pauses the upload because its uploader goes.
    func disposeTransfer() {
        let handle = state.withLock { state in
            state.isDisposed = true
            return state.handle
        }
        handle?.dispose()
    }

    /// The transfer has ended and everybody was told.
    func end() {
        let waiters = state.withLock { state in
            state.isEnded = true
            defer { state.endWaiters = [] }
            return state.endWaiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when the transfer has ended and everybody was told.
    func waitUntilEnded() async {
        await withCheckedContinuation { continuation in
            let isEnded = state.withLock { state in
                if !state.isEnded { state.endWaiters.append(continuation) }
                return state.isEnded
            }
            if isEnded { continuation.resume() }
        }
    }

    // MARK: The outcome

    /// Settles the outcome; only the first one counts.
    func settle(_ outcome: UploadOutcome) {
        let waiters = state.withLock { state in
            guard state.outcome == nil else { return [CheckedContinuation<UploadOutcome, Never>]() }
            state.outcome = outcome
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume(returning: outcome) }
    }

    /// The outcome, as soon as it is settled.
    func outcome() async -> UploadOutcome {
        await withCheckedContinuation { continuation in
            let outcome = state.withLock { state in
                if state.outcome == nil { state.waiters.append(continuation) }
                return state.outcome
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }

    // MARK: Callbacks

    /// Tells the outcome, unless somebody has. Returns when no callback of this upload runs any more, save the one that calls this.
    func deliver() {
        lane.run {
            let (outcome, callback) = state.withLock { state -> (UploadOutcome?, Callback?) in
                guard !state.isDelivered, let outcome = state.outcome else { return (nil, nil) }
                state.isDelivered = true
                defer { state.callback = nil }
                return (outcome, state.callback)
            }
            guard let outcome else { return }
            reporter?.report(metrics.endReport(outcome))
            callback?(outcome.result)
        }
    }

    /// Tells the outcome on the upload's own queue.
    func deliverOnQueue() async {
        await withCheckedContinuation { continuation in
            queue.async {
                self.deliver()
                continuation.resume()
            }
        }
    }

    /// Runs a callback that only makes sense while the upload runs.
    func tell(_ body: () -> Void) {
        lane.run {
            if state.withLock({ $0.outcome == nil }) { body() }
        }
    }
}
