/// Where a region of TOS is reached.
///
///     TOSEndpoint(url: "https://tos-cn-beijing.volces.com", region: "cn-beijing")
///     TOSEndpoint(region: "cn-beijing")
///
/// The text is checked when a client is made (see `TOSClient.init(configuration:)`).
public struct TOSEndpoint: Sendable, Hashable {
    /// Scheme, host and port without a bucket, such as `https://tos-cn-beijing.volces.com`. Without a scheme it means
    /// `https`; a path other than `/` is refused.
    public var url: String
    /// The region id that requests are signed for, such as `cn-beijing`. Nil takes it out of a host named
    /// `tos-<region>.…`; for any other host it must be given.
    public var region: String?
    /// Whether the host is a domain bound to one bucket: the bucket is then never part of the URL. False by default.
    public var isCustomDomain: Bool

    /// An endpoint by its URL. Nothing is checked before a client is made.
    public init(url: String, region: String? = nil, isCustomDomain: Bool = false) {
        self.url = url
        self.region = region
        self.isCustomDomain = isCustomDomain
    }

    /// The public endpoint of a region: `https://tos-<region>.volces.com`, or `https://tos-s3-<region>.volces.com` for the
    /// S3-compatible wire (TOS: "Regions and endpoints").
    public init(region: String, wireFormat: TOSWireFormat = .native) {
        let service = wireFormat == .native ? "tos" : "tos-s3"
        self.init(url: "https://\(service)-\(region).volces.com", region: region)
    }
}

/// How a bucket is named in a request.
public enum TOSAddressing: String, Sendable, Hashable, CaseIterable {
    /// By path for an IP address and for `localhost`, not at all for a custom domain, else as part of the host.
    case auto
    /// As the first label of the host: `https://bucket.tos-cn-beijing.volces.com/key`.
    case virtual
    /// As the first segment of the path: `http://127.0.0.1:9000/bucket/key`.
    case path
}
