internal import TransferCore
internal import TransferHTTP
internal import TransferPrimitives

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// What CopyObject and UploadPartCopy answer.
struct CopyAnswer: Sendable {
    let receipt: TransferReceipt
    let lastModified: Date?

    /// Throws the refusal when the answer holds one, or no ETag: a copy without an ETag was not made.
    init(_ response: HTTPResponse) throws {
        let document = try TOSService.document(CopyResultDocument.self, in: response)
        guard let etag = document.eTag.map({ ETag($0) }), !etag.isEmpty else {
            throw TOSService.malformed(response, "the answer has no ETag")
        }
        receipt = TransferReceipt(etag, response)
        lastModified = document.lastModified.flatMap { HTTPDate.parseISO8601($0) }
    }
}
