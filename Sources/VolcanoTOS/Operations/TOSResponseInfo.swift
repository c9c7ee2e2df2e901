internal import S3Wire
internal import TransferCore

/// What identifies an answer, for the service's support, and what else its headers say.
public struct TOSResponseInfo: Sendable, Hashable {
    /// `x-tos-request-id`.
    public var requestID: String?
    /// `x-tos-id-2`.
    public var id2: String?
    /// `x-tos-ec`, the fine-grained code that refusals have. Not to build logic on (TOS: "Error code overview").
    public var ec: String?
    /// The HTTP status.
    public var statusCode: Int
    /// The headers of the answer by lower-case name; empty where a transfer made of many requests is described.
    public var headers: [String: String]

    /// For tests of code that reads it; a client makes its own.
    public init(
        requestID: String? = nil, id2: String? = nil, ec: String? = nil, statusCode: Int,
        headers: [String: String] = [:]
    ) {
        self.requestID = requestID
        self.id2 = id2
        self.ec = ec
        self.statusCode = statusCode
        self.headers = headers
    }

    init(_ info: ResponseInfo) {
        self.init(
            requestID: info.requestID, id2: info.id2, ec: info.ec, statusCode: info.status,
            headers: Dictionary(info.headers.map { ($0.name.lowercased(), $0.value) }) { "\($0), \($1)" }
                // What this is printed into may be kept; no service needs to echo a key.
                .filter { !$0.key.hasSuffix("-server-side-encryption-customer-key") })
    }

    /// Of a transfer: what its last request was answered.
    init(_ receipt: TransferReceipt) {
        self.init(requestID: receipt.requestID, id2: receipt.hostID, statusCode: receipt.status)
    }
}

/// What every output has.
public protocol TOSOutput: Sendable {
    /// Request id, HTTP status and headers of the answer.
    var response: TOSResponseInfo { get }
}

extension TOSOutput {
    /// `x-tos-request-id`.
    public var requestID: String? { response.requestID }
    /// `x-tos-id-2`.
    public var id2: String? { response.id2 }
    /// `x-tos-ec`; nil for most answers that are no refusals.
    public var ec: String? { response.ec }
    /// The HTTP status.
    public var statusCode: Int { response.statusCode }
}
