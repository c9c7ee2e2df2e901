internal import TransferPrimitives

/// An outcome that comes from outside: once, twice or never, on any thread. The first counts.
final class OneShot<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case awaited(CheckedContinuation<Value, any Error>)
        case resolved(Result<Value, any Error>)
    }

    private let state = LockBox(State.empty)

    func resolve(_ outcome: Result<Value, any Error>) {
        let waiter: CheckedContinuation<Value, any Error>? = state.withLock { state in
            switch state {
            case .resolved: return nil
            case .empty:
                state = .resolved(outcome)
                return nil
            case .awaited(let continuation):
                state = .resolved(outcome)
                return continuation
            }
        }
        waiter?.resume(with: outcome)
    }

    /// Waits for the outcome, for one caller; throws `CancellationError` as soon as that is cancelled.
    func value() async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Value, any Error>? = state.withLock { state in
                    switch state {
                    case .resolved(let outcome): return outcome
                    case .empty, .awaited:
                        state = .awaited(continuation)
                        return nil
                    }
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            resolve(.failure(CancellationError()))
        }
    }
}
