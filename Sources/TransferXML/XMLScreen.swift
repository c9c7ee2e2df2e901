/// A look over the bytes of a document before libxml2 sees them, on the level of tags and texts.
///
/// * Blanks and a byte order mark before the document are dropped: services send blanks to keep a slow answer alive.
/// * The XML declaration is dropped, so that it cannot switch the encoding: the bytes that are screened are the bytes
///   that are parsed. Documents are UTF-8, whatever they declare.
/// * CDATA sections become plain text: with many `>` in one, libxml2 2.9 takes quadratic time.
/// * A document type declaration is refused here, so that libxml2's code for DTDs and entities never runs.
/// * Sizes are limited.
/// * Control characters in text, bare or as a reference such as `&#x7;`, are not well-formed in XML 1.0, nor are U+FFFE and
///   U+FFFF, yet services echo object keys that hold them. They are replaced by stand-ins that libxml2 accepts, and put back
///   by the reader, so that the upload id beside such a key can be read, and the key too.
struct XMLScreen {
    /// The document for libxml2.
    private(set) var document: [UInt8] = []
    /// Whether texts hold stand-ins; see `restoringControls`.
    private(set) var hasStandIns = false
    /// The lines dropped from the front.
    private(set) var droppedLines = 0

    init(_ bytes: [UInt8], limits: XMLLimits) throws(XMLError) {
        guard bytes.count <= limits.documentBytes else {
            throw XMLError(.documentTooLarge(limit: limits.documentBytes))
        }
        var rest = Self.droppingPreamble(bytes[...])
        guard !rest.isEmpty else { throw XMLError(.empty) }
        droppedLines = Self.lines(bytes[..<rest.startIndex])
        // A second declaration would move to the front and be obeyed; libxml2 refuses any other itself.
        guard !Self.startsWithDeclaration(rest) else { throw XMLError(.malformed(code: 0), line: droppedLines + 1) }

        document.reserveCapacity(rest.count)
        var line = droppedLines + 1
        var usesStandInsItself = false
        while !rest.isEmpty {
            let token = XMLToken(rest, limits: limits)
            let bytes = rest.prefix(token.length)
            guard bytes.count <= token.limit else { throw XMLError(.tokenTooLong(limit: token.limit), line: line) }
            guard token.attributes <= XMLLimits.attributes else {
                throw XMLError(.tooManyAttributes(limit: XMLLimits.attributes), line: line)
            }
            switch token.kind {
            case .declaration: throw XMLError(.documentType, line: line)
            case .text: append(text: bytes)
            case .characterData: append(characters: bytes.dropFirst(9).dropLast(3))
            case .markup: document += bytes
            }
            if token.kind == .text || token.kind == .characterData {
                usesStandInsItself = usesStandInsItself || Self.hasStandIn(bytes)
            }
            line += Self.lines(bytes)
            rest = rest.dropFirst(bytes.count)
        }
        // Then nobody could tell which are which. The stand-ins are code points that Unicode reserves for no text at all.
        if hasStandIns && usesStandInsItself { throw XMLError(.malformed(code: 0)) }
    }

    // MARK: - The front

    private static func droppingPreamble(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = bytes.drop(while: isBlank)
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3).drop(while: isBlank) }
        guard startsWithDeclaration(rest) else { return rest }
        return rest.dropFirst(XMLToken(rest, limits: XMLLimits()).length).drop(while: isBlank)
    }

    private static func startsWithDeclaration(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.starts(with: "<?xml".utf8) && bytes.dropFirst(5).first.map(isBlank) == true
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    private static func lines(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.withUnsafeBufferPointer { bytes in bytes.reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) } }
    }

    // MARK: - Control characters

    /// U+FDD0 to U+FDEF are 32 code points without a character, one for each control character. Those of the tab and of the
    /// line feed, which XML allows, stand for U+FFFE and U+FFFF.
    private static let firstStandIn: UInt32 = 0xFDD0

    private static func isForbiddenControl(_ value: UInt32) -> Bool {
        value < 0x20 && value != 0x09 && value != 0x0A && value != 0x0D
    }

    /// The number of the stand-in for a code point that XML forbids; nil for any other.
    private static func standIn(for value: UInt32) -> UInt8? {
        switch value {
        case 0xFFFE: 0x09
        case 0xFFFF: 0x0A
        default: isForbiddenControl(value) ? UInt8(truncatingIfNeeded: value) : nil
        }
    }

    /// Text from the reader, with its control characters back in place.
    static func restoringControls(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value &- firstStandIn {
            case 0x09: scalars.append("\u{FFFE}")
            case 0x0A: scalars.append("\u{FFFF}")
            case let control where control < 0x20: scalars.append(Unicode.Scalar(UInt8(truncatingIfNeeded: control)))
            default: scalars.append(scalar)
            }
        }
        return String(scalars)
    }

    private mutating func append(text: ArraySlice<UInt8>) {
        var rest = text
        while let special = rest.firstIndex(where: { $0 < 0x20 || $0 == 0xEF || $0 == UInt8(ascii: "&") }) {
            document += rest[..<special]
            rest = rest[special...]
            if let (standIn, length) = Self.forbidden(at: rest) {
                append(standIn: standIn)
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
                if let (standIn, length) = Self.forbidden(at: rest) {
                    append(standIn: standIn)
                    rest = rest.dropFirst(length)
                    continue
                }
                document.append(byte)
            }
            rest = rest.dropFirst()
        }
    }

    /// Three bytes in UTF-8, EF B7 90 to EF B7 AF.
    private mutating func append(standIn: UInt8) {
        document += [0xEF, 0xB7, 0x90 + standIn]
        hasStandIns = true
    }

    /// The stand-in for the forbidden character at the front, bare or as a reference, and the bytes that this takes.
    private static func forbidden(at bytes: ArraySlice<UInt8>) -> (UInt8, length: Int)? {
        guard let first = bytes.first else { return nil }
        switch first {
        case UInt8(ascii: "&"):
            return reference(at: bytes).flatMap { value, length in standIn(for: value).map { ($0, length) } }
        case 0xEF:
            guard let last = bytes.dropFirst(2).first, bytes.prefix(2).elementsEqual([0xEF, 0xBF]), last >= 0xBE else {
                return nil
            }
            return (last == 0xBE ? 0x09 : 0x0A, 3)
        default: return standIn(for: UInt32(first)).map { ($0, 1) }
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

    private static func hasStandIn(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text
        while let index = rest.firstIndex(where: { $0 == 0xEF || $0 == UInt8(ascii: "&") }) {
            rest = rest[index...]
            let isBare =
                rest.prefix(2).elementsEqual([0xEF, 0xB7]) && rest.dropFirst(2).first.map { 0x90...0xAF ~= $0 } == true
            let value = reference(at: rest)?.value ?? 0
            if isBare || (firstStandIn..<firstStandIn + 0x20).contains(value) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
