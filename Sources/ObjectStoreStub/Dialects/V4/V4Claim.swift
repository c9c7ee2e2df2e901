/// What a request says about its own signature.
struct V4Claim: Sendable {
    var accessKey: String
    var scopeDate: String
    var region: String
    var service: String
    var terminator: String
    /// The headers that the request lists as signed.
    var listedNames: [String]
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
        if query.contains(scheme.query.signature) { return try fromQuery(head, query, scheme) }
        return nil
    }

    private static func fromHeader(
        _ header: String, _ head: RequestHead, _ scheme: V4Scheme
    ) throws(ServiceFailure) -> V4Claim {
        guard header.hasPrefix(scheme.algorithm + " ") else { throw scheme.refusal(.form, false) }
        var parts: [Substring: Substring] = [:]
        for part in header.dropFirst(scheme.algorithm.count + 1).split(separator: ",") {
            let trimmed = part.drop { $0 == " " }
            let name = trimmed.prefix { $0 != "=" }
            parts[name] = trimmed.dropFirst(name.count + 1)
        }
        guard let credential = parts["Credential"], let signature = parts["Signature"],
            let names = parts[scheme.headerList[...]] ?? scheme.namesOfNone,
            var claim = V4Claim(credential: credential)
        else { throw scheme.refusal(.form, false) }
        guard let date = head.value(scheme.dateHeader) else {
            throw ServiceFailure(403, "AccessDenied", "The request has no \(scheme.dateHeader).")
        }
        claim.listedNames = names.split(separator: ";").map { String($0) }
        claim.signature = String(signature)
        claim.date = date
        claim.token = head.value(scheme.tokenHeader)
        claim.payload = head.value(scheme.payloadHeader) ?? scheme.defaultPayload
        return claim
    }

    private static func fromQuery(
        _ head: RequestHead, _ query: QueryItems, _ scheme: V4Scheme
    ) throws(ServiceFailure) -> V4Claim {
        guard query[scheme.query.algorithm] == scheme.algorithm, let credential = query[scheme.query.credential],
            let date = query[scheme.query.date], let signature = query[scheme.query.signature],
            let names = query[scheme.query.headers].map({ $0[...] }) ?? scheme.namesOfNone,
            let expires = query[scheme.query.expires].flatMap({ Int($0) }), (1...604_800).contains(expires),
            var claim = V4Claim(credential: credential[...])
        else { throw scheme.refusal(.form, true) }
        claim.listedNames = names.split(separator: ";").map { String($0) }
        claim.signature = signature
        claim.date = date
        claim.expires = expires
        claim.token = query[scheme.query.token]
        claim.isPresigned = true
        claim.payload = query[scheme.query.payload] ?? head.value(scheme.payloadHeader) ?? unsignedPayload
        return claim
    }

    /// Reads `key/date/region/service/terminator`; the access key may itself hold slashes.
    private init?(credential: Substring) {
        let words = credential.split(separator: "/", omittingEmptySubsequences: false)
        guard words.count >= 5 else { return nil }
        let scope = words.suffix(4).map { String($0) }
        self.init(
            accessKey: words.dropLast(4).joined(separator: "/"), scopeDate: scope[0], region: scope[1],
            service: scope[2], terminator: scope[3], listedNames: [], signature: "", date: "", expires: nil, token: nil,
            isPresigned: false, payload: Self.emptyPayload)
    }
}

extension V4Scheme {
    /// What a missing list of headers stands for; nil where there must be one.
    fileprivate var namesOfNone: Substring? { coverage == .implied ? "" : nil }
}
