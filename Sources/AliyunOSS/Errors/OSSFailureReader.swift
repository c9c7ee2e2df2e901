package import TransferHTTP
internal import TransferPrimitives
internal import TransferService

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Reads what OSS refused: from the body, or the header that stands for it after HEAD, else from the headers alone.
package struct OSSFailureReader: ServiceFailureReader {
    package init() {}

    package func failure(in response: HTTPResponse) -> ServiceFailure? {
        response.isSuccess ? nil : Self.failure(response, Self.document(in: response))
    }

    /// The refusal that `document` tells of, whatever the status.
    static func failure(_ response: HTTPResponse, _ document: ErrorDocument?) -> ServiceFailure {
        let ec = document?.ec ?? response.headers.text(OSSHeader.ec)
        let code = document?.code ?? (response.isSuccess ? nil : ec.flatMap { codes[$0] })
        let kind = FailureClass(status: response.status, serviceCode: code, message: document?.message)
        return ServiceFailure(
            status: response.status, code: code, message: document?.message ?? response.excerpt(ofPageInPlaceOf: "OSS"),
            requestID: document?.requestID ?? response.headers.text(OSSHeader.requestID), hostID: document?.hostID,
            ec: ec, retry: kind.retry, serverTime: document?.serverTime)
    }

    /// The error document of an answer, if it has one.
    static func document(in response: HTTPResponse) -> ErrorDocument? {
        switch BodyFormat(of: response) {
        case .xml: return ErrorDocument(xml: response.body)
        case .json: return ErrorDocument(json: Array(BodyFormat.trimmed(response.body)))
        case .other:
            for name in OSSHeader.errorDocuments {
                guard let text = response.headers.text(name), let bytes = Base64.decode(text, tolerant: true),
                    let document = ErrorDocument(xml: bytes)
                else { continue }
                return document
            }
            return nil
        }
    }

    /// The codes that decide what to do, for an answer that has nothing but its EC (spec section 4.2).
    private static let codes = [
        "0002-00000002": "InvalidAccessKeyId", "0002-00000004": "AccessKeyIdAndSecurityTokenNotMatch",
        "0002-00000006": "InvalidSecurityToken", "0002-00000007": "SecurityTokenExpired",
        "0002-00000504": "RequestTimeTooSkewed", "0017-00000244": "NoSuchUpload", "0042-00000203": "NoSuchUpload",
        "0026-00000001": "NoSuchKey",
    ]
}
