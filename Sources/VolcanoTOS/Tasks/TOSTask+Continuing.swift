internal import TransferCore

extension TOSTask {
    /// Has `body` called with this task once it has ended, whichever way, and returns the task of what `body` returns.
    ///
    /// To cancel that task cancels this one while it runs; `body` is called all the same, and sees the error.
    ///
    /// - Parameter body: Called on this task's queue. What it throws is the error of the task that is returned.
    /// - Returns: A task that ends when `body` returns.
    @discardableResult
    public func continueWith<Next: Sendable>(
        _ body: @escaping @Sendable (TOSTask<Output>) throws -> Next
    ) -> TOSTask<Next> {
        let next = TOSTask<Next>()
        next.runs { self.cancel(abort: $0 == .abort) }
        notify { _ in next.settle(Result { try body(self) }) }
        return next
    }

    /// Has `body` called with this task once it has ended, whichever way, and returns a task that ends as the one that
    /// `body` returns.
    ///
    /// To cancel that task cancels whichever of the two runs.
    ///
    /// - Parameter body: Called on this task's queue. What it throws is the error of the task that is returned.
    /// - Returns: A task with the outcome of the one that `body` returns.
    @discardableResult
    public func continueWith<Next: Sendable>(
        _ body: @escaping @Sendable (TOSTask<Output>) throws -> TOSTask<Next>
    ) -> TOSTask<Next> {
        let next = TOSTask<Next>()
        next.runs { self.cancel(abort: $0 == .abort) }
        notify { _ in
            do {
                let inner = try body(self)
                next.runs { inner.cancel(abort: $0 == .abort) }
                inner.notify { next.settle($0) }
            } catch {
                next.settle(.failure(error))
            }
        }
        return next
    }
}
