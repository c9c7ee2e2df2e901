package import TransferPrimitives

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A refusal by the service, read from its answer.
package struct ServiceFailure: Error, Sendable {
    package var operation: String
    package var status: Int
    /// The service's own code, such as `NoSuchUpload`; nil when the answer had none (HEAD, a proxy's page).
    package var code: String?
    package var message: String?
    package var requestID: String?
    package var hostID: String?
    /// The service's fine-grained error code.
    package var ec: String?
    package var retry: RetryAdvice
    /// The shortest pause the answer asked for.
    package var retryAfter: Duration?
    /// The service's clock: from the error document where it has one, else from the `Date` header.
    package var serverTime: Date?
    /// Whether the answer says that a kept-alive connection was given up (`RequestTimeout` on a reused one).
    package var isStaleConnection: Bool
    /// How often the request was sent, this time included.
    package var attempts: Int
    /// Whether the service may have acted on it, this time or before. A refusal below 500, or for pressure, means that it
    /// did not.
    package var mayHaveActed: Bool

    package init(
        operation: String = "", status: Int, code: String? = nil, message: String? = nil, requestID: String? = nil,
        hostID: String? = nil, ec: String? = nil, retry: RetryAdvice, retryAfter: Duration? = nil,
        serverTime: Date? = nil, isStaleConnection: Bool = false, attempts: Int = 1
    ) {
        self.operation = operation
        self.status = status
        self.code = code
        self.message = message
        self.requestID = requestID
        self.hostID = hostID
        self.ec = ec
        self.retry = retry
        self.retryAfter = retryAfter
        self.serverTime = serverTime
        self.isStaleConnection = isStaleConnection
        self.attempts = attempts
        mayHaveActed = retry != .throttled && !(400...499).contains(status)
    }
}

extension ServiceFailure: CustomStringConvertible {
    package var description: String {
        var text = "\(operation): \(status)"
        if let code { text += " \(code)" }
        if let message { text += ": \(message)" }
        if let requestID { text += " (request id \(requestID))" }
        if attempts > 1 { text += ", after \(attempts) attempts" }
        return text
    }
}

/// Reads refusals in the language of one service.
///
///     struct StatusOnly: ServiceFailureReader {
///         func failure(in response: HTTPResponse) -> ServiceFailure? {
///             response.isSuccess
///                 ? nil : ServiceFailure(status: response.status, retry: response.status >= 500 ? .backoff : .never)
///         }
///     }
package protocol ServiceFailureReader: Sendable {
    /// What the service refused; nil when its status says success. A refusal inside a 200 answer is found by the
    /// operation's own decoding, which throws a `ServiceFailure` itself.
    ///
    /// `operation`, `retryAfter`, `isStaleConnection`, `attempts` and, when nil, `serverTime` are filled in by the
    /// caller, which also takes the credentials out of `message`.
    func failure(in response: HTTPResponse) -> ServiceFailure?
}
