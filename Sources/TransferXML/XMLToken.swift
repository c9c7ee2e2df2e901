/// The markup or text at one place of some bytes.
///
/// Only as much is looked at as the limits allow and one byte more, so that the length shows when they are exceeded. What
/// has no end reaches to the last byte; libxml2 reports it.
struct XMLToken {
    enum Kind {
        /// A text without control characters, line ends, references and what may need an escape: it stays as it is.
        case plainText
        /// Any other text.
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

    /// - Parameter start: Within `bytes`, which are whole and not a slice: a listing has ten thousand tokens.
    init(_ bytes: [UInt8], at start: Int, limits: XMLLimits) {
        let isMarkup = bytes[start] == UInt8(ascii: "<")
        let isCharacterData = isMarkup && Self.begins(bytes, at: start, with: "<![CDATA[")
        limit =
            isMarkup && !isCharacterData ? min(limits.tokenBytes, XMLLimits.markupBytes) : limits.tokenBytes
        let stop = min(bytes.count, start + limit + 1)

        let end: Int?
        var attributes = 0
        if !isMarkup {
            let text = Self.endOfText(bytes, start..<stop)
            kind = text.isPlain ? .plainText : .text
            end = text.end
        } else if isCharacterData {
            end = Self.end(UInt8(ascii: "]"), 2, in: bytes, from: start + 9, to: stop)
            kind = end == nil ? .markup : .characterData
        } else if Self.begins(bytes, at: start, with: "<!--") {
            kind = .markup
            end = Self.end(UInt8(ascii: "-"), 2, in: bytes, from: start + 4, to: stop)
        } else if Self.begins(bytes, at: start, with: "<!") {
            kind = .declaration
            end = nil
        } else if Self.begins(bytes, at: start, with: "<?") {
            kind = .markup
            end = Self.end(UInt8(ascii: "?"), 1, in: bytes, from: start + 2, to: stop)
        } else {
            kind = .markup
            (end, attributes) = Self.endOfTag(bytes, start + 1..<stop)
        }
        length = (end ?? stop) - start
        self.attributes = attributes
    }

    private static func begins(_ bytes: [UInt8], at start: Int, with mark: StaticString) -> Bool {
        guard bytes.count - start >= mark.utf8CodeUnitCount else { return false }
        return mark.withUTF8Buffer { mark in
            for index in mark.indices where bytes[start + index] != mark[index] { return false }
            return true
        }
    }

    /// The place of the next `<`.
    private static func endOfText(_ bytes: [UInt8], _ range: Range<Int>) -> (end: Int?, isPlain: Bool) {
        var isPlain = true
        for index in range {
            let byte = bytes[index]
            if byte == UInt8(ascii: "<") { return (index, isPlain) }
            if byte < 0x20 || byte == UInt8(ascii: "&") || byte == 0xEF { isPlain = false }
        }
        return (nil, isPlain)
    }

    /// The place after the first `>` that follows `count` times `mark`.
    private static func end(
        _ mark: UInt8, _ count: Int, in bytes: [UInt8], from start: Int, to stop: Int
    ) -> Int? {
        var marks = 0
        // A limit of a few bytes may stop short of the start.
        for index in min(start, stop)..<stop {
            let byte = bytes[index]
            if byte == UInt8(ascii: ">"), marks >= count { return index + 1 }
            marks = byte == mark ? marks + 1 : 0
        }
        return nil
    }

    /// A `>` within quotes does not end a tag. What closes quotes closes an attribute.
    private static func endOfTag(_ bytes: [UInt8], _ range: Range<Int>) -> (end: Int?, attributes: Int) {
        var quote: UInt8?
        var attributes = 0
        for index in range {
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
