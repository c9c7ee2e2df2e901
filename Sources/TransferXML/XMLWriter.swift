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
        bytes += "</\(name)>".utf8
    }

    /// An element with `text` in it.
    ///
    /// - Throws: As above. A key with control characters cannot be sent in XML 1.0 at all.
    package mutating func element(
        _ name: String, attributes: KeyValuePairs<String, String> = [:], text: String
    ) throws(XMLError) {
        try open(name, attributes)
        try append(text, isAttribute: false)
        bytes += "</\(name)>".utf8
    }

    private mutating func open(_ name: String, _ attributes: KeyValuePairs<String, String>) throws(XMLError) {
        guard Self.isName(name) else { throw XMLError(.invalidName) }
        bytes += "<\(name)".utf8
        for (name, value) in attributes {
            guard Self.isName(name) else { throw XMLError(.invalidName) }
            bytes += " \(name)=\"".utf8
            try append(value, isAttribute: true)
            bytes.append(UInt8(ascii: "\""))
        }
        bytes.append(UInt8(ascii: ">"))
    }

    /// Tabs and line ends are written as references, since a reader turns them into blanks in attributes, and CR into LF in
    /// texts. Quotes end attributes and nothing else.
    private mutating func append(_ text: String, isAttribute: Bool) throws(XMLError) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": bytes += "&amp;".utf8
            case "<": bytes += "&lt;".utf8
            case ">": bytes += "&gt;".utf8
            case "\"" where isAttribute: bytes += "&quot;".utf8
            case "'" where isAttribute: bytes += "&#39;".utf8
            case "\t", "\n", "\r": bytes += "&#\(scalar.value);".utf8
            case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": throw XMLError(.invalidCharacter)
            default: bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            }
        }
    }

    /// ASCII names alone: all that the services use.
    private static func isName(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, isNameStart(first) else { return false }
        return name.unicodeScalars.allSatisfy { isNameStart($0) || ("0"..."9").contains($0) || $0 == "-" || $0 == "." }
    }

    private static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_" || scalar == ":"
    }
}
