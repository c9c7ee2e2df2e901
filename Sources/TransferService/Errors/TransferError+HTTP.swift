package import TransferCore
package import TransferHTTP

// What failures of the HTTP layers are to users.

extension TransferError {
    /// An exchange that had no answer.
    package init(_ failure: TransportFailure) {
        self.init(
            Code(failure.kind), failure.message, retry: failure.retry, attempts: failure.attempts, underlying: failure)
        isWithoutEffect = !failure.mayHaveReachedServer
    }
}

extension TransferError.Code {
    /// What an exchange without an answer means to users.
    package init(_ kind: TransportFailure.Kind) {
        self =
            switch kind {
            case .resolve: .hostNotFound
            case .connect, .send, .receive, .emptyReply, .partialBody, .other: .connectionFailed
            case .connectTimeout, .idle, .deadline: .timedOut
            case .tls, .certificate: .tlsFailed
            case .proxy: .proxyFailed
            case .malformed, .tooLarge: .malformedResponse
            case .bodySource: .fileUnreadable
            case .sink: .fileUnwritable
            case .invalidRequest: .invalidArgument
            case .shutdown: .disposed
            }
    }
}

extension ServiceInfo {
    package init(_ failure: ServiceFailure) {
        self.init(
            status: failure.status, code: failure.code, message: failure.message, requestID: failure.requestID,
            hostID: failure.hostID, ec: failure.ec)
    }
}
