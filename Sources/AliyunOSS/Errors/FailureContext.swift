package import TransferCore
package import TransferHTTP
internal import TransferPrimitives

/// What an error is about, so that it can say so.
package struct FailureContext: Sendable {
    /// What is being done, in the manual's words where it has one.
    package var operation: String
    package var object: ObjectLocation
    package var part: Int?
    package var uploadID: String?
    /// Whether a failed precondition can only mean that the source is another one now.
    package var guardsSource = false

    package init(
        operation: String, object: ObjectLocation, part: Int? = nil, uploadID: String? = nil, guardsSource: Bool = false
    ) {
        self.operation = operation
        self.object = object
        self.part = part
        self.uploadID = uploadID
        self.guardsSource = guardsSource
    }

    init(_ operation: OSSOperation, _ object: ObjectLocation, guardsSource: Bool = false) {
        self.init(operation: operation.rawValue, object: object, guardsSource: guardsSource)
    }

    init(_ operation: OSSOperation, of upload: MultipartUpload, part: Int? = nil, guardsSource: Bool = false) {
        self.init(
            operation: operation.rawValue, object: upload.target, part: part, uploadID: upload.id,
            guardsSource: guardsSource)
    }

    /// The error that users see, in place of what a layer below threw. `CancellationError` stays what it is.
    func error(_ error: any Error) -> any Error {
        switch error {
        case is CancellationError: error
        case let failure as ServiceFailure: transferError(failure)
        case let failure as TransportFailure: transferError(failure)
        case CredentialsFailure.shutDown: located(TransferError(.disposed, "the client was shut down"))
        case CredentialsFailure.provider(let cause as TransferError): located(cause)
        case let failure as CredentialsFailure:
            located(TransferError(.credentialsUnavailable, failure.description, underlying: failure.cause))
        case let failure as TransferError: located(failure)
        case let failure as HTTPHeaderError:
            // What a request says was checked when it was built; what is left is what it is signed with.
            located(
                TransferError(.credentialsInvalid, "the credentials cannot be sent: \(failure)", underlying: failure))
        default: located(TransferError(.refused, "\(error)", underlying: error))
        }
    }

    private func transferError(_ failure: ServiceFailure) -> TransferError {
        let kind = FailureClass(status: failure.status, serviceCode: failure.code, message: failure.message)
        var code = kind.code
        // Not a target that must not be replaced, which has codes of its own.
        if guardsSource, code == .preconditionFailed, [nil, "PreconditionFailed"].contains(failure.code) {
            code = .sourceChanged
        }
        if failure.code == nil, (200..<300).contains(failure.status) { code = .malformedResponse }
        if isFromElsewhere(failure) { code = .refused }
        let text = failure.message ?? Self.plainWords(code, status: failure.status)
        return located(
            TransferError(
                code, failure.code.map { "\($0): \(text)" } ?? text,
                retry: failure.retryAfter.map { .after($0) } ?? failure.retry, service: ServiceInfo(failure),
                attempts: failure.attempts, underlying: failure))
    }

    /// A denial without a code and without a request id does not come from OSS, but from something in between.
    private func isFromElsewhere(_ failure: ServiceFailure) -> Bool {
        failure.code == nil && failure.requestID == nil && [403, 404, 405].contains(failure.status)
    }

    private func transferError(_ failure: TransportFailure) -> TransferError {
        if let inner = failure.underlying as? TransferError {
            var error = located(inner)
            error.attempts = failure.attempts
            return error
        }
        return located(
            TransferError(
                TransferError.Code(failure.kind), failure.message, retry: failure.retry, attempts: failure.attempts,
                underlying: failure))
    }

    private func located(_ error: TransferError) -> TransferError {
        var error = error
        error.provider = error.provider ?? OSSProvider.name
        guard error.code != .invalidArgument else { return error }
        error.operation = error.operation ?? operation
        error.object = error.object ?? object
        error.part = error.part ?? part
        error.uploadID = error.uploadID ?? uploadID
        return error
    }

    private static func plainWords(_ code: TransferError.Code, status: Int) -> String {
        switch code {
        case .notFound: "there is no such object, version or bucket"
        case .accessDenied: "access is denied"
        case .preconditionFailed: "a condition of the request does not hold"
        case .sourceChanged: "the source is no longer what it was"
        default: "the answer has status \(status) and no document"
        }
    }
}

extension CredentialsFailure {
    /// The provider's own error.
    fileprivate var cause: (any Error)? {
        if case .provider(let error) = self { error } else { nil }
    }
}

extension ServiceInfo {
    init(_ failure: ServiceFailure) {
        self.init(
            status: failure.status, code: failure.code, message: failure.message, requestID: failure.requestID,
            hostID: failure.hostID, ec: failure.ec)
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
