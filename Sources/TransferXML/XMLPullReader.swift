internal import CLibXML2

/// What a pull reader comes across. Comments and processing instructions are passed over.
package enum XMLEvent: Sendable, Hashable {
    /// A start tag. The name is without its prefix; the namespace is nil where none is declared.
    case start(localName: String, namespace: String?)
    /// Characters, in order; a text may come in several pieces, such as around a comment.
    case text(String)
    /// The end of the element that was started last and has not ended.
    case end
}

/// Reads a document piece by piece with libxml2's text reader.
///
/// The only owner of the reader's handle and of the bytes that the handle borrows; both are freed with it. No network, no
/// entities but the five of XML itself and numeric ones, no document type, no recovery from errors. Not to be shared
/// between threads.
package final class XMLPullReader {
    private let handle: xmlTextReaderPtr
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private let limits: XMLLimits
    private let hasEscapes: Bool
    private let droppedLines: Int

    private var depth = 0
    private var elements = 0
    /// An empty tag, `<Owner/>`, is one node for libxml2 and two events here.
    private var owesEnd = false
    /// The namespace of the last element that had one, and where libxml2 keeps it: one piece of text for all of them.
    private var lastNamespace: (place: UnsafePointer<xmlChar>, text: String)?
    private var outcome: Result<Void, XMLError>?

    package init(_ document: [UInt8], limits: XMLLimits = XMLLimits()) throws(XMLError) {
        _ = isLibraryReady
        let screen = try XMLScreen(document, limits: limits)
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: screen.document.count)
        _ = bytes.initialize(from: screen.document)
        // No DTDLOAD, no NOENT, no RECOVER and no HUGE: what is not named here stays off.
        let options = XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
        let reader = UnsafeRawBufferPointer(bytes).withMemoryRebound(to: CChar.self) { characters in
            xmlReaderForMemory(
                characters.baseAddress, Int32(characters.count), nil, "UTF-8", Int32(truncatingIfNeeded: options))
        }
        guard let reader else {
            bytes.deallocate()
            throw XMLError(.unavailable)
        }
        handle = reader
        self.bytes = bytes
        self.limits = limits
        hasEscapes = screen.hasEscapes
        droppedLines = screen.droppedLines
    }

    deinit {
        // The handle first: it points into the bytes.
        xmlFreeTextReader(handle)
        bytes.deallocate()
    }

    /// The next event, or nil once the whole document has been read and found well-formed. After an error, the same error.
    package func next() throws(XMLError) -> XMLEvent? {
        if let outcome {
            try outcome.get()
            return nil
        }
        do throws(XMLError) {
            let event = try advance()
            if event == nil { outcome = .success(()) }
            return event
        } catch {
            outcome = .failure(error)
            throw error
        }
    }

    private func advance() throws(XMLError) -> XMLEvent? {
        if owesEnd { return end() }
        while try read() {
            switch xmlReaderTypes(UInt32(bitPattern: xmlTextReaderNodeType(handle))) {
            case XML_READER_TYPE_ELEMENT:
                return try start()
            case XML_READER_TYPE_END_ELEMENT:
                return end()
            case XML_READER_TYPE_TEXT, XML_READER_TYPE_WHITESPACE, XML_READER_TYPE_SIGNIFICANT_WHITESPACE:
                if let text = xmlTextReaderConstValue(handle) { return .text(string(text)) }
            case XML_READER_TYPE_COMMENT, XML_READER_TYPE_PROCESSING_INSTRUCTION:
                continue
            default:
                throw XMLError(.malformed(code: 0), line: line)
            }
        }
        return nil
    }

    private func start() throws(XMLError) -> XMLEvent {
        depth += 1
        elements += 1
        guard depth <= limits.depth else { throw XMLError(.tooDeep(limit: limits.depth), line: line) }
        guard elements <= limits.elements else { throw XMLError(.tooManyElements(limit: limits.elements), line: line) }
        guard let name = xmlTextReaderConstLocalName(handle) else { throw XMLError(.malformed(code: 0), line: line) }
        owesEnd = xmlTextReaderIsEmptyElement(handle) == 1
        return .start(
            localName: Self.withoutPrefix(String(cString: name)),
            namespace: xmlTextReaderConstNamespaceUri(handle).map { namespace($0) })
    }

    private func namespace(_ place: UnsafePointer<xmlChar>) -> String {
        if let lastNamespace, lastNamespace.place == place { return lastNamespace.text }
        let text = String(cString: place)
        lastNamespace = (place, text)
        return text
    }

    private func end() -> XMLEvent {
        owesEnd = false
        depth -= 1
        return .end
    }

    /// Moves to the next node; false at the end of the document.
    private func read() throws(XMLError) -> Bool {
        xmlResetLastError()
        switch xmlTextReaderRead(handle) {
        case 1: return true
        case 0: return false
        default:
            let code = xmlGetLastError().map { Int($0.pointee.code) } ?? 0
            throw XMLError(.malformed(code: code), line: line)
        }
    }

    private var line: Int { max(1, Int(xmlTextReaderGetParserLineNumber(handle))) + droppedLines }

    /// libxml2 takes off the prefixes that are declared; a prefix that is not must not hide an element either.
    private static func withoutPrefix(_ name: String) -> String {
        name.utf8.lastIndex(of: UInt8(ascii: ":")).map { String(name[name.utf8.index(after: $0)...]) } ?? name
    }

    private func string(_ text: UnsafePointer<xmlChar>) -> String {
        let text = String(cString: text)
        return hasEscapes ? XMLScreen.unescaped(text) : text
    }
}

/// libxml2's global state must be set up before several threads use it; Swift evaluates this once.
private let isLibraryReady: Bool = {
    xmlInitParser()
    return true
}()
