import TransferPrimitives

/// An object server for tests, on a loopback socket of this process: real HTTP, real signatures, faults on demand.
///
///     import ObjectStoreStub
///     import Testing
///
///     @Test func retriesAThrottledPart() async throws {
///         var configuration = StubConfiguration()
///         configuration.buckets = ["source", "target"]
///         let server = try await ObjectStoreStub.start(configuration)
///         defer { server.stop() }
///
///         try server.storage.putObject("a.bin", in: "source", .generated(seed: 1, length: 64 << 20))
///         server.faults.add(.on(.uploadPartCopy).part(3).first(2), .status(503, code: "SlowDown", retryAfter: 1))
///
///         try await copyWithTheClientUnderTest(
///             endpoint: server.endpoint, accessKey: server.accessKey, secretKey: server.secretKey)
///
///         let copy = try #require(server.storage.object("b.bin", in: "target"))
///         let original = try #require(server.storage.object("a.bin", in: "source"))
///         #expect(copy.crc64 == original.crc64)
///         #expect(server.wireLog.entries(of: .uploadPartCopy).filter { $0.request.partNumber == 3 }.count == 3)
///     }
///
/// It speaks the native dialect of TOS, that of OSS (signatures V4 and V1) and that of S3, which the S3-compatible
/// endpoint of TOS speaks too. They are told apart by headers, query and host, and work on the same buckets.
/// A server that is let go of stops. Each has its own storage, keys, log and faults, so tests run in parallel.
/// Signatures are checked from the bytes on the wire by code that the client does not share; a refusal names the
/// component that differed in ``WireEntry/diagnosis``.
public final class ObjectStoreStub: Sendable {
    private let core: ServerCore
    private let first: StubAccount
    /// The port the server listens on.
    public let port: UInt16

    private init(core: ServerCore, port: UInt16, first: StubAccount) {
        self.core = core
        self.port = port
        self.first = first
    }

    deinit { core.shutDown() }

    /// Starts a server. It accepts connections when this returns.
    ///
    /// - Throws: an error that names the system call when the address cannot be listened on.
    public static func start(_ configuration: StubConfiguration = StubConfiguration()) async throws -> ObjectStoreStub {
        try startNow(configuration)
    }

    /// The same for code that is not asynchronous.
    public static func startNow(_ configuration: StubConfiguration = StubConfiguration()) throws -> ObjectStoreStub {
        let core = try ServerCore(configuration)
        let port = try core.listen(port: configuration.port)
        return ObjectStoreStub(core: core, port: port, first: configuration.accounts.first ?? .test)
    }

    /// Ends every connection and waits for the server's threads. Later calls do nothing.
    public func stop() { core.shutDown() }

    /// Refuses connections from now on and ends those that are open: an outage. The port stays the server's own choice.
    public func goOffline() { core.stopListening() }

    /// Accepts connections again, on the same port.
    ///
    /// - Throws: when another program has taken the port meanwhile.
    public func goOnline() throws { _ = try core.listen(port: port) }

    /// Ends the open connections in order, as a server does with idle ones. New connections are accepted as before.
    public func closeConnections() { core.endConnections() }

    /// The address as a client's configuration takes it, such as `http://127.0.0.1:40123`.
    public var endpoint: String { "http://\(host):\(port)" }

    /// The address without its scheme and port; an IPv6 address has its brackets.
    public var host: String {
        let host = core.configuration.host
        return host.contains(":") ? "[\(host)]" : host
    }

    /// The address of the application server, such as `http://127.0.0.1:40123/app`. It asks for no signature: POST
    /// `create-video`, `refresh-video` or `create-image` below it with JSON, and the answer is that of the VOD OpenAPI.
    public var appServerURL: String { endpoint + AppServerDialect.path }

    /// The region that signatures of TOS and S3 must name.
    public var region: String { core.configuration.region }
    /// The region that signatures of OSS must name.
    public var ossRegion: String { core.configuration.ossRegion }

    /// The access key of the first account.
    public var accessKey: String { first.accessKey }
    /// The secret key of the first account.
    public var secretKey: String { first.secretKey }
    /// The session token of the first account; nil when its keys are permanent.
    public var sessionToken: String? { first.sessionToken }

    /// What the server holds.
    public var storage: ObjectStorage { core.storage }
    /// Every request that arrived.
    public var wireLog: WireLog { core.log }
    /// What goes wrong, and when.
    public var faults: FaultControl { core.faults }
    /// The VOD service: its settings, and the media it made.
    public var vod: VODService { core.vod }
    /// The keys that are accepted.
    public var accounts: AccountTable { core.accounts }

    /// Ways in which the server differs from the manual. A change acts on the requests after it.
    public var quirks: Quirks {
        get { core.quirks.withLock { $0 } }
        set { core.quirks.withLock { $0 = newValue } }
    }
}
