import TransferHTTP

/// Which proxy a request goes through. A pure function of setting, environment and endpoint, made here and not left to
/// libcurl, whose versions differ.
///
/// For an endpoint, the first of these that is set and not empty names the proxy: for `http` `http_proxy`, then
/// `HTTP_PROXY` unless `REQUEST_METHOD` is set (in a CGI process a client can set it with a header); for `https`
/// `https_proxy`, then `HTTPS_PROXY`; for both then `all_proxy`, `ALL_PROXY`. A proxy without a scheme is an `http` one.
///
/// `no_proxy`, else `NO_PROXY`, lists exceptions between commas or blanks:
/// * `*` stands for every host;
/// * a name stands for itself and everything below it, with or without a dot or `*.` in front;
/// * an IP address stands for itself, an IPv6 one with or without brackets;
/// * each may end in `:port` (an IPv6 address then needs its brackets), and stands for that port only.
struct ProxyRules: Sendable {
    private let setting: TransportProxy
    private let environment: [String: String]

    init(_ setting: TransportProxy, environment: [String: String]) {
        self.setting = setting
        self.environment = setting == .environment ? environment.filter { Self.names.contains($0.key) } : [:]
    }

    /// The URL of the proxy; nil for a direct connection.
    func proxy(for endpoint: HTTPEndpoint) -> String? {
        switch setting {
        case .none: return nil
        case .url(let url): return url
        case .environment:
            guard !environment.isEmpty, let proxy = named(for: endpoint.scheme), !isExcepted(endpoint) else {
                return nil
            }
            return proxy.contains("://") ? proxy : "http://\(proxy)"
        }
    }

    private func named(for scheme: HTTPEndpoint.Scheme) -> String? {
        let own: [String]
        switch scheme {
        case .https: own = ["https_proxy", "HTTPS_PROXY"]
        case .http: own = environment["REQUEST_METHOD"] == nil ? ["http_proxy", "HTTP_PROXY"] : ["http_proxy"]
        }
        return (own + ["all_proxy", "ALL_PROXY"]).lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }

    private func isExcepted(_ endpoint: HTTPEndpoint) -> Bool {
        guard let list = ["no_proxy", "NO_PROXY"].lazy.compactMap({ environment[$0] }).first(where: { !$0.isEmpty })
        else { return false }
        return list.split { $0 == "," || $0.isWhitespace }.contains { Self.matches($0.lowercased(), endpoint) }
    }

    static func matches(_ exception: String, _ endpoint: HTTPEndpoint) -> Bool {
        if exception == "*" { return true }
        var host = exception[...]
        if let (name, port) = Self.splitPort(host) {
            guard port == endpoint.effectivePort else { return false }
            host = name
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        if host.hasPrefix("*.") { host = host.dropFirst(2) } else if host.hasPrefix(".") { host = host.dropFirst() }
        if host.hasSuffix(".") { host = host.dropLast() }
        guard !host.isEmpty else { return false }
        if endpoint.host == host { return true }
        return !endpoint.isIPLiteral && endpoint.host.hasSuffix(".\(host)")
    }

    /// Host and port of `host:port` or `[ipv6]:port`; nil without a port, and for a bare IPv6 address.
    private static func splitPort(_ text: Substring) -> (Substring, UInt16)? {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        let host = text[..<colon]
        guard host.hasSuffix("]") || !host.contains(":") else { return nil }
        return (host, port)
    }

    private static let names: Set = [
        "http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
        "REQUEST_METHOD",
    ]
}
