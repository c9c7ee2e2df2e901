/// Where an object store that speaks S3 is reached.
///
///     S3Endpoint(region: "eu-central-1")                                   // Amazon
///     S3Endpoint(url: "http://127.0.0.1:7480", region: "default")          // anybody else
///
/// The text is checked when a client is made.
public struct S3Endpoint: Sendable, Hashable {
    /// Scheme, host and port without a bucket. Without a scheme it means `https`; a path other than `/` is refused.
    public var url: String
    /// The region that requests are signed for. Servers of one's own mostly take `us-east-1`.
    public var region: String

    /// An endpoint by its URL. Nothing is checked before a client is made.
    public init(url: String, region: String = "us-east-1") {
        self.url = url
        self.region = region
    }

    /// Amazon's endpoint of a region: `https://s3.<region>.amazonaws.com`, in China `….amazonaws.com.cn` (S3: "Regions and
    /// endpoints").
    public init(region: String) {
        let domain = region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
        self.init(url: "https://s3.\(region).\(domain)", region: region)
    }
}

/// How a bucket is named in a request.
public enum S3Addressing: String, Sendable, Hashable, CaseIterable {
    /// By path for an IP address, for `localhost`, and for a bucket with a dot over TLS, whose host no certificate of one more
    /// label covers; else as part of the host.
    case auto
    /// As the first label of the host: `https://bucket.s3.eu-central-1.amazonaws.com/key`.
    case virtual
    /// As the first segment of the path: `http://127.0.0.1:7480/bucket/key`.
    case path
}
