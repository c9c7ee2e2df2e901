package import TransferHTTP

/// How long answers may take.
package struct ServiceTimeouts: Sendable, Hashable {
    /// What bounds the answer to an operation.
    package enum Kind: Hashable {
        /// A question that is answered at once: bounded as a whole.
        case control
        /// Bytes of the caller's: bounded by silence alone.
        case data
        /// The service works for minutes without a word: bounded by a long silence.
        case serverSide
    }

    /// The longest silence while the service copies or completes by itself.
    package var serverSide: Duration
    /// The longest a control call may take, from the first byte sent to the last byte read.
    package var control: Duration

    package init(serverSide: Duration, control: Duration) {
        self.serverSide = serverSide
        self.control = control
    }

    /// Bounds `request` by the timeout of its kind; where there is none, the transport's own stand.
    package func apply(_ kind: Kind, to request: inout HTTPRequest) {
        switch kind {
        case .control: request.deadline = control
        case .data: break
        case .serverSide: request.idleTimeout = serverSide
        }
    }
}
