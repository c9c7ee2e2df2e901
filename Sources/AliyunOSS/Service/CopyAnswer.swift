internal import TransferCore
internal import TransferHTTP
internal import TransferPrimitives
internal import TransferXML

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// What CopyObject and UploadPartCopy answer.
struct CopyAnswer: Sendable {
    let receipt: TransferReceipt
    let lastModified: Date?

    /// - Parameter root: What the document is called.
    ///
    /// Throws the refusal when the answer holds one, or no ETag: a copy without an ETag was not made.
    init(_ response: HTTPResponse, root: String) throws {
        let document = try OSSService.element(root, in: response)
        guard let etag = document.trimmedText("ETag").map({ ETag($0) }), !etag.isEmpty else {
            throw OSSService.malformed(response, "the answer has no ETag")
        }
        receipt = TransferReceipt(etag, response)
        lastModified = document.trimmedText("LastModified").flatMap { HTTPDate.parseISO8601($0) }
    }
}
