#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The members of a JSON object that are texts or numbers, by their exact names.
struct JSONMembers: Decodable {
    private struct Name: CodingKey {
        let stringValue: String
        let intValue: Int? = nil
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private var texts: [String: String] = [:]
    /// Of all members, also of those that are something else.
    private(set) var names: Set<String> = []

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Name.self)
        for name in members.allKeys {
            names.insert(name.stringValue)
            if let text = try? members.decode(String.self, forKey: name) {
                texts[name.stringValue] = text
            } else if let number = try? members.decode(Int64.self, forKey: name) {
                texts[name.stringValue] = String(number)
            } else if let number = try? members.decode(Double.self, forKey: name) {
                texts[name.stringValue] = String(number)
            }
        }
    }

    /// Nil when `bytes` are no JSON object. A byte-order mark and blanks around it do not matter.
    init?(parsing bytes: some Collection<UInt8>) {
        var text = bytes[...]
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        guard let members = try? JSONDecoder().decode(JSONMembers.self, from: Data(text)) else { return nil }
        self = members
    }

    /// The member's text without blanks around it; nil when it is missing or empty.
    subscript(name: String) -> String? {
        guard var text = texts[name]?[...] else { return nil }
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return text.isEmpty ? nil : String(text)
    }

    /// The same, without regard to upper and lower case where no member has the exact name: a refusal must not hide behind its
    /// spelling.
    subscript(inAnyCase name: String) -> String? {
        self[name] ?? texts.keys.sorted().first { $0.lowercased() == name.lowercased() }.flatMap { self[$0] }
    }

    /// Whether the member is a text or a number, be it an empty one.
    func hasText(_ name: String) -> Bool { texts[name] != nil }

    /// A member of another spelling in upper and lower case, or with other separators.
    func lookalike(of name: String) -> String? {
        func folded(_ name: String) -> String { name.lowercased().filter { $0 != "_" && $0 != "-" } }
        return texts.keys.sorted().first { $0 != name && folded($0) == folded(name) }
    }

    /// Both objects' members; `other`'s where both have one.
    func merging(_ other: JSONMembers) -> JSONMembers {
        var merged = self
        merged.texts.merge(other.texts) { _, other in other }
        merged.names.formUnion(other.names)
        return merged
    }
}
