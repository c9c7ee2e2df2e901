internal import TransferPrimitives

/// A hook to pause or abort one transfer from anywhere: another task, a signal handler's thread, its own event callback.
///
/// One hook serves one task. Once that task has ended, whatever its end, the next task needs a new hook. `cancel` never
/// waits; the task's own result says when it has stopped.
public final class TransferCancelHook: CancelHook {
    private enum State {
        case idle(CancelMode?)
        case attached(handler: @Sendable (CancelMode) -> Void, CancelMode?)
        case ended
    }

    private let state = LockBox(State.idle(nil))

    /// A hook for one transfer. It may be cancelled before it is given to one.
    public init() {}

    /// Asks the task to stop: `abort: false` pauses it and keeps the checkpoint and the parts stored so far, `abort: true`
    /// aborts the multipart upload and removes the checkpoint. Before the task starts, it makes the task end without a
    /// request. Again, late, or from several threads it does no harm; an abort after a pause still counts while the task runs.
    public func cancel(abort: Bool = false) {
        let wish: CancelMode = abort ? .abort : .pause
        let handler: (@Sendable (CancelMode) -> Void)? = state.withLock { state in
            switch state {
            case .idle(let earlier):
                state = .idle(max(wish, earlier ?? wish))
                return nil
            case .attached(let handler, let earlier):
                if let earlier, earlier >= wish { return nil }
                state = .attached(handler: handler, wish)
                return handler
            case .ended:
                return nil
            }
        }
        handler?(wish)
    }

    public func attach(_ handler: @escaping @Sendable (CancelMode) -> Void) throws -> CancelRegistration {
        let wish: CancelMode? = try state.withLock { state throws(TransferError) in
            guard case .idle(let wish) = state else {
                throw TransferError(
                    .cancelHookUsed, "a cancel hook serves one task; make a new hook for each call", field: "cancelHook"
                )
            }
            state = .attached(handler: handler, wish)
            return wish
        }
        if let wish { handler(wish) }
        return CancelRegistration { [state] in state.withLock { $0 = .ended } }
    }
}
