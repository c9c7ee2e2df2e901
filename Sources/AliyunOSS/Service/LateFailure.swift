internal import TransferCore
internal import TransferHTTP
internal import TransferPrimitives
internal import TransferService
internal import TransferXML

// A good status is no success yet: a long copy may fail after its status line was sent, and a page of something in between
// may take the place of an answer. What is wrong with the body decides; what is wrong without a reason is as transient as a
// 500.

extension OSSService {
    /// What `read` finds in the document of a 2xx answer. Throws the refusal that stands in its place.
    static func document<Document>(
        in response: HTTPResponse, _ read: ([UInt8]) throws -> Document
    ) throws -> Document {
        guard BodyFormat(of: response) == .xml else {
            if let error = OSSFailureReader.document(in: response) { throw OSSFailureReader.failure(response, error) }
            throw malformed(response, response.body.isEmpty ? "the answer is empty" : nil)
        }
        do {
            return try read(response.body)
        } catch let unreadable as XMLError {
            if let error = ErrorDocument(xml: response.body) { throw OSSFailureReader.failure(response, error) }
            throw malformed(response, unreadable.description)
        }
    }

    /// The root of the document of a 2xx answer, which must be named `name`.
    static func element(_ name: String, in response: HTTPResponse) throws -> XMLElement {
        try document(in: response) { try XMLElement(parsing: $0).expecting(name) }
    }

    /// Throws when an answer that has no document does not come from OSS either.
    static func checkOrigin(of response: HTTPResponse) throws {
        guard response.headers.text(OSSHeader.requestID) != nil else {
            throw malformed(response, "the answer has no request id: it does not come from OSS")
        }
    }

    /// An answer that cannot be what it should be; repeating may help.
    static func malformed(_ response: HTTPResponse, _ reason: String?) -> ServiceFailure {
        var failure = OSSFailureReader.failure(response, nil)
        failure.message = reason ?? failure.message
        failure.retry = .backoff
        return failure
    }

    /// The object stands; what OSS was to tell another server of it did not arrive there.
    static func callbackFailure(_ response: HTTPResponse, size: UInt64? = nil) -> TransferError {
        let failure = OSSFailureReader.failure(response, OSSFailureReader.document(in: response))
        // The refusal may stand in place of the document that has the tag.
        let untagged = TransferReceipt(ETag(""), response, size: size)
        let isDescribed = !untagged.checksums.isEmpty || untagged.versionID != nil
        return TransferError(
            .storedCallbackFailed, failure.message ?? "the object is stored, and its callback failed",
            service: ServiceInfo(failure),
            receipt: TransferReceipt(byHeadersOf: response, size: size) ?? (isDescribed ? untagged : nil))
    }
}
