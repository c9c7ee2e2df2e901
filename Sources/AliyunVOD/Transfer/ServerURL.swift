internal import TransferCore
internal import TransferHTTP

/// A URL of one of the application's own servers, cut into what a request needs.
struct ServerURL: Sendable, Hashable {
    let endpoint: HTTPEndpoint
    /// With the query, if there is one.
    let path: String

    /// Throws `.invalidArgument` naming `url`.
    init(_ url: String) throws(TransferError) {
        // Path and query go to the wire as they are.
        guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }),
            let scheme = url.firstRange(of: "://")
        else {
            throw .invalidArgument("url", "expected https://host/path in ASCII without blanks and fragment")
        }
        let rest = url[scheme.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        do {
            endpoint = try HTTPEndpoint(parsing: String(url[..<end]))
        } catch {
            throw .invalidArgument("url", "expected https://host/path")
        }
        path = rest[end...].hasPrefix("/") ? String(rest[end...]) : "/" + rest[end...]
    }
}
