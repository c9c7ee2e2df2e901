import Synchronization
import TransferPrimitives

/// The thread of one loop, as the executor of its actor: whatever is isolated to the loop runs here, between two polls.
///
/// Jobs and signals queue up under a lock. The thread is woken for them only while it polls; otherwise it finds them by
/// itself before it polls again.
final class LoopThread: SerialExecutor {
    /// What may be asked of a loop from anywhere, without waiting.
    enum Signal: Sendable {
        indirect case begin(CurlLoop.Order)
        case cancel(exchange: Int)
        case resume(exchange: Int)
    }

    /// What has come in since the last turn.
    struct Inbox: Sendable {
        var jobs: [UnownedJob] = []
        var signals: [Signal] = []

        var isEmpty: Bool { jobs.isEmpty && signals.isEmpty }
    }

    private struct State {
        var inbox = Inbox()
        var isPolling = false
        var isStopping = false
        var hasEnded = false
        var lastExchange = 0
        /// Requests that are using the loop, or are about to: until they have left, the thread must not end.
        var users = 0
        var waitingForEnd: [CheckedContinuation<Void, Never>] = []
    }

    private enum Next {
        case turn
        case poll
        case end
    }

    private let multi: MultiHandle
    /// Zero unless the thread runs.
    private let thread = Atomic<UInt>(0)
    private let state = LockBox(State())

    init(_ multi: MultiHandle) { self.multi = multi }

    // MARK: From any thread

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        add { $0.jobs.append(job) }
    }

    /// A number for a request that is to be handed over.
    func nextExchange() -> Int {
        state.withLock { state in
            state.lastExchange += 1
            return state.lastExchange
        }
    }

    func post(_ signal: Signal) { add { $0.signals.append(signal) } }

    /// Whether this thread may touch what is isolated to the loop.
    func isIsolatingCurrentContext() -> Bool? { thread.load(ordering: .relaxed) == currentThreadNumber() }

    func checkIsolated() { precondition(isIsolatingCurrentContext() == true, "called off the loop's thread") }

    /// A request is about to use the loop.
    func enter() { state.withLock { $0.users += 1 } }

    /// It has gone, and nothing of it will be enqueued any more.
    func leave() {
        state.withLock { state in
            state.users -= 1
            if state.isStopping, state.users == 0 { wake(&state) }
        }
    }

    /// Lets the thread end as soon as nobody uses the loop; what runs is cut.
    func stop() {
        state.withLock { state in
            state.isStopping = true
            wake(&state)
        }
    }

    /// Returns when the thread has ended.
    func waitForEnd() async {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                if !state.hasEnded { state.waitingForEnd.append(continuation) }
                return state.hasEnded
            }
            if hasEnded { continuation.resume() }
        }
    }

    private func add(_ change: (inout Inbox) -> Void) {
        state.withLock { state in
            change(&state.inbox)
            wake(&state)
        }
    }

    /// Under the lock, so that the multi handle is alive and one wake-up serves all that comes meanwhile.
    private func wake(_ state: inout State) {
        guard state.isPolling else { return }
        // Were the wake-up to fail, the flag stays and the next caller tries again.
        if multi.wake() { state.isPolling = false }
    }

    // MARK: On the loop's own thread

    /// Starts the thread; it keeps `loop` alive until it ends. False when the system has no thread left.
    func start(_ loop: CurlLoop) -> Bool {
        let context = Unmanaged.passRetained(loop)
        if startDetachedThread(runLoop, context.toOpaque()) { return true }
        context.release()
        return false
    }

    fileprivate func run(_ loop: CurlLoop) {
        thread.store(currentThreadNumber(), ordering: .relaxed)
        var inbox = Inbox()
        while true {
            let isStopping = take(&inbox)
            let wait = turn(loop, inbox, isStopping: isStopping)
            // While the loop polls, what it was handed must keep nothing open: a request ends before the next one comes.
            inbox.jobs.removeAll(keepingCapacity: true)
            inbox.signals.removeAll(keepingCapacity: true)
            switch next() {
            case .turn: continue
            case .poll: loop.assumeIsolated { $0.poll(milliseconds: wait) }
            case .end:
                loop.assumeIsolated { $0.close() }
                return end()
            }
        }
    }

    private func turn(_ loop: CurlLoop, _ inbox: Inbox, isStopping: Bool) -> Int32 {
        let executor = asUnownedSerialExecutor()
        for job in inbox.jobs { job.runSynchronously(on: executor) }
        return loop.assumeIsolated { $0.turn(inbox.signals, isStopping: isStopping) }
    }

    /// Swaps the inbox for an empty one, so that both keep their memory.
    private func take(_ inbox: inout Inbox) -> Bool {
        state.withLock { state in
            state.isPolling = false
            swap(&state.inbox, &inbox)
            return state.isStopping
        }
    }

    private func next() -> Next {
        state.withLock { state in
            guard state.inbox.isEmpty else { return .turn }
            if state.isStopping, state.users == 0 { return .end }
            state.isPolling = true
            return .poll
        }
    }

    private func end() {
        // The system may give the number to another thread.
        thread.store(0, ordering: .relaxed)
        let waiting = state.withLock { state in
            state.hasEnded = true
            defer { state.waitingForEnd = [] }
            return state.waitingForEnd
        }
        for continuation in waiting { continuation.resume() }
    }
}

private func runLoop(_ context: ThreadContext) -> UnsafeMutableRawPointer? {
    if let loop: CurlLoop = takeContext(context) {
        blockBrokenPipeSignal()
        loop.thread.run(loop)
    }
    return nil
}
