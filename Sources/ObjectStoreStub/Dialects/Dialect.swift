#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One way of speaking HTTP to the server. A provider is added as one conformance in a folder of its own.
///
/// The first dialect of the server's list that recognises a request gets it; the last one takes what is left.
/// A dialect that speaks of objects conforms to ``ObjectDialect`` instead, and only translates.
protocol Dialect: Sendable {
    /// A short name for the log.
    var name: String { get }

    /// Whether a request shows by its host, headers or query that it is in this dialect.
    func recognises(_ head: RequestHead) -> Bool

    /// Takes up one request. Whatever is wrong with it is said by ``DialectExchange/authorise(at:)``.
    func open(_ head: RequestHead, _ server: ServerContext) -> any DialectExchange
}

/// One request in the hands of its dialect.
protocol DialectExchange: Sendable {
    /// What it asks for, for the log and the faults.
    var request: StoreRequest { get }
    var bodyUse: BodyUse { get }
    /// Whether it is a request to the service, which the log keeps and faults meet, and not one of the test's own.
    var isService: Bool { get }
    /// The header that the answer's id goes by.
    var requestIDField: String { get }

    /// Checks from the head alone that the request is well-formed and may be done; `now` is the server's clock.
    func authorise(at now: Date) throws(ServiceFailure)

    /// Does what is asked.
    func perform(_ body: ReceivedBody, _ adjustments: ResultAdjustments, at now: Date) throws(ServiceFailure)
        -> WireAnswer

    /// Says no in the dialect's own document.
    func refuse(_ failure: ServiceFailure, at now: Date) -> WireAnswer

    /// What the dialect says when a session token has run out.
    func expiredToken() -> ServiceFailure
}

extension DialectExchange {
    var isService: Bool { true }
}

/// What the body of a request is for.
enum BodyUse: Sendable {
    /// The bytes of an object or a part.
    case content(discards: Bool, needsMD5: Bool, needsSHA256: Bool)
    /// A document that is read as a whole.
    case document(limit: Int)
}

/// Changes that faults make to what came of the action, before the dialect writes it.
struct ResultAdjustments: Sendable {
    var etag: String??
    var crc64: UInt64??

    func apply(to result: inout ServiceResult) {
        if let etag { result.etag = etag }
        if let crc64 { result.crc64 = crc64 }
    }
}

/// What of the server a dialect works with.
struct ServerContext: Sendable {
    let storage: ObjectStorage
    let accounts: AccountTable
    let log: WireLog
    let configuration: StubConfiguration
    let quirks: Quirks
}
