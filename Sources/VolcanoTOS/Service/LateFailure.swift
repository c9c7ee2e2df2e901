internal import TransferCore
internal import TransferHTTP
internal import TransferPrimitives
internal import TransferService

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// A good status is no success yet: a long copy may fail after its status line was sent (spec section 4.13). What is wrong
// with the body decides; what is wrong without a reason is as transient as a 500.

extension TOSService {
    /// The document in a 2xx answer. Throws the refusal that stands in its place.
    static func document<Document: Decodable>(_: Document.Type, in response: HTTPResponse) throws -> Document {
        if let error = TOSFailureReader.document(in: response), error.isError {
            throw TOSFailureReader.failure(response, error)
        }
        guard BodyFormat(of: response) == .json else {
            throw malformed(response, response.body.isEmpty ? "the answer is empty" : nil)
        }
        do {
            return try JSONDecoder().decode(Document.self, from: Data(BodyFormat.trimmed(response.body)))
        } catch {
            throw malformed(response, "the answer is cut or damaged")
        }
    }

    /// An answer that cannot be what it should be; repeating may help.
    static func malformed(_ response: HTTPResponse, _ reason: String?) -> ServiceFailure {
        var failure = TOSFailureReader.failure(response, nil)
        failure.message = reason ?? failure.message
        failure.retry = .backoff
        return failure
    }

    /// The object stands; what TOS was to tell another server of it did not arrive there.
    static func callbackFailure(_ response: HTTPResponse, _ receipt: TransferReceipt) -> TransferError {
        let failure = TOSFailureReader.failure(response, TOSFailureReader.document(in: response))
        return TransferError(
            .storedCallbackFailed, failure.message ?? "the object is stored, and its callback failed",
            service: ServiceInfo(failure), receipt: receipt)
    }
}
