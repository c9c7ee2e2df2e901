internal import TransferHTTP

/// User metadata in headers, which take printable ASCII only: anything else travels percent-encoded.
package enum MetadataCoding: Sendable {
    /// Names and values are encoded whatever they hold, as clients of TOS do (TOS: spec section 3.4).
    case always
    /// Only what needs it is encoded, so that other clients of the service read plain text as it was written, and a copy that
    /// carries metadata over carries every byte of theirs.
    case whenNeeded

    func headerName(_ name: String) -> String { encoded(name, .name) }

    func headerValue(_ value: String) -> String { encoded(value, .value) }

    private func encoded(_ text: String, _ place: HeaderPlace) -> String {
        switch self {
        case .always: PercentEncoding.component(text)
        case .whenNeeded: place.needsEncoding(text) ? PercentEncoding.component(text) : text
        }
    }

    /// The metadata among the headers of an answer, names in lower case.
    func read(_ headers: HTTPHeaders, prefix: String) -> [String: String] {
        var metadata: [String: String] = [:]
        for (name, value) in headers {
            let name = name.lowercased()
            guard name.hasPrefix(prefix), name.utf8.count > prefix.utf8.count else { continue }
            metadata[decoded(String(name.dropFirst(prefix.count)), .name)] = decoded(value, .value)
        }
        return metadata
    }

    /// A text that was not written in this form was written by another client and is taken as it is.
    private func decoded(_ text: String, _ place: HeaderPlace) -> String {
        switch self {
        case .always: PercentEncoding.decode(text) ?? text
        case .whenNeeded: place.content(of: text).flatMap { place.needsEncoding($0) ? $0 : nil } ?? text
        }
    }
}

/// Where in a header a text stands, which says what it may hold there.
private enum HeaderPlace {
    /// The end of a name.
    case name
    case value

    /// Whether a header cannot hold `text`, or reading it back would give another one.
    func needsEncoding(_ text: String) -> Bool {
        var text = text
        // What looks like the encoded form of such a text is encoded once more. Nobody nests deeper than this.
        for _ in 0..<16 {
            if !isPlain(text) { return true }
            guard let content = content(of: text) else { return false }
            text = content
        }
        return false
    }

    /// The text that `encoded` is the very encoded form of; nil when it is that of none.
    func content(of encoded: String) -> String? {
        guard encoded.utf8.contains(UInt8(ascii: "%")), let content = PercentEncoding.decode(encoded) else {
            return nil
        }
        let written = PercentEncoding.component(content)
        return switch self {
        // Names have lost their case.
        case .name: written.lowercased() == encoded.lowercased() ? content : nil
        case .value: written == encoded ? content : nil
        }
    }

    private func isPlain(_ text: String) -> Bool {
        let bytes = text.utf8
        return switch self {
        case .name: bytes.allSatisfy(ByteClass.token.contains)
        case .value: bytes.allSatisfy { (0x20..<0x7F).contains($0) } && bytes.first != 0x20 && bytes.last != 0x20
        }
    }
}
