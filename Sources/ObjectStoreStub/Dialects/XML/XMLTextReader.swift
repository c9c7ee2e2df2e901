/// Reads the small documents that requests carry: elements, text, the five entities and character references.
///
/// Comments and a declaration are passed over. A document type, a processing instruction or CDATA is refused, as is
/// whatever is not well-formed or nests too deep.
struct XMLTextReader {
    struct Malformed: Error, Equatable {
        let reason: String
    }

    private static let depthLimit = 16
    private let bytes: [UInt8]
    private var position = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The root of a document.
    static func read(_ bytes: [UInt8]) throws(Malformed) -> XMLText {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw Malformed(reason: "not UTF-8") }
        var reader = XMLTextReader(bytes)
        reader.skip("\u{FEFF}")
        reader.skipBlanks()
        if reader.skip("<?xml") { try reader.skip(past: "?>") }
        try reader.skipComments()
        guard reader.skip("<") else { throw Malformed(reason: "no root") }
        let root = try reader.element(depth: 1)
        try reader.skipComments()
        guard reader.position == bytes.count else { throw Malformed(reason: "text behind the root") }
        return root
    }

    /// The element whose `<` has just been read.
    private mutating func element(depth: Int) throws(Malformed) -> XMLText {
        guard depth <= Self.depthLimit else { throw Malformed(reason: "nests too deep") }
        let qualifiedName = name()
        guard !qualifiedName.isEmpty else { throw Malformed(reason: "no element where one should begin") }
        var result = XMLText(String(qualifiedName.split(separator: ":").last ?? qualifiedName[...]))
        if try skipAttributes() { return result }
        var text: [UInt8] = []
        while position < bytes.count {
            if skip("</") {
                guard name() == qualifiedName else { throw Malformed(reason: "\(qualifiedName) is not closed") }
                skipBlanks()
                guard skip(">") else { throw Malformed(reason: "a closing tag is not closed") }
                result.text = String(decoding: text, as: UTF8.self)
                return result
            }
            if skip("<!--") {
                try skip(past: "-->")
            } else if skip("<") {
                result.children.append(try element(depth: depth + 1))
            } else if skip("&") {
                text += try reference().utf8
            } else {
                text.append(bytes[position])
                position += 1
            }
        }
        throw Malformed(reason: "\(qualifiedName) is not closed")
    }

    /// Passes over the attributes and the end of a tag; true when the element is empty and ends with it.
    private mutating func skipAttributes() throws(Malformed) -> Bool {
        while true {
            skipBlanks()
            if skip("/>") { return true }
            if skip(">") { return false }
            guard !name().isEmpty else { throw Malformed(reason: "a tag is not closed") }
            skipBlanks()
            guard skip("=") else { throw Malformed(reason: "an attribute without a value") }
            skipBlanks()
            if skip("\"") {
                try skip(past: "\"")
            } else if skip("'") {
                try skip(past: "'")
            } else {
                throw Malformed(reason: "an attribute without quotes")
            }
        }
    }

    /// What the reference whose `&` has just been read stands for.
    private mutating func reference() throws(Malformed) -> String {
        let start = position
        try skip(past: ";")
        let name = String(decoding: bytes[start..<(position - 1)], as: UTF8.self)
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            let digits = name.dropFirst(name.hasPrefix("#x") ? 2 : 1)
            guard name.hasPrefix("#"), digits.first != "+", digits.first != "-",
                let number = UInt32(digits, radix: name.hasPrefix("#x") ? 16 : 10), let scalar = Unicode.Scalar(number)
            else { throw Malformed(reason: "unknown entity") }
            return String(Character(scalar))
        }
    }

    private mutating func name() -> String {
        let start = position
        while position < bytes.count, !Self.endsName.contains(bytes[position]) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private static let endsName = Set(" \t\r\n<>/=&;\"'!?[]".utf8)

    private mutating func skipBlanks() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    }

    private mutating func skipComments() throws(Malformed) {
        skipBlanks()
        while skip("<!--") {
            try skip(past: "-->")
            skipBlanks()
        }
    }

    @discardableResult
    private mutating func skip(_ text: String) -> Bool {
        guard bytes[position...].starts(with: text.utf8) else { return false }
        position += text.utf8.count
        return true
    }

    private mutating func skip(past text: String) throws(Malformed) {
        while position < bytes.count {
            if skip(text) { return }
            position += 1
        }
        throw Malformed(reason: "ends too early")
    }
}
