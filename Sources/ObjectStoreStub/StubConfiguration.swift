public import TransferPrimitives

/// How a server is set up.
public struct StubConfiguration: Sendable {
    /// The numeric address to listen on: `127.0.0.1` or `::1`. Default: `127.0.0.1`.
    public var host = "127.0.0.1"
    /// The port; 0 lets the system choose a free one. Default: 0.
    public var port: UInt16 = 0
    /// The region of TOS and S3 that signatures must name and that buckets lie in. Default: `cn-beijing`.
    public var region = "cn-beijing"
    /// The same of OSS. Default: `cn-shanghai`.
    public var ossRegion = "cn-shanghai"
    /// The keys that are accepted. Default: ``StubAccount/test``.
    public var accounts: [StubAccount] = [.test]
    /// Buckets to create at the start, in the server's region and without versions. Default: none.
    public var buckets: [String] = []
    /// Domain names under which buckets are addressed as `bucket.domain`, beside `localhost` and the services' own
    /// (`tos-….volces.com` and so on). Default: none.
    public var serviceDomains: [String] = []
    /// Custom domains, each of which stands for one bucket: domain name → bucket. Default: none.
    public var customDomains: [String: String] = [:]
    /// The server's clock, for signatures and dates. Waits and rates always use real time. Default: the machine's.
    public var clock: any TransferClock = SystemClock()
    /// Where ids get their variety from. Default: the system's generator.
    public var random: any RandomSource = SystemRandomSource()
    /// A wait before every answer of an object operation, like that of a network. Default: none.
    public var latency: Duration = .zero
    /// The greatest length in bytes of content that gets its MD5 as ETag. Longer content gets an opaque ETag, made from
    /// its length and CRC-64, for MD5 is the slowest thing that the server would do. Default: 16 MiB.
    public var digestLimit: UInt64 = 16 << 20
    /// How far a request's date may be from the server's clock. Default: 15 minutes.
    public var allowedSkew: Duration = .seconds(900)
    /// The longest request head in bytes. Default: 64 KiB.
    public var headLimit = 64 << 10
    /// How many requests the wire log keeps. Default: 200,000.
    public var logLimit = 200_000
    /// Called with every request once it has been answered, on the server's threads. Default: none.
    public var onRequest: (@Sendable (WireEntry) -> Void)?
    /// Ways in which the server differs from the manual at the start. Default: none.
    public var quirks = Quirks()
    /// How the VOD service behaves at the start. Default: as the manual says.
    public var vod = VODSettings()

    /// Everything at its default.
    public init() {}
}
