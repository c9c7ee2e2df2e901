/// The markup or text at the front of some bytes.
///
/// Only as much is looked at as the limits allow and one byte more, so that the length shows when they are exceeded. What
/// has no end reaches to the last byte; libxml2 reports it.
struct XMLToken {
    enum Kind {
        case text
        /// A complete CDATA section, `<![CDATA[` and `]]>` included.
        case characterData
        /// `<!DOCTYPE` and its like.
        case declaration
        /// A tag, comment or processing instruction.
        case markup
    }

    let kind: Kind
    let length: Int
    /// The bytes that a token of this kind may have.
    let limit: Int
    /// The quoted values in a tag.
    let attributes: Int

    init(_ bytes: ArraySlice<UInt8>, limits: XMLLimits) {
        let isText = bytes.first != UInt8(ascii: "<") || bytes.starts(with: "<![CDATA[".utf8)
        limit = isText ? limits.tokenBytes : min(limits.tokenBytes, XMLLimits.markupBytes)
        let bytes = bytes.prefix(limit + 1)

        let end: Int?
        var attributes = 0
        if bytes.first != UInt8(ascii: "<") {
            kind = .text
            end = bytes.firstIndex(of: UInt8(ascii: "<"))
        } else if bytes.starts(with: "<![CDATA[".utf8) {
            end = Self.end(UInt8(ascii: "]"), 2, in: bytes.dropFirst(9))
            kind = end == nil ? .markup : .characterData
        } else if bytes.starts(with: "<!--".utf8) {
            kind = .markup
            end = Self.end(UInt8(ascii: "-"), 2, in: bytes.dropFirst(4))
        } else if bytes.starts(with: "<!".utf8) {
            kind = .declaration
            end = nil
        } else if bytes.starts(with: "<?".utf8) {
            kind = .markup
            end = Self.end(UInt8(ascii: "?"), 1, in: bytes.dropFirst(2))
        } else {
            kind = .markup
            (end, attributes) = Self.endOfTag(bytes.dropFirst())
        }
        length = (end ?? bytes.endIndex) - bytes.startIndex
        self.attributes = attributes
    }

    /// The place after the first `>` that follows `count` times `mark`.
    private static func end(_ mark: UInt8, _ count: Int, in bytes: ArraySlice<UInt8>) -> Int? {
        var rest = bytes
        while let index = rest.firstIndex(of: UInt8(ascii: ">")) {
            if index - bytes.startIndex >= count, bytes[(index - count)..<index].allSatisfy({ $0 == mark }) {
                return index + 1
            }
            rest = rest[(index + 1)...]
        }
        return nil
    }

    /// A `>` within quotes does not end a tag. What closes quotes closes an attribute.
    private static func endOfTag(_ bytes: ArraySlice<UInt8>) -> (end: Int?, attributes: Int) {
        var quote: UInt8?
        var attributes = 0
        for index in bytes.indices {
            let byte = bytes[index]
            if quote == nil {
                if byte == UInt8(ascii: ">") { return (index + 1, attributes) }
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { quote = byte }
            } else if byte == quote {
                quote = nil
                attributes += 1
            }
        }
        return (nil, attributes)
    }
}
