package import TransferHTTP

/// In which language a body is written, judged by the answer itself: a proxy, another protocol of the same service or a
/// callback's server may speak in its place.
package enum BodyFormat: Hashable {
    case json
    case xml
    /// Nothing, or a page that is no document of a service.
    case other

    package init(of response: HTTPResponse) {
        switch Self.trimmed(response.body).first {
        case UInt8(ascii: "{"): self = .json
        // HTML begins like XML; only its type tells.
        case UInt8(ascii: "<"): self = Self.isHTML(response) ? .other : .xml
        default: self = .other
        }
    }

    private static func isHTML(_ response: HTTPResponse) -> Bool {
        // The types of documents, as services spell them; any other is looked through.
        guard let type = response.headers["Content-Type"], type != "application/xml", type != "text/xml" else {
            return false
        }
        return type.lowercased().contains("html")
    }

    /// The body without the blanks that keep a slow answer alive, and without a byte order mark.
    package static func trimmed(_ body: [UInt8]) -> ArraySlice<UInt8> {
        let rest = body.drop(while: isBlank)
        guard rest.starts(with: [0xEF, 0xBB, 0xBF]) else { return rest }
        return rest.dropFirst(3).drop(while: isBlank)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
}
