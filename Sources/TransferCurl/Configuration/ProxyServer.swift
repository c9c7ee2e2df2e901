/// A proxy's URL, taken apart as far as reaching it needs.
struct ProxyServer: Sendable, Hashable {
    /// As libcurl takes it; may hold a password.
    let url: String
    let host: String
    let port: UInt16
    /// Whether this machine, and not the proxy, turns the target's name into an address.
    let leavesNamesToClient: Bool

    /// Nil for anything but `http`, `https`, `socks5` and `socks5h` with a host. Without a scheme it is an `http` one.
    init?(_ url: String) {
        let text = url.contains("://") ? url : "http://\(url)"
        guard let separator = text.firstRange(of: "://"), !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F })
        else {
            return nil
        }
        let scheme = text[..<separator.lowerBound].lowercased()
        guard ["http", "https", "socks5", "socks5h"].contains(scheme) else { return nil }
        var rest = text[separator.upperBound...].prefix { $0 != "/" }
        if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }

        // libcurl's own defaults.
        var port: UInt16 = scheme == "https" ? 443 : 1080
        if let colon = rest.lastIndex(of: ":"), !rest[colon...].contains("]") {
            guard let number = UInt16(rest[rest.index(after: colon)...]), number > 0 else { return nil }
            port = number
            rest = rest[..<colon]
        }
        if rest.hasPrefix("["), rest.hasSuffix("]") { rest = rest.dropFirst().dropLast() }
        guard !rest.isEmpty else { return nil }
        self.url = text
        host = rest.lowercased()
        self.port = port
        leavesNamesToClient = scheme == "socks5"
    }
}
