internal import TransferPrimitives

extension TransferError {
    /// `error` itself when it is one already; else an error of `code` with `error` underneath.
    init(wrapping error: any Error, as code: Code) {
        switch error {
        case let error as TransferError: self = error
        case is CancellationError: self.init(.cut, "cut because the transfer stops")
        case let error as SystemCallError where error.isDiskFull:
            self.init(.diskFull, "\(error)", underlying: error)
        default: self.init(code, "\(error)", underlying: error)
        }
    }
}
