/// Writes small documents, such as the body of CompleteMultipartUpload.
///
///     var document = XMLWriter()
///     try document.element("CompleteMultipartUpload") { document in
///         try document.element("Part") { part in
///             try part.element("PartNumber", text: "1")
///             try part.element("ETag", text: "\"9b2cf535f27731c974343645a3985328\"")
///         }
///     }
///     send(document.bytes)
package struct XMLWriter: Sendable {
    /// The document so far, in UTF-8.
    package private(set) var bytes: [UInt8]

    /// Begins with the XML declaration, unless told otherwise.
    package init(declaration: Bool = true) {
        bytes = declaration ? Array(#"<?xml version="1.0" encoding="UTF-8"?>"#.utf8) : []
    }

    /// An element with whatever `content` writes into it.
    ///
    /// - Throws: `XMLError` for a name that is none, or for text with a character that XML 1.0 cannot carry; and whatever
    ///   `content` throws.
    package mutating func element(
        _ name: String, attributes: KeyValuePairs<String, String> = [:],
        _ content: (inout XMLWriter) throws -> Void
    ) throws {
        try open(name, attributes)
        try content(&self)
        close(name)
    }

    /// An element with `text` in it.
    ///
    /// - Throws: As above. A key with control characters cannot be sent in XML 1.0 at all.
    package mutating func element(
        _ name: String, attributes: KeyValuePairs<String, String> = [:], text: String
    ) throws(XMLError) {
        try open(name, attributes)
        try append(text, isAttribute: false)
        close(name)
    }

    private mutating func open(_ name: String, _ attributes: KeyValuePairs<String, String>) throws(XMLError) {
        guard Self.isName(name) else { throw XMLError(.invalidName) }
        bytes.append(UInt8(ascii: "<"))
        bytes += name.utf8
        for (name, value) in attributes {
            guard Self.isName(name) else { throw XMLError(.invalidName) }
            bytes.append(UInt8(ascii: " "))
            bytes += name.utf8
            bytes += "=\"".utf8
            try append(value, isAttribute: true)
            bytes.append(UInt8(ascii: "\""))
        }
        bytes.append(UInt8(ascii: ">"))
    }

    private mutating func close(_ name: String) {
        bytes += "</".utf8
        bytes += name.utf8
        bytes.append(UInt8(ascii: ">"))
    }

    /// Tabs and line ends are written as references, since a reader turns them into blanks in attributes, and CR into LF in
    /// texts. Quotes end attributes and nothing else.
    private mutating func append(_ text: String, isAttribute: Bool) throws(XMLError) {
        var text = text
        let isWhole = text.withUTF8 { text in
            // What stays as it is goes over in stretches as long as possible.
            var taken = 0
            for (index, byte) in text.enumerated() where Self.isSpecial(byte) {
                if Self.isForbidden(text[index...]) { return false }
                guard let reference = Self.reference(for: byte, isAttribute: isAttribute) else { continue }
                bytes += text[taken..<index]
                bytes += reference.utf8
                taken = index + 1
            }
            bytes += text[taken...]
            return true
        }
        guard isWhole else { throw XMLError(.invalidCharacter) }
    }

    /// Whether a byte of UTF-8 can be anything but itself. 0xEF begins, among others, the two characters that XML excludes.
    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<0x20, UInt8(ascii: "\""), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "<"), UInt8(ascii: ">"),
            0xEF:
            true
        default: false
        }
    }

    /// Whether text begins with a character that XML 1.0 cannot carry: a control character, U+FFFE or U+FFFF.
    private static func isForbidden(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard text.first == 0xEF else { return reference(for: text.first ?? 0, isAttribute: true) == nil }
        return text.starts(with: [0xEF, 0xBF, 0xBE]) || text.starts(with: [0xEF, 0xBF, 0xBF])
    }

    private static func reference(for byte: UInt8, isAttribute: Bool) -> String? {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\"") where isAttribute: "&quot;"
        case UInt8(ascii: "'") where isAttribute: "&#39;"
        case UInt8(ascii: "\t"): "&#9;"
        case UInt8(ascii: "\n"): "&#10;"
        case UInt8(ascii: "\r"): "&#13;"
        default: nil
        }
    }

    /// ASCII names alone: all that the services use.
    private static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, isNameStart(first) else { return false }
        return name.utf8.allSatisfy { isNameStart($0) || isInside($0) }
    }

    private static func isNameStart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: ":"):
            true
        default: false
        }
    }

    private static func isInside(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }
}
