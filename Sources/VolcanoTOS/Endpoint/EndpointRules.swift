internal import TransferCore
internal import TransferHTTP

/// A checked endpoint: which URL stands for a bucket and a key, and for which region to sign.
struct EndpointRules: Sendable, Hashable {
    enum Style: Sendable, Hashable { case virtualHost, path, customDomain }

    let base: HTTPEndpoint
    let region: String
    let style: Style

    /// Throws `.invalidArgument` naming the field at fault, `.unsupported` for an endpoint of the S3-compatible wire.
    init(_ endpoint: TOSEndpoint, addressing: TOSAddressing) throws(TransferError) {
        do {
            base = try HTTPEndpoint(parsing: endpoint.url)
        } catch {
            throw .invalidArgument("endpoint.url", error.description)
        }
        let name = EndpointName(host: base.host)
        if let region = name?.region, name?.isS3Compatible == true {
            throw TransferError(
                .unsupported,
                """
                \(base.host) speaks the S3-compatible protocol, which this client does not; use the region's native \
                endpoint tos-\(region).\(name?.domain ?? "")
                """, field: "endpoint.url", provider: TOSProvider.name)
        }
        if let bucket = name?.bucket, !endpoint.isCustomDomain {
            throw .invalidArgument(
                "endpoint.url", "\(base.host) names the bucket \(bucket); give the endpoint without it")
        }
        region = try Self.region(endpoint, named: name?.region)
        style = try Self.style(base, isCustomDomain: endpoint.isCustomDomain, addressing: addressing)
    }

    /// The host and the encoded path of an object; an empty key stands for the bucket itself.
    func location(bucket: String, key: String) throws(TransferError) -> (endpoint: HTTPEndpoint, path: String) {
        let path = PercentEncoding.path(key)
        switch style {
        case .customDomain: return (base, "/" + path)
        case .path: return (base, "/\(bucket)/" + path)
        case .virtualHost:
            do {
                return (try base.prefixed(by: bucket), "/" + path)
            } catch {
                throw .invalidArgument("bucket", error.description)
            }
        }
    }

    private static func region(_ endpoint: TOSEndpoint, named: String?) throws(TransferError) -> String {
        guard let given = endpoint.region else {
            guard let named else {
                throw .invalidArgument(
                    "endpoint.region", "a region is needed: \(endpoint.url) does not name one as tos-<region> does")
            }
            return named
        }
        guard !given.isEmpty, given.utf8.allSatisfy(isRegionByte) else {
            throw .invalidArgument(
                "endpoint.region", "\(given.debugDescription) is no region id; expected letters, digits and hyphens")
        }
        if let named, named != given, !endpoint.isCustomDomain {
            throw .invalidArgument("endpoint.region", "\(given) is not the region of \(endpoint.url), \(named)")
        }
        return given
    }

    private static func style(
        _ base: HTTPEndpoint, isCustomDomain: Bool, addressing: TOSAddressing
    ) throws(TransferError) -> Style {
        guard !isCustomDomain else {
            guard addressing == .auto else {
                throw .invalidArgument("addressing", "a custom domain names its bucket by itself; use auto")
            }
            return .customDomain
        }
        switch addressing {
        case .path: return .path
        case .auto: return base.isIPLiteral || base.host == "localhost" ? .path : .virtualHost
        case .virtual:
            guard !base.isIPLiteral else {
                throw .invalidArgument("addressing", "an IP address has no room for a bucket's label; use path")
            }
            return .virtualHost
        }
    }

    private static func isRegionByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

/// What a host of the form `[bucket.]tos[-s3]-<region>.<domain>` says. The list of regions is open (spec section 2.1).
struct EndpointName: Hashable {
    let bucket: String?
    let region: String
    let isS3Compatible: Bool
    let domain: String

    /// Nil for any other host. A region id holds a hyphen, which tells it from service names such as `tos-accelerate`.
    init?(host: String) {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard let index = labels.prefix(2).firstIndex(where: { $0.hasPrefix("tos-") }), index < labels.count - 1 else {
            return nil
        }
        var region = labels[index].dropFirst("tos-".count)
        isS3Compatible = region.hasPrefix("s3-")
        if isS3Compatible { region = region.dropFirst("s3-".count) }
        guard region.contains("-"), !region.hasPrefix("control-") else { return nil }
        bucket = index == 0 ? nil : String(labels[0])
        self.region = String(region)
        domain = labels[(index + 1)...].joined(separator: ".")
    }
}
