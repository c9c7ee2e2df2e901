internal import TransferHTTP
internal import TransferService

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The body of an answer under a good status: the result that was asked for, or the refusal that stands in its place. It is
/// read once, whichever it is.
struct AnswerDocument<Document: ResultDocument> {
    /// Nil when the body is no such document.
    let document: Document?
    /// Nil when the body is none, or cannot be.
    let error: ErrorDocument?

    /// Nil when the body is in no language of the service's.
    init?(_ response: HTTPResponse) {
        let body = BodyFormat.trimmed(response.body)
        switch BodyFormat(of: response) {
        case .json:
            // Members tell the two apart, and a refusal may come with members of a result.
            let members = try? JSONDecoder().decode(Members.self, from: Data(body))
            document = members?.document
            error = members?.error
        case .xml:
            // The name of the root tells them apart.
            document = try? Document(xml: Array(body))
            error = document == nil ? ErrorDocument(xml: body) : nil
        case .other: return nil
        }
    }

    private struct Members: Decodable {
        let document: Document?
        let error: ErrorDocument?

        init(from decoder: any Decoder) throws {
            error = try? ErrorDocument(from: decoder)
            document = try? Document(from: decoder)
        }
    }
}
