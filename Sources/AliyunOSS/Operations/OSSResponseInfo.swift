internal import TransferCore
internal import TransferHTTP
internal import TransferService

/// What identifies an answer, for the service's support.
public struct OSSResponseInfo: Sendable, Hashable {
    /// `x-oss-request-id`.
    public var requestID: String?
    /// The HTTP status.
    public var statusCode: Int

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
    var response: OSSResponseInfo { get }
}

extension OSSOutput {
    /// `x-oss-request-id`.
    public var requestID: String? { response.requestID }
    /// The HTTP status.
    public var statusCode: Int { response.statusCode }
}
