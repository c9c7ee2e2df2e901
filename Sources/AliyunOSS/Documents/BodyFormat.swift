internal import TransferHTTP

/// In which language a body is written, judged by the answer itself: a proxy or a callback's server may speak in place of
/// OSS.
enum BodyFormat: Hashable {
    case xml
    case json
    /// Nothing, or a page that is no document of the service.
    case other

    init(of response: HTTPResponse) {
        let type = response.headers["Content-Type"]?.lowercased() ?? ""
        switch Self.trimmed(response.body).first {
        // HTML begins like XML; only its type tells.
        case UInt8(ascii: "<"): self = type.contains("html") ? .other : .xml
        case UInt8(ascii: "{"): self = .json
        default: self = .other
        }
    }

    /// The body without the blanks that keep a slow answer alive, and without a byte order mark.
    static func trimmed(_ body: [UInt8]) -> ArraySlice<UInt8> {
        var rest = body.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        return rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }
}
