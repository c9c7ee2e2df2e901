internal import Dispatch
internal import TransferCore
internal import TransferPrimitives

/// Called with the outcome of an operation, exactly once.
public typealias TOSCompletion<Output> = @Sendable (Result<Output, any Error>) -> Void

/// An operation in the form of a task, for code that is not `async`.
///
///     let task = client.headObject(TOSHeadObjectInput(bucket: "films", key: "a.mov")) { outcome in
///         print(outcome)
///     }
///     task.continueWith { task in
///         if let output = task.result { print(output.contentLength) } else if let error = task.error { print(error) }
///     }
///
/// The operation runs by itself, whether or not anybody holds the task, and occupies no thread while it waits for the
/// service. Whatever is to be called when it has ended is called on a queue of this task's own, one call at a time, in the
/// order in which it was asked for, also when it is asked for after the end. Such a call may block, but not wait for another
/// continuation of the same task, which would be its successor on that queue.
///
/// In an `async` function the operations of the client are `async` functions: call those.
public final class TOSTask<Output: Sendable>: Sendable {
    private struct State {
        var outcome: Result<Output, any Error>?
        /// Told of the end by whoever brings it about, before the callbacks; must not block.
        var waiters: [@Sendable (Result<Output, any Error>) -> Void] = []
        var callbacks: [TOSCompletion<Output>] = []
        /// Stops what runs, once it runs.
        var stop: (@Sendable (CancelMode) -> Void)?
        var wish: CancelMode?

        /// What is to be called next; nil before the end, and when everything was called.
        mutating func nextDelivery() -> (TOSCompletion<Output>, Result<Output, any Error>)? {
            guard let outcome, !callbacks.isEmpty else { return nil }
            return (callbacks.removeFirst(), outcome)
        }
    }

    private let state = LockBox(State())
    private let queue = DispatchQueue(label: "object-transfer.tos-task")

    init() {}

    /// What came out; nil while the operation runs, and when it failed.
    public var result: Output? { state.withLock { try? $0.outcome?.get() } }

    /// What went wrong: a `TransferError`, or a `CancellationError` after `cancel`. Nil while the operation runs, and
    /// when it succeeded.
    public var error: (any Error)? {
        state.withLock { if case .failure(let error)? = $0.outcome { error } else { nil } }
    }

    /// Whether it has ended, whichever way.
    public var isCompleted: Bool { state.withLock { $0.outcome != nil } }

    /// Whether it has ended because somebody wished it to: paused, aborted, cancelled.
    public var isCancelled: Bool { error.map(Self.isCancellation) ?? false }

    /// Asks the operation to stop and returns at once. A request is cut, and ends with `CancellationError`. A copy, an
    /// upload or a download is paused by `abort: false`, and ends with `.paused`; `abort: true` leaves nothing of it
    /// behind, and it ends with `.aborted`. Late or repeated calls do nothing.
    public func cancel(abort: Bool = false) {
        let mode: CancelMode = abort ? .abort : .pause
        let stop: (@Sendable (CancelMode) -> Void)? = state.withLock { state in
            guard state.outcome == nil else { return nil }
            state.wish = max(state.wish ?? mode, mode)
            return state.stop
        }
        stop?(mode)
    }

    /// What came out, once the operation has ended. Cancelling the task that waits here asks it to stop, as `cancel()`
    /// does.
    ///
    /// - Throws: As the operation; `CancellationError` when the surrounding task was cancelled.
    public var value: Output {
        get async throws {
            let outcome = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    whenEnded { continuation.resume(returning: $0) }
                }
            } onCancel: {
                cancel()
            }
            if case .failure(let error) = outcome, Task.isCancelled, Self.isCancellation(error) {
                throw CancellationError()
            }
            return try outcome.get()
        }
    }

    /// Blocks the calling thread until the operation has ended; what is to be called then may still wait to be. Not for
    /// `async` functions, whose threads are few: they have `value`.
    @available(*, noasync, message: "it blocks the thread; await the task's value")
    public func waitUntilFinished() {
        let ended = DispatchSemaphore(value: 0)
        whenEnded { _ in ended.signal() }
        ended.wait()
    }

    /// Has `completion` called with the outcome, on this task's queue.
    func notify(_ completion: @escaping TOSCompletion<Output>) {
        let hasEnded = state.withLock { state in
            state.callbacks.append(completion)
            return state.outcome != nil
        }
        if hasEnded { queue.async { self.deliver() } }
    }

    /// Ends the task. Called once.
    func settle(_ outcome: Result<Output, any Error>) {
        let waiters = state.withLock { state in
            state.outcome = outcome
            state.stop = nil
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter(outcome) }
        queue.async { self.deliver() }
    }

    /// Says how what runs now is stopped; a wish that came before is passed on at once.
    func runs(stoppedBy stop: @escaping @Sendable (CancelMode) -> Void) {
        let wish: CancelMode? = state.withLock { state in
            guard state.outcome == nil else { return nil }
            state.stop = stop
            return state.wish
        }
        if let wish { stop(wish) }
    }

    /// Calls `body` with the outcome from whichever thread brings it about, or from this one.
    private func whenEnded(_ body: @escaping @Sendable (Result<Output, any Error>) -> Void) {
        let outcome = state.withLock { state in
            if state.outcome == nil { state.waiters.append(body) }
            return state.outcome
        }
        if let outcome { body(outcome) }
    }

    private func deliver() {
        while let (callback, outcome) = state.withLock({ $0.nextDelivery() }) { callback(outcome) }
    }

    private static func isCancellation(_ error: any Error) -> Bool {
        if error is CancellationError { return true }
        return [.paused, .aborted].contains((error as? TransferError)?.code)
    }
}
