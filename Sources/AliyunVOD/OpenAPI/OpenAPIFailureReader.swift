internal import TransferCore
internal import TransferHTTP
internal import TransferPrimitives
internal import TransferService

/// Reads what the OpenAPI refused (spec section 1.9).
struct OpenAPIFailureReader: ServiceFailureReader {
    func failure(in response: HTTPResponse) -> ServiceFailure? {
        response.isSuccess ? nil : Self.failure(response, JSONMembers(parsing: response.body))
    }

    /// The refusal that `members` tell of, whatever the status.
    static func failure(_ response: HTTPResponse, _ members: JSONMembers?) -> ServiceFailure {
        let code = members?[inAnyCase: "Code"]
        return ServiceFailure(
            status: response.status, code: code,
            message: members?[inAnyCase: "Message"] ?? response.excerpt(ofPageInPlaceOf: "the OpenAPI"),
            requestID: members?[inAnyCase: "RequestId"], hostID: members?[inAnyCase: "HostId"],
            retry: retry(status: response.status, code: code))
    }

    private static func retry(status: Int, code: String?) -> RetryAdvice {
        if status == 429 || code?.hasPrefix("Throttling") == true { return .throttled }
        switch code {
        case "InvalidSecurityToken.Expired"?: return .refreshCredentials
        case "InvalidTimeStamp.Expired"?: return .adjustClock
        default: return status >= 500 || (200...299).contains(status) ? .backoff : .never
        }
    }
}

extension TransferError {
    /// What a call of the OpenAPI ended with, in the words that users know. `CancellationError` is none of them.
    init(openAPI error: any Error, operation: String) {
        switch error {
        case let failure as ServiceFailure:
            var told = failure
            told.message = failure.message.flatMap(\.withoutQuotedRequest)
            self.init(
                Self.code(failure), Self.message(told), retry: failure.retry, service: ServiceInfo(told),
                attempts: failure.attempts, underlying: failure)
        case let failure as TransportFailure: self.init(failure)
        case CredentialsFailure.shutDown: self.init(.disposed, "the client was shut down")
        case CredentialsFailure.provider(let cause as TransferError): self = cause
        case let failure as CredentialsFailure:
            self.init(.credentialsUnavailable, failure.description, underlying: failure)
        case let error as TransferError: self = error
        default: self.init(.connectionFailed, "\(error)", underlying: error)
        }
        if self.operation == nil { self.operation = operation }
        if provider == nil { provider = VODProvider.name }
    }

    private static func message(_ failure: ServiceFailure) -> String {
        guard let code = failure.code else { return words(failure) }
        guard Self.code(failure) == .signatureMismatch else { return "\(code): \(failure.message ?? "refused")" }
        let hint = "the access key secret is wrong, or something on the way changes requests"
        return "\(code): \(hint)" + (failure.message.map { ": \($0)" } ?? "")
    }

    private static func words(_ failure: ServiceFailure) -> String {
        failure.message ?? "the answer has status \(failure.status) and is none of the OpenAPI"
    }

    private static func code(_ failure: ServiceFailure) -> Code {
        switch failure.retry {
        case .throttled: return .throttled
        case .refreshCredentials: return .credentialsExpired
        case .adjustClock: return .clockSkew
        default: break
        }
        guard let code = failure.code else { return byStatus(failure.status) }
        if code.hasPrefix("InvalidAccessKeyId") || code.hasPrefix("InvalidSecurityToken") { return .credentialsInvalid }
        if code == "SignatureDoesNotMatch" || code == "IncompleteSignature" { return .signatureMismatch }
        if code.hasSuffix(".NotFound") { return .notFound }
        return byStatus(failure.status)
    }

    private static func byStatus(_ status: Int) -> Code {
        switch status {
        case 200...299: .malformedResponse
        case 401, 403: .accessDenied
        case 404: .notFound
        case 407: .proxyFailed
        case 500...: .serviceUnavailable
        default: .refused
        }
    }
}
