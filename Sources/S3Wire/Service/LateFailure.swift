internal import TransferCore
internal import TransferHTTP
internal import TransferPrimitives
internal import TransferService
internal import TransferXML

// A good status is no success yet: a long copy may fail after its status line was sent (TOS: spec section 4.13; S3:
// "CopyObject"). What is wrong with the body decides; what is wrong without a reason is as transient as a 500.

extension S3Service {
    /// The document in a 2xx answer, in whichever language it is. Throws the refusal that stands in its place.
    func document<Document: ResultDocument>(_: Document.Type, in response: HTTPResponse) throws -> Document {
        guard let answer = AnswerDocument<Document>(response) else {
            throw malformed(response, response.body.isEmpty ? "the answer is empty" : nil)
        }
        if let error = answer.error, error.isError { throw S3FailureReader(dialect).failure(response, error) }
        guard let document = answer.document else { throw malformed(response, "the answer is cut or damaged") }
        return document
    }

    /// An answer that cannot be what it should be; repeating may help.
    func malformed(_ response: HTTPResponse, _ reason: String?) -> ServiceFailure {
        var failure = S3FailureReader(dialect).failure(response, nil)
        failure.message = reason ?? failure.message
        failure.retry = .backoff
        return failure
    }

    /// Throws when an answer that has no document is none of the service's: a page with a good status, such as the login page
    /// of what stands between.
    func checkOrigin(of response: HTTPResponse) throws {
        guard response.headers.text(dialect.headers.requestID) == nil else { return }
        let isPage = response.headers["Content-Type"]?.lowercased().contains("html") == true
        guard response.body.isEmpty, !isPage else { throw malformed(response, nil) }
    }

    /// Whether the headers of an object's answer are the service's: it names the request, or the object's tag.
    func isOfObject(_ headers: HTTPHeaders) -> Bool {
        headers.text(dialect.headers.requestID) != nil || headers.text("ETag") != nil
    }

    /// The object stands; what the service was to tell another server of it did not arrive there.
    func callbackFailure(_ response: HTTPResponse, _ receipt: TransferReceipt) -> TransferError {
        let failure = S3FailureReader(dialect).failure(response, S3FailureReader.document(in: response))
        return TransferError(
            .storedCallbackFailed, failure.message ?? "the object is stored, and its callback failed",
            service: ServiceInfo(failure), receipt: receipt)
    }
}
