#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The members of a JSON object that came from outside, as text.
struct JSONMembers: Sendable {
    /// A member's value. What is inside arrays is not kept.
    fileprivate enum Value: Sendable {
        case text(String)
        case null
        case object([String: String])
        case array
    }

    private let values: [String: Value]

    /// Nil when `bytes` are no JSON object.
    init?(_ bytes: [UInt8]) {
        guard let values = try? JSONDecoder().decode([String: Value].self, from: Data(bytes)) else { return nil }
        self.values = values
    }

    private init(_ texts: [String: String]) { values = texts.mapValues { .text($0) } }

    /// The names of members that are not null.
    var names: [String] {
        values.compactMap { name, value in
            if case .null = value { nil } else { name }
        }
    }

    /// A text, or a number or truth value written as text; nil for anything else.
    subscript(_ name: String) -> String? {
        guard case .text(let text)? = values[name] else { return nil }
        return text
    }

    /// An object inside this one, with those of its members that have a text.
    func object(_ name: String) -> JSONMembers? {
        guard case .object(let members)? = values[name] else { return nil }
        return JSONMembers(members)
    }
}

extension JSONMembers.Value: Decodable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let single = try decoder.singleValueContainer()
        if single.decodeNil() {
            self = .null
        } else if let text = Self.text(single) {
            self = .text(text)
        } else if let object = try? decoder.container(keyedBy: Name.self) {
            var members: [String: String] = [:]
            for name in object.allKeys { members[name.stringValue] = try? object.decode(String.self, forKey: name) }
            self = .object(members)
        } else {
            self = .array
        }
    }

    private static func text(_ value: any SingleValueDecodingContainer) -> String? {
        if let text = try? value.decode(String.self) { return text }
        if let flag = try? value.decode(Bool.self) { return String(flag) }
        if let number = try? value.decode(Int64.self) { return String(number) }
        if let number = try? value.decode(Double.self) { return String(number) }
        return nil
    }
}
