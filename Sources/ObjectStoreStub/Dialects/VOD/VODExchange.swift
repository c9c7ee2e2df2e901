#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One request to the VOD OpenAPI.
struct VODExchange: DialectExchange {
    private let head: RequestHead
    private let server: ServerContext
    private let vod: VODService
    private let nonces: NonceBook
    private let query: QueryItems?
    private let requestID: String
    let request: StoreRequest
    let bodyUse = BodyUse.document(limit: 256 << 10)
    let requestIDField = VODAnswers.requestIDField

    init(_ head: RequestHead, _ server: ServerContext, _ vod: VODService, _ nonces: NonceBook) {
        self.head = head
        self.server = server
        self.vod = vod
        self.nonces = nonces
        let query = QueryItems(head.rawQuery)
        self.query = query
        requestID = server.storage.newRequestID()
        let action = head.value("x-acs-action") ?? query?["Action"]
        request = StoreRequest(
            operation: VODAction(name: action)?.operation ?? .unknown, dialect: "vod", method: head.method,
            target: head.target)
    }

    /// Whether the signature is in the headers. It then covers the body by a digest; the older one covers its form.
    /// Clients that sign in the older way may name the action in `x-acs-action` all the same.
    private var isSignedInHeader: Bool {
        head.value("authorization") != nil || head.value("x-acs-signature-nonce") != nil
    }

    private var hasBody: Bool { head.framing != .none && head.framing != .length(0) }

    func authorise(at now: Date) throws(ServiceFailure) {
        guard head.method == "GET" || head.method == "POST" else { throw .unsupportedMethod }
        guard head.rawPath == "/" else { throw .noSuchAction }
        guard let query else { throw .unreadableQuery }
        if isSignedInHeader {
            try ACS3Verifier(caller: caller(at: now)).verify(head, query)
        } else if !hasBody {
            try RPCVerifier(caller: caller(at: now)).verify(method: head.method, query.items)
        }
    }

    func perform(
        _ body: ReceivedBody, _ adjustments: ResultAdjustments, at now: Date
    ) throws(ServiceFailure) -> WireAnswer {
        if isSignedInHeader { try ACS3Verifier.checkBody(body.content.read() ?? [], head) }
        let items = (query?.items ?? []) + (try readForm(body))
        if !isSignedInHeader, hasBody {
            try RPCVerifier(caller: caller(at: now)).verify(method: head.method, items)
        }
        let parameters = VODParameters(
            values: Dictionary(items.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }))
        let action = try readAction(parameters)
        return answers(at: now).success(try action.perform(parameters.withoutCommon, by: vod, at: now))
    }

    private func readForm(_ body: ReceivedBody) throws(ServiceFailure) -> [(name: String, value: String)] {
        guard body.length > 0 else { return [] }
        guard head.value("content-type")?.lowercased().hasPrefix(VODDialect.formType) == true else {
            throw ServiceFailure(400, "UnsupportedContentType", "A body is of the type \(VODDialect.formType).")
        }
        guard let text = String(validating: body.content.read() ?? [], as: UTF8.self),
            let items = QueryItems(text[...])
        else { throw ServiceFailure(400, "InvalidParameter", "The form cannot be decoded.") }
        return items.items
    }

    private func readAction(_ parameters: VODParameters) throws(ServiceFailure) -> VODAction {
        let name = isSignedInHeader ? head.value("x-acs-action") : parameters["Action"]
        let version = isSignedInHeader ? head.value("x-acs-version") : parameters["Version"]
        guard let name else { throw .missingParameter(isSignedInHeader ? "x-acs-action" : "Action") }
        guard let version else { throw .missingParameter(isSignedInHeader ? "x-acs-version" : "Version") }
        guard version == VODDialect.version else { throw .invalidVersion }
        guard let action = VODAction(name: name) else { throw .noSuchAction }
        if let format = parameters["Format"], format.uppercased() != "JSON" {
            throw .invalidParameter("Format", "this server answers JSON alone")
        }
        return action
    }

    func refuse(_ failure: ServiceFailure, at now: Date) -> WireAnswer { answers(at: now).refusal(failure) }

    func expiredToken() -> ServiceFailure { .expiredSecurityToken }

    private func answers(at now: Date) -> VODAnswers {
        VODAnswers(requestID: requestID, hostID: head.hostName, now: now)
    }

    private func caller(at now: Date) -> CallerCheck {
        CallerCheck(
            accounts: server.accounts, nonces: nonces, allowedSkew: server.configuration.allowedSkew, now: now)
    }
}
