internal import TransferHTTP
internal import TransferPrimitives

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// What a service says of a failure, flat or wrapped in `Error`. Every member may be missing, and one of an unexpected
/// type counts as missing: the failure itself must never hide behind a decoding error (spec section 8.1).
struct ErrorDocument: Sendable, Hashable {
    var code: String?
    var message: String?
    var requestID: String?
    var hostID: String?
    var ec: String?
    /// The service's time, in the refusal of a clock that is wrong. The `Date` of an answer may be that of something between.
    var serverTime: Date?

    /// Whether the document says that something failed.
    var isError: Bool { code != nil }

    init(
        code: String? = nil, message: String? = nil, requestID: String? = nil, hostID: String? = nil, ec: String? = nil,
        serverTime: Date? = nil
    ) {
        self.code = code
        self.message = message
        self.requestID = requestID
        self.hostID = hostID
        self.ec = ec
        self.serverTime = serverTime
    }
}

extension ErrorDocument: Decodable {
    private enum Members: String, CodingKey {
        case code = "Code"
        case message = "Message"
        case requestID = "RequestId"
        case hostID = "HostId"
        case ec = "EC"
        case serverTime = "ServerTime"
        case wrapped = "Error"
        /// Echoed by services that refuse a token; must not survive in the message.
        case securityToken = "SecurityToken"
    }

    init(from decoder: any Decoder) throws {
        let outer = try decoder.container(keyedBy: Members.self)
        let members = (try? outer.nestedContainer(keyedBy: Members.self, forKey: .wrapped)) ?? outer
        func text(_ member: Members) -> String? {
            guard let text = try? members.decode(String.self, forKey: member), !text.isEmpty else { return nil }
            return text
        }
        code = text(.code)
        requestID = text(.requestID)
        hostID = text(.hostID)
        ec = text(.ec)
        message = text(.message)
        serverTime = text(.serverTime).flatMap { HTTPDate.parseISO8601($0) }
        if let token = text(.securityToken) { message = message?.redacting([token]) }
    }
}
