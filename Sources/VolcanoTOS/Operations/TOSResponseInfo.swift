internal import TransferHTTP

/// What identifies an answer, for the service's support.
public struct TOSResponseInfo: Sendable, Hashable {
    /// `x-tos-request-id`.
    public var requestID: String?
    /// `x-tos-id-2`.
    public var id2: String?
    /// The HTTP status.
    public var statusCode: Int

    /// For tests of code that reads it; a client makes its own.
    public init(requestID: String? = nil, id2: String? = nil, statusCode: Int) {
        self.requestID = requestID
        self.id2 = id2
        self.statusCode = statusCode
    }

    init(_ response: HTTPResponse) {
        self.init(
            requestID: response.headers[TOSHeader.requestID], id2: response.headers[TOSHeader.id2],
            statusCode: response.status)
    }
}

/// What every output has.
public protocol TOSOutput: Sendable {
    /// Request id and HTTP status of the answer.
    var response: TOSResponseInfo { get }
}

extension TOSOutput {
    /// `x-tos-request-id`.
    public var requestID: String? { response.requestID }
    /// `x-tos-id-2`.
    public var id2: String? { response.id2 }
    /// The HTTP status.
    public var statusCode: Int { response.statusCode }
}
