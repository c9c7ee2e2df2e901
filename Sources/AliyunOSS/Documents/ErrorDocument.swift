internal import TransferHTTP
internal import TransferPrimitives
internal import TransferXML

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// What OSS says of a failure (spec section 4.1). Every member may be missing: the failure itself must never hide behind a
/// decoding error.
struct ErrorDocument: Sendable, Hashable {
    let code: String
    let message: String?
    let requestID: String?
    let hostID: String?
    let ec: String?
    /// The service's clock, in the refusal of a skewed one.
    let serverTime: Date?

    /// From the members of a document, by name; nil without a code.
    private init?(_ text: (String) -> String?) {
        func member(_ name: String) -> String? {
            guard let text = text(name), !text.isEmpty else { return nil }
            return text
        }
        guard let code = member("Code") else { return nil }
        self.code = code
        requestID = member("RequestId")
        hostID = member("HostId")
        ec = member("EC")
        serverTime = member("ServerTime").flatMap { HTTPDate.parseISO8601($0) }
        var message = member("Message")
        if let endpoint = member("Endpoint") { message = "\(message ?? code) (endpoint: \(endpoint))" }
        // The refusal of an expired token echoes the whole token.
        if let token = member("SecurityToken") { message = message?.redacting([token]) }
        self.message = message
    }

    /// Nil when `bytes` are no error document in XML.
    init?(xml bytes: [UInt8]) {
        guard let root = try? XMLElement(parsing: bytes) else { return nil }
        self.init(root)
    }

    /// Nil when `element` is no error.
    init?(_ element: XMLElement) {
        guard element.isNamed("Error") else { return nil }
        // Live documents have line ends inside their texts.
        self.init { element.trimmedText($0) }
    }

    /// The variant in JSON, wrapped in `Error` or not; nil for any other.
    init?(json bytes: [UInt8]) {
        guard let document = try? JSONDecoder().decode(JSONMembers.self, from: Data(bytes)) else { return nil }
        self.init { document.texts[$0.lowercased()] }
    }
}

/// The members of a JSON object that are texts, by their names in lower case.
private struct JSONMembers: Decodable {
    private struct Name: CodingKey {
        let stringValue: String
        let intValue: Int? = nil
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    var texts: [String: String] = [:]

    init(from decoder: any Decoder) throws {
        let outer = try decoder.container(keyedBy: Name.self)
        let wrapper = outer.allKeys.first { $0.stringValue.lowercased() == "error" }
        let members = wrapper.flatMap { try? outer.nestedContainer(keyedBy: Name.self, forKey: $0) } ?? outer
        for name in members.allKeys {
            if let text = try? members.decode(String.self, forKey: name) { texts[name.stringValue.lowercased()] = text }
        }
    }
}
