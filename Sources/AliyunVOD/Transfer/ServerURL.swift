internal import TransferCore
internal import TransferHTTP

/// A URL of one of the application's own servers, cut into what a request needs.
struct ServerURL: Sendable, Hashable {
    let endpoint: HTTPEndpoint
    /// With the query, if there is one.
    let path: String

    /// Throws `.invalidArgument` naming `url`.
    init(_ url: String) throws(TransferError) {
        guard let scheme = url.firstRange(of: "://") else {
            throw .invalidArgument(
                "url", "\(Self.shown(url)) has no scheme; expected http:// or https://, a host and a path")
        }
        // Path and query go to the wire as they are.
        guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }) else {
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

    /// The URL as a message may show it: without its query, and not at all when it may hold a password.
    private static func shown(_ url: String) -> String {
        let text = url.prefix { $0 != "?" && $0 != "#" }
        return text.contains("@") || text.count > 200 ? "the URL" : String(text).debugDescription
    }
}
