package import TransferCore
package import TransferHTTP
internal import TransferPrimitives

/// What an error is about, so that it can say so.
package struct FailureContext: Sendable {
    /// What is being done, in the manual's words where it has one.
    package var operation: String
    package var object: ObjectLocation
    /// From 1; nil when it is about no part.
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

    /// The error that users see, in place of what a layer below threw. `CancellationError` stays what it is.
    ///
    /// - Parameters:
    ///   - provider: The name of the service.
    ///   - meaning: What a refusal by the service means.
    package func error(
        _ error: any Error, provider: String, meaning: (ServiceFailure) -> TransferError.Code
    ) -> any Error {
        let known: TransferError
        switch error {
        case is CancellationError: return error
        case let failure as ServiceFailure: known = Self.transferError(failure, meaning)
        case let failure as TransportFailure: known = Self.transferError(failure)
        case CredentialsFailure.exhausted(let cause as TransferError): known = cause
        case CredentialsFailure.shutDown: known = TransferError(.disposed, "the client was shut down")
        case let failure as CredentialsFailure:
            known = TransferError(.credentialsUnavailable, failure.description, underlying: failure.cause)
        case let failure as TransferError: known = failure
        case let failure as HTTPHeaderError:
            // What a request says was checked when it was built; what is left is what it is signed with.
            known = TransferError(
                .credentialsInvalid, "the credentials cannot be sent: \(failure)", underlying: failure)
        default: known = TransferError(.refused, "\(error)", underlying: error)
        }
        return located(known, provider)
    }

    private func located(_ error: TransferError, _ provider: String) -> TransferError {
        var error = error
        error.provider = error.provider ?? provider
        guard error.code != .invalidArgument else { return error }
        error.operation = error.operation ?? operation
        error.object = error.object ?? object
        error.part = error.part ?? part
        error.uploadID = error.uploadID ?? uploadID
        // The same name at every service, in their manuals as here.
        if error.code == .tooLarge, operation == "CopyObject" {
            error.message += "; resumableCopyObject copies it in parts"
        }
        return error
    }

    private static func transferError(
        _ failure: ServiceFailure, _ meaning: (ServiceFailure) -> TransferError.Code
    ) -> TransferError {
        let isMalformed = failure.code == nil && (200..<300).contains(failure.status)
        let code = isMalformed ? .malformedResponse : meaning(failure)
        let text = failure.message ?? plainWords(code, status: failure.status)
        var error = TransferError(
            code, failure.code.map { "\($0): \(text)" } ?? text,
            retry: advice(failure), service: ServiceInfo(failure),
            attempts: failure.attempts, underlying: failure)
        error.isWithoutEffect = !failure.mayHaveActed
        return error
    }

    /// The pause that the service named, where repeating after a pause can help at all.
    private static func advice(_ failure: ServiceFailure) -> RetryAdvice {
        switch failure.retry {
        case .backoff, .throttled, .after: failure.retryAfter.map { .after($0) } ?? failure.retry
        case .never, .refreshCredentials, .adjustClock, .restartUpload: failure.retry
        }
    }

    private static func transferError(_ failure: TransportFailure) -> TransferError {
        guard var inner = failure.underlying as? TransferError else { return TransferError(failure) }
        inner.attempts = failure.attempts
        return inner
    }

    private static func plainWords(_ code: TransferError.Code, status: Int) -> String {
        switch code {
        case .notFound: "there is no such object, version or bucket"
        case .accessDenied: "access is denied"
        case .crossRegion: "the bucket is reached at another endpoint"
        case .preconditionFailed: "a condition of the request does not hold"
        case .sourceChanged: "the source is no longer what it was"
        default: "the answer has status \(status) and no document"
        }
    }
}

extension ServiceFailure {
    /// A denial without a code and without a request id does not come from the service, but
    /// from an intermediary (RFC 9110, section 3.7), such as a proxy.
    package var isFromIntermediary: Bool { code == nil && requestID == nil && [403, 404, 405].contains(status) }
}

extension CredentialsFailure {
    /// The provider's own error.
    fileprivate var cause: (any Error)? {
        if case .provider(let error) = self { error } else { nil }
    }
}
