/// How a client reaches its service over the network. Checked when the client is made, before any request.
public struct TransportConfiguration: Sendable {
    /// How long name resolution, connecting and the TLS handshake may take. Default 10 s.
    public var connectTimeout: Duration = .seconds(10)
    /// How long nothing may move in either direction. There is no limit on a whole transfer. Default 60 s.
    ///
    /// Server-side copies and Complete are silent for long and have a limit of their own in each client.
    public var idleTimeout: Duration = .seconds(60)
    /// The most connections at once. Nil, the default, takes what the soft limit on open files leaves, at most 1,024.
    ///
    /// A number that the soft limit does not allow raises it for the process, up to the hard limit; beyond that the
    /// client is refused.
    public var maxConnections: Int?
    /// Threads that drive connections, 1 to 16. Default 2. They are started when needed.
    public var eventLoops = 2
    /// Whether requests go through a proxy. As the environment says by default.
    public var proxy: TransportProxy = .environment
    /// Which certificates servers are vouched for by. The system's by default.
    public var certificateAuthority: CertificateAuthority = .system
    /// The highest version to speak. HTTP/1.1 by default.
    public var httpVersion: HTTPVersion = .http1
    /// How long a connection may be idle and still be used again. Default 30 s, less than services keep theirs open.
    public var idleConnectionLifetime: Duration = .seconds(30)
    /// Bytes of the buffer through which a large body goes to the socket, 16 KiB to 2 MiB. Default 256 KiB. There is one
    /// for every such request in flight.
    public var uploadBufferSize = 256 << 10
    /// Who turns host names into addresses. Default: the system.
    public var resolver: any HostResolver = SystemHostResolver()
    /// How long an address is used before its name is resolved again. Default 60 s. Failures are not kept.
    public var addressLifetime: Duration = .seconds(60)
    /// What `User-Agent` says. Default `object-transfer`.
    public var userAgent = "object-transfer"

    /// Every field at its default.
    public init() {}
}

/// The HTTP version to speak.
public enum HTTPVersion: Sendable, Hashable {
    /// HTTP/1.1: one connection per request in flight, which is the fastest for bulk data.
    case http1
    /// HTTP/2 over TLS where the server offers it, HTTP/1.1 elsewhere.
    case http2
}

/// Which certificates servers may be vouched for by. Checking cannot be switched off.
public enum CertificateAuthority: Sendable, Hashable {
    /// Those that libcurl was built to trust.
    case system
    /// A file of certificates in PEM form.
    case file(String)
    /// A directory of certificates in PEM form, named by hash (`openssl rehash`).
    case directory(String)
    /// Certificates in PEM form. Needs libcurl 7.77.
    case bytes([UInt8])
}

/// Whether requests go through a proxy.
public enum TransportProxy: Sendable, Hashable {
    /// As `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say; see the guide for the exact rules.
    case environment
    /// Always directly.
    case none
    /// Always through this one: `http://`, `https://`, `socks5://` or `socks5h://`, with `user:password@` if it asks.
    case url(String)
}

extension TransportProxy: CustomStringConvertible {
    /// Without the URL, which may hold a password.
    public var description: String {
        switch self {
        case .environment: "environment"
        case .none: "none"
        case .url: "url"
        }
    }
}

extension TransportProxy: CustomReflectable {
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

/// A setting that cannot be used, found before any request.
public struct TransportConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name of the property of `TransportConfiguration`.
    public let field: String
    /// What is wrong with it, for people.
    public let message: String

    init(_ field: String, _ message: String) {
        self.field = field
        self.message = message
    }

    public var description: String { "\(field): \(message)" }
}
