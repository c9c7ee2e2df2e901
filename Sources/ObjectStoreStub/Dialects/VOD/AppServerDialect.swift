#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The backend of an application, which calls the OpenAPI for its clients and hands its answers on as they are. It asks
/// for no signature, and it is for tests on this machine alone.
///
/// | request | operation |
/// |---|---|
/// | `POST /app/create-video` | CreateUploadVideo |
/// | `POST /app/refresh-video` | RefreshUploadVideo |
/// | `POST /app/create-image` | CreateUploadImage |
///
/// The body is one flat JSON object: `fileName`, `fileSize`, `videoId`, and the fields of the meta objects. Whatever a
/// client sends to be known by, such as `Authorization: Bearer …`, is passed over.
struct AppServerDialect: Dialect {
    static let path = "/app"

    let name = "app"
    let vod: VODService

    /// A request below the path that is signed as object services ask is about a bucket of that name.
    func recognises(_ head: RequestHead) -> Bool {
        guard head.rawPath.hasPrefix(Self.path + "/"), head.rawQuery == nil else { return false }
        let authorization = head.value("authorization") ?? ""
        return !["OSS", "TOS", "AWS"].contains { authorization.hasPrefix($0) }
    }

    func open(_ head: RequestHead, _ server: ServerContext) -> any DialectExchange {
        AppServerExchange(head, server, vod)
    }
}

struct AppServerExchange: DialectExchange {
    private let head: RequestHead
    private let vod: VODService
    private let requestID: String
    /// The last segment of the path.
    private let route: Substring
    private let action: VODAction?
    let request: StoreRequest
    let bodyUse = BodyUse.document(limit: 256 << 10)
    let requestIDField = VODAnswers.requestIDField

    init(_ head: RequestHead, _ server: ServerContext, _ vod: VODService) {
        self.head = head
        self.vod = vod
        requestID = server.storage.newRequestID()
        route = head.rawPath.dropFirst(AppServerDialect.path.count + 1)
        switch route {
        case "create-video": action = .createVideo
        case "refresh-video": action = .refreshVideo
        case "create-image": action = .createImage
        default: action = nil
        }
        request = StoreRequest(
            operation: action?.operation ?? .unknown, dialect: "app", method: head.method, target: head.target)
    }

    func authorise(at now: Date) throws(ServiceFailure) {
        guard action != nil else { throw .noSuchAction }
        guard head.method == "POST" else { throw .unsupportedMethod }
    }

    func perform(
        _ body: ReceivedBody, _ adjustments: ResultAdjustments, at now: Date
    ) throws(ServiceFailure) -> WireAnswer {
        guard let action else { throw .noSuchAction }
        guard let members = JSONMembers(body.content.read() ?? []) else {
            throw ServiceFailure(400, "InvalidParameter", "The body is no JSON object.")
        }
        if let kind = members["kind"], kind != route {
            throw .invalidParameter("kind", "\(kind) was sent to \(route)")
        }
        let parameters = try AppRequest(members).parameters(for: action)
        return answers(at: now).success(try action.perform(parameters, by: vod, at: now))
    }

    func refuse(_ failure: ServiceFailure, at now: Date) -> WireAnswer { answers(at: now).refusal(failure) }

    func expiredToken() -> ServiceFailure { .expiredSecurityToken }

    private func answers(at now: Date) -> VODAnswers {
        VODAnswers(requestID: requestID, hostID: head.hostName, now: now)
    }
}
