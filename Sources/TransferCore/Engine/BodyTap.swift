internal import TransferPrimitives

/// Through which the bytes of a body pass, until it is closed.
///
/// A request whose body was closed before its end can never be whole, so the service cannot act on it; one whose end has
/// passed, in any attempt, may be.
final class BodyTap: Sendable {
    private let state: LockBox<(isClosed: Bool, hasEnded: Bool)>

    /// - Parameter isEmpty: Whether there is nothing to pass: a request without a body is whole as it is.
    init(isEmpty: Bool) { state = LockBox((false, isEmpty)) }

    /// Whether it was closed in time.
    var isWithheld: Bool { state.withLock { $0.isClosed } }

    /// Called with bytes that were read, before anybody else sees them. Throws `CancellationError` once closed.
    func pass(isEnd: Bool) throws {
        let isClosed = state.withLock { state in
            if !state.isClosed, isEnd { state.hasEnded = true }
            return state.isClosed
        }
        if isClosed { throw CancellationError() }
    }

    /// Lets no more bytes pass; false where all of them have.
    func close() -> Bool {
        state.withLock { state in
            if !state.hasEnded { state.isClosed = true }
            return state.isClosed
        }
    }
}
