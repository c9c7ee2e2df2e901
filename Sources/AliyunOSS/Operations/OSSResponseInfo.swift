internal import TransferCore
internal import TransferHTTP
internal import TransferService

/// What identifies an answer, for the service's support.
public struct OSSResponseInfo: Sendable, Hashable {
    /// `x-oss-request-id`.
    public var requestID: String?
    /// The HTTP status.
    public var statusCode: Int

    /// For tests of code that reads it; a client makes its own.
    public init(requestID: String? = nil, statusCode: Int) {
        self.requestID = requestID
        self.statusCode = statusCode
    }

    init(_ response: HTTPResponse) {
        self.init(requestID: response.headers.text(OSSHeader.requestID), statusCode: response.status)
    }

    init(_ receipt: TransferReceipt) { self.init(requestID: receipt.requestID, statusCode: receipt.status) }
}

/// What every output has.
public protocol OSSOutput: Sendable {
    /// Request id and HTTP status of the answer.
    var response: OSSResponseInfo { get }
}

extension OSSOutput {
    /// `x-oss-request-id`.
    public var requestID: String? { response.requestID }
    /// The HTTP status.
    public var statusCode: Int { response.statusCode }
}
