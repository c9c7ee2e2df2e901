internal import TransferCore
internal import TransferHTTP

/// Why an answer of `getAuth` cannot be used; underneath the error that users see.
struct UnusableAuthAnswer: Error, CustomStringConvertible {
    let description: String
}

// What can go wrong with credentials, in the engine's words. The code never says more than that there are none: codes that
// speak of objects and uploads would be taken for an answer of OSS.

extension TransferError {
    private static func unavailable(_ kind: VODAuthKind, _ message: String, underlying: (any Error)?) -> TransferError {
        TransferError(
            .credentialsUnavailable, message, operation: kind.operation, provider: VODProvider.name,
            underlying: underlying)
    }

    /// The answer is none, or misses something.
    static func unusableAnswer(_ kind: VODAuthKind, _ reason: String) -> TransferError {
        unavailable(kind, "\(kind.operation) \(reason)", underlying: UnusableAuthAnswer(description: reason))
    }

    /// The answer is a refusal of the OpenAPI.
    static func refusedAnswer(_ kind: VODAuthKind, code: String, message: String?, requestID: String?) -> TransferError
    {
        let message = message.flatMap(\.withoutQuotedRequest)
        var error = unavailable(kind, "\(code): \(message ?? "refused")", underlying: nil)
        error.service = ServiceInfo(status: 0, code: code, message: message, requestID: requestID)
        return error
    }

    /// The application's closure threw.
    static func failedAuth(_ kind: VODAuthKind, _ error: any Error) -> TransferError {
        guard let known = error as? TransferError else {
            return unavailable(kind, "\(kind.operation) failed: \(error)", underlying: error)
        }
        if known.provider == VODProvider.name, known.operation == kind.operation { return known }
        var wrapped = unavailable(kind, known.message, underlying: known)
        wrapped.service = known.service
        wrapped.retry = known.retry
        return wrapped
    }

    /// What a cache of credentials threw.
    init(_ failure: CredentialsFailure, asking kind: VODAuthKind) {
        switch failure {
        case .provider(let error), .exhausted(let error): self = .failedAuth(kind, error)
        case .timedOut(let limit):
            self = Self.unavailable(
                kind, "\(kind.operation) did not answer within \(limit)", underlying: failure)
        case .shutDown: self.init(.disposed, "the uploader was disposed", provider: VODProvider.name)
        }
    }

    /// Whether the OpenAPI knows no such video.
    var isVideoUnknown: Bool { service?.code == "InvalidVideo.NotFound" }
}

extension VODAuthKind {
    /// What errors call it.
    var operation: String { "getAuth(\(rawValue))" }
}
