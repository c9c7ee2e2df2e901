/// The names and constants by which the signatures of the V4 family differ between services.
struct V4Scheme: Sendable {
    let algorithm: String
    /// `x-tos-`; the date, token and payload headers begin with it, and every header that does must be signed.
    let headerPrefix: String
    /// `X-Tos-`; the query parameters of a presigned request begin with it.
    let queryPrefix: String
    /// What stands before the secret in the first key of the chain.
    let secretPrefix: String
    let service: String
    let terminator: String

    static let tos4 = V4Scheme(
        algorithm: "TOS4-HMAC-SHA256", headerPrefix: "x-tos-", queryPrefix: "X-Tos-", secretPrefix: "", service: "tos",
        terminator: "request")

    var dateHeader: String { headerPrefix + "date" }
    var tokenHeader: String { headerPrefix + "security-token" }
    var payloadHeader: String { headerPrefix + "content-sha256" }
}

/// What a request says about its own signature.
struct V4Claim: Sendable {
    var accessKey: String
    var scopeDate: String
    var region: String
    var service: String
    var terminator: String
    var signedNames: [String]
    var signature: String
    /// The compact date of the request.
    var date: String
    /// Seconds for which a presigned request is good; nil in the header form.
    var expires: Int?
    var token: String?
    var isPresigned: Bool
    var payload: String

    var scope: String { "\(scopeDate)/\(region)/\(service)/\(terminator)" }
}

extension V4Claim {
    static let emptyPayload = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    static let unsignedPayload = "UNSIGNED-PAYLOAD"

    /// Reads the claim from the head, or returns nil when the request is not signed at all.
    static func read(_ head: RequestHead, _ query: QueryItems, _ scheme: V4Scheme) throws(ServiceFailure) -> V4Claim? {
        if let header = head.value("authorization") { return try fromHeader(header, head, scheme) }
        if query.contains(scheme.queryPrefix + "Signature") { return try fromQuery(head, query, scheme) }
        return nil
    }

    private static func fromHeader(
        _ header: String, _ head: RequestHead, _ scheme: V4Scheme
    ) throws(ServiceFailure) -> V4Claim {
        let malformed = ServiceFailure(400, "AuthorizationHeaderMalformed", "The authorization header is malformed.")
        guard header.hasPrefix(scheme.algorithm + " ") else { throw malformed }
        var parts: [Substring: Substring] = [:]
        for part in header.dropFirst(scheme.algorithm.count + 1).split(separator: ",") {
            let trimmed = part.drop { $0 == " " }
            let name = trimmed.prefix { $0 != "=" }
            parts[name] = trimmed.dropFirst(name.count + 1)
        }
        guard let credential = parts["Credential"], let names = parts["SignedHeaders"],
            let signature = parts["Signature"], var claim = V4Claim(credential: credential)
        else { throw malformed }
        guard let date = head.value(scheme.dateHeader) else {
            throw ServiceFailure(403, "AccessDenied", "The request has no \(scheme.dateHeader).")
        }
        claim.signedNames = names.split(separator: ";").map { String($0) }
        claim.signature = String(signature)
        claim.date = date
        claim.token = head.value(scheme.tokenHeader)
        // Without the header the payload line is that of the empty body, even when there is a body.
        if let payload = head.value(scheme.payloadHeader) { claim.payload = payload }
        return claim
    }

    private static func fromQuery(
        _ head: RequestHead, _ query: QueryItems, _ scheme: V4Scheme
    ) throws(ServiceFailure) -> V4Claim {
        func item(_ name: String) -> String? { query[scheme.queryPrefix + name] }
        guard item("Algorithm") == scheme.algorithm, let credential = item("Credential"), let date = item("Date"),
            let names = item("SignedHeaders"), let signature = item("Signature"),
            let expires = item("Expires").flatMap({ Int($0) }), (1...604_800).contains(expires),
            var claim = V4Claim(credential: credential[...])
        else {
            throw ServiceFailure(
                400, "AuthorizationQueryParametersError", "The query parameters of the signature are malformed.")
        }
        claim.signedNames = names.split(separator: ";").map { String($0) }
        claim.signature = signature
        claim.date = date
        claim.expires = expires
        claim.token = item("Security-Token")
        claim.isPresigned = true
        claim.payload = item("Content-Sha256") ?? head.value(scheme.payloadHeader) ?? unsignedPayload
        return claim
    }

    /// Reads `key/date/region/service/terminator`; the access key may itself hold slashes.
    private init?(credential: Substring) {
        let words = credential.split(separator: "/", omittingEmptySubsequences: false)
        guard words.count >= 5 else { return nil }
        let scope = words.suffix(4).map { String($0) }
        self.init(
            accessKey: words.dropLast(4).joined(separator: "/"), scopeDate: scope[0], region: scope[1],
            service: scope[2], terminator: scope[3], signedNames: [], signature: "", date: "", expires: nil, token: nil,
            isPresigned: false, payload: Self.emptyPayload)
    }
}
