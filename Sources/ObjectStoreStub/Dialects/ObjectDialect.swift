import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A dialect of object operations: it translates heads and documents to calls, and results to answers.
protocol ObjectDialect: Dialect {
    /// Reads what is asked for from the head alone.
    func readCall(_ head: RequestHead, _ address: ObjectAddress, _ server: ServerContext) throws(ServiceFailure)
        -> ServiceCall

    /// Finds the bucket and key that a request addresses.
    func readAddress(_ head: RequestHead, _ server: ServerContext) throws(ServiceFailure) -> ObjectAddress

    /// Checks who asks, from the head as it came. Returns the access key, or nil for a request without a signature.
    func verify(_ head: RequestHead, _ address: ObjectAddress, _ server: ServerContext, at now: Date)
        throws(ServiceFailure) -> String?

    /// What the service holds differently about operations that services share.
    func rules(_ configuration: StubConfiguration) -> ServiceRules

    /// Reads the request's document into the call.
    func readDocument(_ document: [UInt8], into call: inout ServiceCall) throws(ServiceFailure)

    /// Whether ``receive(_:for:_:)`` needs the bytes of an upload, so that they are kept until it has seen them.
    func looksAtContent(_ head: RequestHead) -> Bool

    /// Makes of the bytes of an upload, as they came, what is to be stored.
    func receive(_ body: ReceivedBody, for call: inout ServiceCall, _ head: RequestHead) throws(ServiceFailure)
        -> ReceivedBody

    /// Writes the answer of a successful call, without the headers that every answer carries.
    func answer(_ result: ServiceResult, to call: ServiceCall, _ head: RequestHead, _ server: ServerContext)
        -> WireAnswer

    /// Writes a refusal, without the headers that every answer carries.
    func answer(_ failure: ServiceFailure, _ head: RequestHead, requestID: String, _ server: ServerContext)
        -> WireAnswer

    /// The headers of every answer.
    func commonFields(requestID: String, at now: Date) -> [WireAnswer.Field]

    /// The session token of a request, if it has one.
    func sessionToken(_ head: RequestHead) -> String?

    var requestIDField: String { get }
}

extension ObjectDialect {
    func looksAtContent(_ head: RequestHead) -> Bool { false }

    func receive(
        _ body: ReceivedBody, for call: inout ServiceCall, _ head: RequestHead
    ) throws(ServiceFailure) -> ReceivedBody { body }
}

/// The bucket and key that a request addresses; the key is empty when the bucket itself is meant.
struct ObjectAddress: Sendable {
    var bucket: String
    var key: String
}

/// One request of an object dialect.
struct ObjectExchange<D: ObjectDialect>: DialectExchange {
    private let dialect: D
    private let head: RequestHead
    private let server: ServerContext
    private let address: Result<ObjectAddress, ServiceFailure>
    private let call: Result<ServiceCall, ServiceFailure>
    private let requestID: String
    let request: StoreRequest

    init(_ dialect: D, _ head: RequestHead, _ server: ServerContext) {
        self.dialect = dialect
        self.head = head
        self.server = server
        requestID = server.storage.newID()
        var request = StoreRequest(
            operation: .unknown, dialect: dialect.name, method: head.method, target: head.target)
        let address = Result { () throws(ServiceFailure) in try dialect.readAddress(head, server) }
        let call = address.flatMap { address in
            Result { () throws(ServiceFailure) in try dialect.readCall(head, address, server) }
        }
        if case .success(let address) = address {
            request.bucket = address.bucket
            request.key = address.key
        }
        if case .success(let call) = call {
            request.operation = call.operation
            request.versionID = call.versionID ?? call.copySource?.versionID
            request.uploadID = call.uploadID.isEmpty ? nil : call.uploadID
            request.partNumber = call.partNumber
            request.copySource = call.copySource?.text
            request.range = call.copySource?.rangeText ?? head.value("range")
        }
        self.address = address
        self.call = call
        self.request = request
    }

    var requestIDField: String { dialect.requestIDField }

    var bodyUse: BodyUse {
        guard case .success(let call) = call else { return .document(limit: 0) }
        switch call.operation {
        case .putObject, .uploadPart:
            let discards = server.storage.discardsUploads(to: call.bucket) && !dialect.looksAtContent(head)
            return .content(
                discards: discards, needsMD5: call.contentMD5 != nil, needsSHA256: call.contentSHA256 != nil)
        default: return .document(limit: 8 << 20)
        }
    }

    func authorise(at now: Date) throws(ServiceFailure) {
        // Who asks is settled before what is asked for is looked at.
        let address = try address.get()
        let accessKey = try dialect.verify(head, address, server, at: now)
        let call = try call.get()
        if let accessKey {
            guard let scope = server.accounts.account(accessKey)?.scope else { return }
            let readsOutside = call.copySource.map { !scope.admits($0.bucket, $0.key) } ?? false
            guard scope.admits(address.bucket, address.key), !readsOutside else { throw .accessDenied }
        } else {
            let reads = call.operation == .getObject || call.operation == .headObject
            guard reads, server.storage.isPublicRead(call.bucket, call.key) else { throw .accessDenied }
        }
    }

    func perform(
        _ body: ReceivedBody, _ adjustments: ResultAdjustments, at now: Date
    ) throws(ServiceFailure) -> WireAnswer {
        var call = try call.get()
        var body = body
        switch bodyUse {
        case .content(let discards, _, _):
            body = try dialect.receive(body, for: &call, head)
            if !discards, server.storage.discardsUploads(to: call.bucket) {
                body.content = .summary(length: body.length, crc64: body.content.crc64)
            }
        case .document:
            let document = body.content.read() ?? []
            if let claimed = call.contentMD5, claimed != Digest.md5(document) { throw .wrongContentMD5 }
            if let claimed = call.contentSHA256, claimed != Digest.sha256(document) { throw .wrongContentSHA256 }
            if !document.isEmpty { try dialect.readDocument(document, into: &call) }
        }
        let service = ObjectService(
            storage: server.storage, rules: dialect.rules(server.configuration), quirks: server.quirks,
            digestLimit: server.configuration.digestLimit, now: now)
        var result = try service.perform(call, body)
        adjustments.apply(to: &result)
        var answer = dialect.answer(result, to: call, head, server)
        answer.fields += dialect.commonFields(requestID: requestID, at: now)
        return answer
    }

    func refuse(_ failure: ServiceFailure, at now: Date) -> WireAnswer {
        var answer = dialect.answer(failure, head, requestID: requestID, server)
        answer.fields += dialect.commonFields(requestID: requestID, at: now) + failure.fields
        answer.code = answer.code ?? failure.code
        if head.method == "HEAD" { answer.body = .bytes([]) }
        return answer
    }

    func expiredToken() -> ServiceFailure {
        .expiredToken(dialect.sessionToken(head) ?? "")
    }
}

extension ServiceFailure {
    /// The message echoes the token, as the services themselves do: a trap for whatever logs messages.
    static func expiredToken(_ token: String) -> ServiceFailure {
        ServiceFailure(403, "ExpiredToken", "The security token you provided has expired: \(token)")
    }
}
