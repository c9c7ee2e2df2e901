/// A look over the bytes of a document before libxml2 sees them, on the level of tags and texts.
///
/// * Blanks and a byte order mark before the document are dropped: services send blanks to keep a slow answer alive.
/// * The XML declaration is dropped, so that it cannot switch the encoding: the bytes that are screened are the bytes
///   that are parsed. Documents are UTF-8, whatever they declare.
/// * CDATA sections become plain text: with many `>` in one, libxml2 2.9 takes quadratic time.
/// * A document type declaration is refused here, so that libxml2's code for DTDs and entities never runs.
/// * Sizes are limited.
/// * Control characters in text, bare or as a reference such as `&#x7;`, are not well-formed in XML 1.0, nor are U+FFFE and
///   U+FFFF, yet services echo object keys that hold them. They are escaped in a way that libxml2 accepts, and put back by the
///   reader, so that the upload id beside such a key can be read, and the key too.
struct XMLScreen {
    /// The document for libxml2.
    private(set) var document: [UInt8] = []
    /// Whether texts hold escapes; see `unescaped`.
    private(set) var hasEscapes = false
    /// The lines dropped from the front.
    private(set) var droppedLines = 0

    init(_ bytes: [UInt8], limits: XMLLimits) throws(XMLError) {
        guard bytes.count <= limits.documentBytes else {
            throw XMLError(.documentTooLarge(limit: limits.documentBytes))
        }
        let rest = Self.droppingPreamble(bytes[...])
        guard !rest.isEmpty else { throw XMLError(.empty) }
        droppedLines = Self.lines(bytes[..<rest.startIndex])
        // A second declaration would move to the front and be obeyed; libxml2 refuses any other itself.
        guard !Self.startsWithDeclaration(rest) else { throw XMLError(.malformed(code: 0), line: droppedLines + 1) }

        document.reserveCapacity(rest.count)
        var line = droppedLines + 1
        var position = rest.startIndex
        // What stays as it is goes over in stretches as long as possible: of most documents, all of it in one.
        var taken = position
        while position < bytes.count {
            let token = XMLToken(bytes, at: position, limits: limits)
            guard token.length <= token.limit else { throw XMLError(.tokenTooLong(limit: token.limit), line: line) }
            guard token.attributes <= XMLLimits.attributes else {
                throw XMLError(.tooManyAttributes(limit: XMLLimits.attributes), line: line)
            }
            let end = position + token.length
            switch token.kind {
            case .declaration: throw XMLError(.documentType, line: line)
            case .plainText: break
            case .markup: line += Self.lines(bytes[position..<end])
            case .text, .characterData:
                let text = bytes[position..<end]
                document += bytes[taken..<position]
                if token.kind == .text { append(text: text) } else { append(characters: text.dropFirst(9).dropLast(3)) }
                taken = end
                line += Self.lines(text)
            }
            position = end
        }
        document += bytes[taken...]
    }

    // MARK: - The front

    private static func droppingPreamble(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = bytes.drop(while: isBlank)
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3).drop(while: isBlank) }
        guard startsWithDeclaration(rest) else { return rest }
        let token = XMLToken(Array(rest.prefix(XMLLimits.markupBytes + 1)), at: 0, limits: XMLLimits())
        return rest.dropFirst(token.length).drop(while: isBlank)
    }

    private static func startsWithDeclaration(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.starts(with: "<?xml".utf8) && bytes.dropFirst(5).first.map(isBlank) == true
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    private static func lines(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.withUnsafeBufferPointer { bytes in bytes.reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) } }
    }

    // MARK: - Control characters

    /// U+FDD0, which Unicode reserves for no text at all, begins an escape: the letter behind it is that of caret notation,
    /// such as `G` for U+0007. The letters of the tab and of the line feed, which XML allows, stand for U+FFFE and U+FFFF, and
    /// `?` for U+FDD0 itself.
    private static let escape: UInt32 = 0xFDD0

    private static func isForbiddenControl(_ value: UInt32) -> Bool {
        value < 0x20 && value != 0x09 && value != 0x0A && value != 0x0D
    }

    /// The letter behind the escape for a code point that needs one; nil for any other.
    private static func letter(for value: UInt32) -> UInt8? {
        switch value {
        case escape: UInt8(ascii: "?")
        case 0xFFFE: UInt8(ascii: "I")
        case 0xFFFF: UInt8(ascii: "J")
        default: isForbiddenControl(value) ? UInt8(truncatingIfNeeded: value) + 0x40 : nil
        }
    }

    /// What a letter behind the escape stands for.
    private static func scalar(for letter: Unicode.Scalar) -> Unicode.Scalar {
        switch letter {
        // Swift has no literal for it.
        case "?": Unicode.Scalar(escape) ?? letter
        case "I": "\u{FFFE}"
        case "J": "\u{FFFF}"
        default: Unicode.Scalar(UInt8(truncatingIfNeeded: letter.value & 0x1F))
        }
    }

    /// Text from the reader, with what was escaped back in place.
    static func unescaped(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if !isEscaped, scalar.value == escape {
                isEscaped = true
                continue
            }
            scalars.append(isEscaped ? self.scalar(for: scalar) : scalar)
            isEscaped = false
        }
        return String(scalars)
    }

    private mutating func append(text: ArraySlice<UInt8>) {
        var rest = text
        while let special = rest.firstIndex(where: { $0 < 0x20 || $0 == 0xEF || $0 == UInt8(ascii: "&") }) {
            document += rest[..<special]
            rest = rest[special...]
            if let (letter, length) = Self.escapable(at: rest) {
                append(escaped: letter)
                rest = rest.dropFirst(length)
            } else if let byte = rest.popFirst() {
                document.append(byte)
            }
        }
        document += rest
    }

    /// The content of a CDATA section, written as a text. `]` is written as a reference because it may end the section
    /// while `>` begins the text after it, and the two must not meet.
    private mutating func append(characters: ArraySlice<UInt8>) {
        var rest = characters
        while let byte = rest.first {
            switch byte {
            case UInt8(ascii: "&"): document += "&amp;".utf8
            case UInt8(ascii: "<"): document += "&lt;".utf8
            case UInt8(ascii: "]"): document += "&#93;".utf8
            default:
                if let (letter, length) = Self.escapable(at: rest) {
                    append(escaped: letter)
                    rest = rest.dropFirst(length)
                    continue
                }
                document.append(byte)
            }
            rest = rest.dropFirst()
        }
    }

    private mutating func append(escaped letter: UInt8) {
        document += [0xEF, 0xB7, 0x90, letter]
        hasEscapes = true
    }

    /// The letter for what must be escaped at the front, bare or as a reference, and the bytes that this takes.
    private static func escapable(at bytes: ArraySlice<UInt8>) -> (letter: UInt8, length: Int)? {
        guard let first = bytes.first else { return nil }
        switch first {
        case UInt8(ascii: "&"):
            return reference(at: bytes).flatMap { value, length in letter(for: value).map { ($0, length) } }
        case 0xEF:
            let value: UInt32? =
                switch Array(bytes.prefix(3)) {
                case [0xEF, 0xB7, 0x90]: escape
                case [0xEF, 0xBF, 0xBE]: 0xFFFE
                case [0xEF, 0xBF, 0xBF]: 0xFFFF
                default: nil
                }
            return value.flatMap { letter(for: $0) }.map { ($0, 3) }
        default: return letter(for: UInt32(first)).map { ($0, 1) }
        }
    }

    /// The code point of `&#7;` or `&#x7;`, and the bytes of the reference. Nil for anything else.
    private static func reference(at bytes: ArraySlice<UInt8>) -> (value: UInt32, length: Int)? {
        var digits = bytes
        guard digits.starts(with: "&#".utf8) else { return nil }
        digits = digits.dropFirst(2)
        let isHex = digits.first == UInt8(ascii: "x")
        if isHex { digits = digits.dropFirst() }
        var value: UInt32 = 0
        var count = 0
        while let digit = digits.first.flatMap({ self.digit($0, isHex: isHex) }) {
            value = min(value * (isHex ? 16 : 10) + digit, 0x110000)
            count += 1
            digits = digits.dropFirst()
        }
        guard count > 0, digits.first == UInt8(ascii: ";") else { return nil }
        return (value, digits.startIndex + 1 - bytes.startIndex)
    }

    private static func digit(_ byte: UInt8, isHex: Bool) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f") where isHex: UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F") where isHex: UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
