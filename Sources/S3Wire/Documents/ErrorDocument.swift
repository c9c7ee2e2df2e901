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

    /// From the members of a document, by name, found without regard to case.
    init(_ text: (String) -> String?) {
        func member(_ name: String) -> String? {
            guard let text = text(name), !text.isEmpty else { return nil }
            return text
        }
        code = member("Code")
        requestID = member("RequestId")
        hostID = member("HostId")
        ec = member("EC")
        serverTime = member("ServerTime").flatMap { HTTPDate.parseISO8601($0) }
        var message = member("Message")
        // Where the bucket is reached instead.
        if let endpoint = member("Endpoint") {
            message = [message ?? code, "(endpoint: \(endpoint))"].compactMap(\.self).joined(separator: " ")
        }
        // Echoed by services that refuse a token; must not survive in the message.
        if let token = member("SecurityToken") { message = message?.redacting([token]) }
        self.message = message
    }
}

extension ErrorDocument: Decodable {
    private struct Member: CodingKey {
        let stringValue: String
        let intValue: Int? = nil
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let outer = try decoder.container(keyedBy: Member.self)
        let wrapper = outer.allKeys.first { $0.stringValue.lowercased() == "error" }
        let members = wrapper.flatMap { try? outer.nestedContainer(keyedBy: Member.self, forKey: $0) } ?? outer
        let keys = members.allKeys.sorted { $0.stringValue < $1.stringValue }
        self.init { name in
            keys.first { $0.stringValue.lowercased() == name.lowercased() }.flatMap {
                try? members.decode(String.self, forKey: $0)
            }
        }
    }
}
