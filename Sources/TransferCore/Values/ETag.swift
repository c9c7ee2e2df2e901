/// An entity tag as a service gave it.
///
/// Services write the same tag with and without quotes, so tags are compared by their bare text; and tags that look like an
/// MD5, with or without a number of parts behind it, in either case of their digits. A tag is an MD5 of the content only where it
/// looks like one, and never comparable between two objects.
public struct ETag: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The tag exactly as received, quotes and all. The only thing that is kept: a transfer holds thousands of tags.
    public let rawValue: String

    /// Takes the text as the service gave it, with or without quotes.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// The tag without white space around it, the mark of a weak tag, and quotes.
    public var bare: String { String(bareText) }

    /// Found by bytes, not by characters: every part has a tag, which is looked at several times.
    private var bareText: Substring {
        var text = rawValue.utf8[...]
        text.trim(while: \.isBlank)
        if text.starts(with: "W/".utf8) { text = text.dropFirst(2) }
        text.trim { $0 == UInt8(ascii: "\"") }
        return Substring(text)
    }

    private var comparable: String {
        let text = bareText
        return text.looksLikeMD5 ? text.lowercased() : String(text)
    }

    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    /// Whether the service sent no tag, or one of quotes alone.
    public var isEmpty: Bool { bareText.isEmpty }
    /// The tag in quotes, the form of `If-Match` (RFC 9110, section 8.8.3).
    public var quoted: String {
        let bare = bareText
        // As most services write it: between quotes and nothing else around.
        let isQuoted = rawValue.utf8.first == UInt8(ascii: "\"") && rawValue.utf8.last == UInt8(ascii: "\"")
        return isQuoted && rawValue.utf8.count == bare.utf8.count + 2 ? rawValue : "\"\(bare)\""
    }
    public var description: String { bare }

    public static func == (a: ETag, b: ETag) -> Bool {
        a.rawValue == b.rawValue || a.comparable == b.comparable
    }
    public func hash(into hasher: inout Hasher) { hasher.combine(comparable) }
}

extension Substring.UTF8View {
    fileprivate mutating func trim(while matches: (UInt8) -> Bool) {
        while let first, matches(first) { removeFirst() }
        while let last, matches(last) { removeLast() }
    }
}

extension Substring {
    /// 32 hexadecimal digits, and perhaps a hyphen and a number.
    fileprivate var looksLikeMD5: Bool {
        let digest = utf8.prefix(32)
        guard digest.count == 32, digest.allSatisfy(\.isHexDigit) else { return false }
        let rest = utf8.dropFirst(32)
        guard let hyphen = rest.first else { return true }
        return hyphen == UInt8(ascii: "-") && rest.count > 1 && rest.dropFirst().allSatisfy(\.isDigit)
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    /// Blanks, tabs and line ends.
    fileprivate var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
    fileprivate var isHexDigit: Bool {
        isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20)
    }
}
