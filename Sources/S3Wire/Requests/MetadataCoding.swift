internal import TransferHTTP

/// User metadata in headers, which take printable ASCII only: anything else travels percent-encoded.
package enum MetadataCoding: Sendable {
    /// Names and values are encoded whatever they hold, as clients of TOS do (TOS: spec section 3.4).
    case always
    /// Only what needs it is encoded, so that other clients of the service read plain text as it was written.
    case whenNeeded

    func headerName(_ name: String) -> String { encoded(name) }

    func headerValue(_ value: String) -> String { encoded(value) }

    private func encoded(_ text: String) -> String {
        switch self {
        case .always: PercentEncoding.component(text)
        case .whenNeeded: Self.isPlain(text) ? text : PercentEncoding.component(text)
        }
    }

    /// The metadata among the headers of an answer, names in lower case.
    func read(_ headers: HTTPHeaders, prefix: String) -> [String: String] {
        var metadata: [String: String] = [:]
        for (name, value) in headers {
            let name = name.lowercased()
            guard name.hasPrefix(prefix), name.utf8.count > prefix.utf8.count else { continue }
            metadata[decoded(String(name.dropFirst(prefix.count)))] = decoded(value)
        }
        return metadata
    }

    /// A text that was not written in this form was written by another client and is taken as it is, so that a copy that
    /// carries metadata over carries every byte.
    private func decoded(_ text: String) -> String {
        guard let decoded = PercentEncoding.decode(text) else { return text }
        switch self {
        case .always: return decoded
        case .whenNeeded: return encoded(decoded).lowercased() == text.lowercased() ? decoded : text
        }
    }

    /// Whether a header keeps the text, and reading it back does not change it.
    private static func isPlain(_ text: String) -> Bool {
        let bytes = text.utf8
        return bytes.allSatisfy { (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "%") } && bytes.first != 0x20
            && bytes.last != 0x20
    }
}
