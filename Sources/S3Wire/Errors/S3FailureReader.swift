package import TransferHTTP
internal import TransferPrimitives
internal import TransferService

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Reads what the service refused, from the body where it has one in either language, else from the headers alone.
package struct S3FailureReader: ServiceFailureReader {
    private let names: S3HeaderNames
    private let title: String

    package init(_ dialect: S3Dialect) {
        names = dialect.headers
        title = dialect.title
    }

    package func failure(in response: HTTPResponse) -> ServiceFailure? {
        response.isSuccess ? nil : failure(response, Self.document(in: response))
    }

    /// The refusal that `document` tells of, whatever the status.
    func failure(_ response: HTTPResponse, _ document: ErrorDocument?) -> ServiceFailure {
        let ec = document?.ec ?? response.headers[names.ec]
        let requestID = document?.requestID ?? response.headers[names.requestID]
        let kind = FailureClass(status: response.status, serviceCode: document?.code, ec: ec)
        // HEAD has no body to name what is missing.
        let code = document?.code ?? (response.status == 404 ? ec.flatMap { Self.codeNames[$0] } : nil)
        return ServiceFailure(
            status: response.status, code: code, message: document?.message ?? response.excerpt(ofPageInPlaceOf: title),
            requestID: requestID,
            hostID: response.headers[names.id2] ?? document?.hostID, ec: ec, retry: kind.retry,
            serverTime: document?.serverTime ?? response.headers["Date"].flatMap { HTTPDate.parse($0) })
    }

    /// The error document in a body, if that is what it is.
    static func document(in response: HTTPResponse) -> ErrorDocument? {
        switch BodyFormat(of: response) {
        case .json: try? JSONDecoder().decode(ErrorDocument.self, from: Data(BodyFormat.trimmed(response.body)))
        case .xml: ErrorDocument(xml: BodyFormat.trimmed(response.body))
        case .other: nil
        }
    }

    /// For messages only: EC values may change.
    private static let codeNames = ["0006-00000001": "NoSuchBucket", "0017-00000003": "NoSuchKey"]
}
