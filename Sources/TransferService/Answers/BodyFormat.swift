package import TransferHTTP

/// In which language a body is written, judged by the answer itself: a proxy, another protocol of the same service or a
/// callback's server may speak in its place.
package enum BodyFormat: Hashable {
    case json
    case xml
    /// Nothing, or a page that is no document of a service.
    case other

    package init(of response: HTTPResponse) {
        let type = response.headers["Content-Type"]?.lowercased() ?? ""
        switch Self.trimmed(response.body).first {
        case UInt8(ascii: "{"): self = .json
        // HTML begins like XML; only its type tells.
        case UInt8(ascii: "<"): self = type.contains("html") ? .other : .xml
        default: self = .other
        }
    }

    /// The body without the blanks that keep a slow answer alive, and without a byte order mark.
    package static func trimmed(_ body: [UInt8]) -> ArraySlice<UInt8> {
        var rest = body.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        return rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }
}
