package import TransferPrimitives

/// An exchange that did not end with an answer.
package struct TransportFailure: Error, Sendable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The host name could not be resolved.
        case resolve
        /// No connection could be made.
        case connect
        /// No connection was made in the time allowed for it.
        case connectTimeout
        /// The TLS handshake failed in transit.
        case tls
        /// The server's certificate, its name or its chain is not accepted.
        case certificate
        /// The proxy refused.
        case proxy
        /// Nothing moved for longer than the idle limit.
        case idle
        /// A control call took longer than its deadline.
        case deadline
        /// The connection broke while the request was sent.
        case send
        /// The connection broke while the answer was read.
        case receive
        /// The connection was closed without an answer.
        case emptyReply
        /// The answer ended before its announced length.
        case partialBody
        /// The answer is not HTTP, or a feature of it that is not supported.
        case malformed
        /// The answer is longer than the caller collects.
        case tooLarge
        /// The source of the request's body failed or ended early; see `underlying`.
        case bodySource
        /// The sink of the answer's body failed; see `underlying`.
        case sink
        /// The request itself cannot be sent.
        case invalidRequest
        /// The transport was shut down.
        case shutdown
        /// libcurl failed in another way.
        case other
    }

    package var kind: Kind
    package var operation: String
    /// The host the request was for.
    package var host: String
    /// libcurl's result code and the name its manual lists it under; nil when libcurl took no part.
    package var code: Int32?
    package var codeName: String?
    /// What libcurl, or the transport, says of it.
    package var message: String
    package var retry: RetryAdvice
    /// Whether a byte of the request, sent now or before, may have reached the server, so that it may have acted on it.
    package var mayHaveReachedServer: Bool
    /// Whether a kept-alive connection died before any byte of the answer: the server had given it up.
    package var isStaleConnection: Bool
    /// How often the request was sent, this time included; 0 when it never was.
    package var attempts: Int
    package var underlying: (any Error)?

    package init(
        _ kind: Kind, operation: String, host: String, code: Int32? = nil, codeName: String? = nil, message: String,
        retry: RetryAdvice? = nil, mayHaveReachedServer: Bool = false, isStaleConnection: Bool = false,
        attempts: Int = 1, underlying: (any Error)? = nil
    ) {
        self.kind = kind
        self.operation = operation
        self.host = host
        self.code = code
        self.codeName = codeName
        self.message = message
        self.retry = retry ?? kind.retry
        self.mayHaveReachedServer = mayHaveReachedServer
        self.isStaleConnection = isStaleConnection
        self.attempts = attempts
        self.underlying = underlying
    }
}

extension TransportFailure.Kind {
    /// What repeating is good for: everything that a network does by itself is transient; a certificate, a protocol, the
    /// caller's own source or sink, and a shut-down client are not.
    package var retry: RetryAdvice {
        switch self {
        case .resolve, .connect, .connectTimeout, .tls, .idle, .deadline, .send, .receive, .emptyReply, .partialBody,
            .other:
            .backoff
        case .certificate, .proxy, .malformed, .tooLarge, .bodySource, .sink, .invalidRequest, .shutdown: .never
        }
    }
}

extension TransportFailure: CustomStringConvertible {
    package var description: String {
        var text = "\(operation): \(message) (\(kind.rawValue), host \(host)"
        if let code { text += ", libcurl \(code)" + (codeName.map { " \($0)" } ?? "") }
        if attempts > 1 { text += ", after \(attempts) attempts" }
        text += ")"
        if let underlying { text += ": \(underlying)" }
        return text
    }
}
