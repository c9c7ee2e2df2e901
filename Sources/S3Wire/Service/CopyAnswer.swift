package import TransferCore
internal import TransferHTTP
internal import TransferPrimitives

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// What CopyObject and UploadPartCopy answer.
package struct CopyAnswer: Sendable {
    package let receipt: TransferReceipt
    package let info: ResponseInfo
    /// Nil when the service does not tell.
    package let lastModified: Date?
}

extension S3Service {
    /// Throws the refusal when the answer holds one, or no ETag: a copy without an ETag was not made.
    func copyAnswer(_ response: HTTPResponse) throws -> CopyAnswer {
        let document = try document(CopyResultDocument.self, in: response)
        guard let etag = document.eTag.map({ ETag($0) }), !etag.isEmpty else {
            throw malformed(response, "the answer has no ETag")
        }
        return CopyAnswer(
            receipt: receipt(etag, response), info: ResponseInfo(response, dialect.headers),
            lastModified: document.lastModified.flatMap { HTTPDate.parseISO8601($0) })
    }
}
