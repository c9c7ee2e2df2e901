/// Where requests go: scheme, host and port.
package struct HTTPEndpoint: Sendable, Hashable {
    package enum Scheme: String, Sendable, Hashable {
        case http
        case https

        package var defaultPort: UInt16 { self == .http ? 80 : 443 }
    }

    package let scheme: Scheme
    /// A name or an IP literal in lower case; an IPv6 literal without brackets.
    package let host: String
    /// Nil for the scheme's own.
    package let port: UInt16?
    /// What `Host` says: an IPv6 literal in brackets, the port only when it is not the scheme's own.
    package let authority: String
    /// Whether `host` is an address and not a name.
    package let isIPLiteral: Bool

    /// Throws when `host` holds anything but letters, digits, `-`, `_` and `.`, or the characters of an IPv6 literal.
    package init(scheme: Scheme, host: String, port: UInt16? = nil) throws(HTTPEndpointError) {
        var host = host.lowercased()
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        let isIPv6 = host.utf8.contains(UInt8(ascii: ":"))
        guard !host.isEmpty, host.utf8.count <= 255, port != 0,
            host.utf8.allSatisfy({ isIPv6 ? Self.isIPv6Byte($0) : Self.isNameByte($0) })
        else { throw HTTPEndpointError(text: host) }
        self.scheme = scheme
        self.host = host
        self.port = port == scheme.defaultPort ? nil : port
        let name = isIPv6 ? "[\(host)]" : host
        authority = self.port.map { "\(name):\($0)" } ?? name
        isIPLiteral = Self.isIPLiteral(host)
    }

    /// Reads `https://host:port`; without a scheme `assumed` counts, but `https` is not assumed of this machine and
    /// of addresses, which rarely speak it.
    /// A path other than `/`, a query or a user is refused.
    package init(parsing text: String, assuming assumed: Scheme = .https) throws(HTTPEndpointError) {
        var rest = text[...]
        var scheme = assumed
        if let separator = rest.firstRange(of: "://") {
            guard let named = Scheme(rawValue: rest[..<separator.lowerBound].lowercased()) else {
                throw HTTPEndpointError(text: text)
            }
            scheme = named
            rest = rest[separator.upperBound...]
        }
        let namesScheme = rest.startIndex > text.startIndex
        if rest.hasSuffix("/") { rest.removeLast() }
        var port: UInt16?
        let portSeparator = rest.lastIndex(of: ":")
        let isBareIPv6 = !rest.hasPrefix("[") && rest.count { $0 == ":" } > 1
        if let portSeparator, !rest.hasSuffix("]"), !isBareIPv6 {
            guard let number = UInt16(rest[rest.index(after: portSeparator)...]) else {
                throw HTTPEndpointError(text: text)
            }
            port = number
            rest = rest[..<portSeparator]
        }
        do { try self.init(scheme: scheme, host: String(rest), port: port) } catch {
            throw HTTPEndpointError(text: text)
        }
        guard namesScheme || assumed == .http || (!isIPLiteral && self.host != "localhost") else {
            throw HTTPEndpointError(text: text, isSchemeMissing: true)
        }
    }

    /// The port that connections are made to.
    package var effectivePort: UInt16 { port ?? scheme.defaultPort }

    /// Whether `host`, without brackets, is an address and not a name.
    package static func isIPLiteral(_ host: String) -> Bool { host.utf8.contains(UInt8(ascii: ":")) || isIPv4(host) }

    /// The same endpoint under a host of `label` in front, as in virtual-host addressing of a bucket.
    package func prefixed(by label: String) throws(HTTPEndpointError) -> HTTPEndpoint {
        try HTTPEndpoint(scheme: scheme, host: "\(label).\(host)", port: port)
    }

    private static func isIPv4(_ host: String) -> Bool {
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers.allSatisfy { $0.utf8.count <= 3 && UInt8($0) != nil }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    private static func isIPv6Byte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ":"),
            UInt8(ascii: "."):
            true
        default: false
        }
    }
}

/// A text that is no endpoint.
package struct HTTPEndpointError: Error, Sendable, Hashable, CustomStringConvertible {
    package let text: String
    /// Whether a scheme would have made one of it.
    package var isSchemeMissing = false

    package var description: String {
        isSchemeMissing
            ? "\(text.debugDescription) names no scheme; write http://\(text), or https:// where the server has TLS"
            : "\(text.debugDescription) is no endpoint; expected scheme://host:port"
    }
}
