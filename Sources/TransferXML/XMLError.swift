/// Why a document could not be read or written. Never holds text of the document.
package struct XMLError: Error, Sendable, Hashable {
    package enum Reason: Sendable, Hashable {
        /// No bytes, or blanks alone.
        case empty
        /// Not well-formed XML 1.0 in UTF-8, or cut short. The code is libxml2's (`xmlParserErrors`), 0 when it gave none.
        case malformed(code: Int)
        /// A document type declaration: no service sends one, and every entity attack needs one.
        case documentType
        /// The document has more bytes than `limit`.
        case documentTooLarge(limit: Int)
        /// A text, tag or comment has more bytes than `limit`.
        case tokenTooLong(limit: Int)
        /// An element has more attributes than `limit`.
        case tooManyAttributes(limit: Int)
        /// Elements are nested deeper than `limit`.
        case tooDeep(limit: Int)
        /// There are more elements than `limit`.
        case tooManyElements(limit: Int)
        /// The root element has another name than `expected`.
        case unexpectedRoot(expected: String)
        /// libxml2 could not make a reader: memory is short.
        case unavailable
        /// An element or attribute to be written has a name that XML does not allow.
        case invalidName
        /// Text to be written has a character that XML 1.0 cannot carry, such as a control character.
        case invalidCharacter
    }

    package let reason: Reason
    /// The line of the document, from 1, where that is known.
    package let line: Int?

    init(_ reason: Reason, line: Int? = nil) {
        self.reason = reason
        self.line = line
    }
}

extension XMLError: CustomStringConvertible {
    package var description: String {
        let what =
            switch reason {
            case .empty: "the document is empty"
            case .malformed(code: 0): "the document is not well-formed XML"
            case .malformed(let code): "the document is not well-formed XML (libxml2 error \(code))"
            case .documentType: "the document has a document type declaration"
            case .documentTooLarge(let limit): "the document is larger than \(limit) bytes"
            case .tokenTooLong(let limit): "a text or tag is longer than \(limit) bytes"
            case .tooManyAttributes(let limit): "an element has more than \(limit) attributes"
            case .tooDeep(let limit): "elements are nested deeper than \(limit)"
            case .tooManyElements(let limit): "there are more than \(limit) elements"
            case .unexpectedRoot(let expected): "the root element is not \(expected)"
            case .unavailable: "no XML reader could be made"
            case .invalidName: "the name is not allowed in XML"
            case .invalidCharacter: "a character cannot be written in XML 1.0"
            }
        return line.map { "\(what), line \($0)" } ?? what
    }
}
