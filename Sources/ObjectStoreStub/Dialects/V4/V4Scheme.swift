/// The names and constants by which the signatures of the V4 family differ between services.
struct V4Scheme: Sendable {
    /// Which headers a signature covers.
    enum Coverage: Sendable {
        /// Those that the request lists; `host`, the content type and every header of the service must be among them.
        case listed
        /// Those that describe the content and every header of the service, listed or not; the request lists what is
        /// signed besides.
        case implied
    }

    /// The names of the query parameters of a presigned request.
    struct QueryNames: Sendable {
        let algorithm: String
        let credential: String
        let date: String
        let expires: String
        let headers: String
        let token: String
        let payload: String
        let signature: String
    }

    /// What can be wrong with the form of a signature.
    enum Malformation: Sendable {
        /// It cannot be read.
        case form
        case date
        case region(String, expected: String)
        /// The scope is of another service or ends in another word.
        case service
    }

    let algorithm: String
    /// `x-tos-`; the date, token and payload headers begin with it, and every header that does must be signed.
    let headerPrefix: String
    let query: QueryNames
    /// How the authorization header calls its list of headers.
    let headerList: String
    let coverage: Coverage
    /// Whether the path that is signed names the bucket, wherever the request does.
    let signsBucket: Bool
    /// Whether a query parameter without a value is signed without its `=`.
    let leavesOutEmptyValues: Bool
    /// What the payload line is when the request says nothing of it.
    let defaultPayload: String
    /// What stands before the secret in the first key of the chain.
    let secretPrefix: String
    let service: String
    let terminator: String
    /// How the service says no to a signature that is malformed; the flag tells whether it is in the URL.
    let refusal: @Sendable (Malformation, _ isPresigned: Bool) -> ServiceFailure

    var dateHeader: String { headerPrefix + "date" }
    var tokenHeader: String { headerPrefix + "security-token" }
    var payloadHeader: String { headerPrefix + "content-sha256" }

    /// The names of the headers that are signed of those sent, sorted.
    func signedNames(_ claim: V4Claim, _ head: RequestHead) -> [String] {
        guard coverage == .implied else { return claim.listedNames }
        var names = Set(claim.listedNames)
        for field in head.fields
        where field.name.hasPrefix(headerPrefix) || field.name == "content-type" || field.name == "content-md5" {
            names.insert(field.name)
        }
        return names.sorted()
    }
}
