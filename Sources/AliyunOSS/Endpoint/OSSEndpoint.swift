/// Where OSS is reached, and for which region requests are signed.
///
///     OSSEndpoint(region: "cn-shanghai")
///     OSSEndpoint(region: "cn-shanghai", network: .internal)
///     OSSEndpoint.accelerate(region: "cn-shanghai")
///     OSSEndpoint(url: "https://media.example.com", region: "cn-shanghai", isCustomDomain: true)
///
/// The text is checked when a client is made (see `OSSClient.init(configuration:)`). OSS: "Regions and endpoints".
public struct OSSEndpoint: Sendable, Hashable {
    /// Which of a region's hosts is meant.
    public enum Network: Sendable, Hashable, CaseIterable {
        /// Reached from anywhere: `oss-<region>.aliyuncs.com`.
        case `public`
        /// Reached from inside the region alone, without charge for traffic: `oss-<region>-internal.aliyuncs.com`.
        case `internal`
        /// IPv4 and IPv6, in the regions that have it: `<region>.oss.aliyuncs.com`.
        case dualStack
    }

    /// Scheme, host and port without a bucket, such as `https://oss-cn-shanghai.aliyuncs.com`. Without a scheme it means
    /// `https`; a path other than `/` is refused.
    public var url: String
    /// The region id that requests are signed for, such as `cn-shanghai`, without `oss-`. Nil takes it out of a host that
    /// names its region; for an acceleration host, a custom domain, an address or any other host it must be given.
    public var region: String?
    /// Whether the host is a domain bound to one bucket (CNAME): the bucket is then never part of the URL. False by
    /// default.
    public var isCustomDomain: Bool

    /// An endpoint by its URL. Nothing is checked before a client is made.
    public init(url: String, region: String? = nil, isCustomDomain: Bool = false) {
        self.url = url
        self.region = region
        self.isCustomDomain = isCustomDomain
    }

    /// A region's own host, over HTTPS. Regions that are not known yet follow the rule of the others.
    public init(region: String, network: Network = .public) {
        self.init(url: "https://" + RegionHosts.host(of: region, network), region: region)
    }

    /// The host that takes requests at the nearest point of Aliyun's network, for buckets whose transfer acceleration is
    /// switched on.
    ///
    /// - Parameters:
    ///   - region: The region of the bucket; the host does not tell it.
    ///   - overseas: Whether acceleration is wanted outside mainland China alone.
    public static func accelerate(region: String, overseas: Bool = false) -> OSSEndpoint {
        OSSEndpoint(url: "https://oss-accelerate\(overseas ? "-overseas" : "").aliyuncs.com", region: region)
    }
}

/// How a bucket is named in a request. Signatures are the same in every form (OSS: "Authorization header").
public enum OSSAddressing: String, Sendable, Hashable, CaseIterable {
    /// By path for an IP address and for `localhost`, not at all for a custom domain, else as part of the host.
    case auto
    /// As the first label of the host: `https://bucket.oss-cn-shanghai.aliyuncs.com/key`.
    case virtual
    /// As the first segment of the path: `http://127.0.0.1:9000/bucket/key`. For local servers; OSS itself refuses it.
    case path
}
