import TransferHTTP

/// Which proxy a request goes through. A pure function of setting, environment and endpoint, made here and not left to
/// libcurl, whose versions differ.
///
/// For an endpoint, the first of these that is set and not empty names the proxy: for `http` `http_proxy`, then
/// `HTTP_PROXY` unless `REQUEST_METHOD` is set (in a CGI process a client can set it with a header); for `https`
/// `https_proxy`, then `HTTPS_PROXY`; for both then `all_proxy`, `ALL_PROXY`. What names no proxy is passed over.
///
/// `no_proxy`, else `NO_PROXY`, lists exceptions between commas or blanks:
/// * `*` stands for every host;
/// * a name stands for itself and everything below it, with or without a dot or `*.` in front;
/// * an IP address stands for itself, an IPv6 one with or without brackets;
/// * each may end in `:port` (an IPv6 address then needs its brackets), and stands for that port only.
struct ProxyRules: Sendable {
    private let http: ProxyServer?
    private let https: ProxyServer?
    private let exceptions: [String]

    init(_ setting: TransportProxy, environment: [String: String]) {
        switch setting {
        case .none:
            http = nil
            https = nil
            exceptions = []
        case .url(let url):
            http = ProxyServer(url)
            https = http
            exceptions = []
        case .environment:
            func first(_ names: [String]) -> ProxyServer? {
                for name in names {
                    if let value = environment[name], let server = ProxyServer(value) { return server }
                }
                return nil
            }
            let plain = environment["REQUEST_METHOD"] == nil ? ["http_proxy", "HTTP_PROXY"] : ["http_proxy"]
            http = first(plain + ["all_proxy", "ALL_PROXY"])
            https = first(["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"])
            let lists = [environment["no_proxy"], environment["NO_PROXY"]].compactMap { $0 }
            let list = lists.first { !$0.isEmpty } ?? ""
            exceptions = list.split { $0 == "," || $0.isWhitespace }.map { $0.lowercased() }
        }
    }

    /// Through which proxy a request goes, and whose addresses must be found for that.
    func way(to endpoint: HTTPEndpoint) -> Way {
        var way = Way()
        var leavesNamesToClient = true
        if let proxy = proxy(for: endpoint) {
            way.proxy = proxy.url
            leavesNamesToClient = proxy.leavesNamesToClient
            if !HTTPEndpoint.isIPLiteral(proxy.host) {
                way.places.append(Way.Place(host: proxy.host, port: proxy.port))
            }
        }
        if leavesNamesToClient, !endpoint.isIPLiteral {
            way.places.append(Way.Place(host: endpoint.host, port: endpoint.effectivePort))
        }
        return way
    }

    /// Nil for a direct connection.
    func proxy(for endpoint: HTTPEndpoint) -> ProxyServer? {
        guard let server = endpoint.scheme == .http ? http : https else { return nil }
        return exceptions.contains { Self.matches($0, endpoint) } ? nil : server
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
}
