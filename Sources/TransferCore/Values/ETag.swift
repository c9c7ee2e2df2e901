/// An entity tag as a service gave it.
///
/// Services write the same tag with and without quotes, so tags are compared by their bare text. A tag is an MD5 of the
/// content only where it looks like one, and never comparable between two objects.
public struct ETag: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The tag exactly as received, quotes and all.
    public let rawValue: String
    /// The tag without white space around it, the mark of a weak tag, and quotes.
    public let bare: String

    public init(_ rawValue: String) {
        self.rawValue = rawValue
        var text = Substring(rawValue)
        text.trim(while: \.isWhitespace)
        if text.hasPrefix("W/") { text.removeFirst(2) }
        text.trim { $0 == "\"" }
        bare = String(text)
    }

    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    /// Whether the service sent no tag, or one of quotes alone.
    public var isEmpty: Bool { bare.isEmpty }
    /// The tag in quotes, the form of `If-Match` (RFC 9110, section 8.8.3).
    public var quoted: String { "\"\(bare)\"" }
    public var description: String { bare }

    public static func == (a: ETag, b: ETag) -> Bool { a.bare == b.bare }
    public func hash(into hasher: inout Hasher) { hasher.combine(bare) }
}

extension Substring {
    fileprivate mutating func trim(while matches: (Character) -> Bool) {
        while let first, matches(first) { removeFirst() }
        while let last, matches(last) { removeLast() }
    }
}
