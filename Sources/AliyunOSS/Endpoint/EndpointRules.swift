internal import TransferCore
internal import TransferHTTP

/// A checked endpoint: where requests go, how a bucket is named there, and for which region to sign.
struct EndpointRules: Sendable, Hashable {
    let base: HTTPEndpoint
    let region: String
    let address: AddressRule

    /// Throws `.invalidArgument` naming the field at fault.
    init(_ endpoint: OSSEndpoint, addressing: OSSAddressing) throws(TransferError) {
        do {
            base = try HTTPEndpoint(parsing: endpoint.url)
        } catch {
            throw .invalidArgument("endpoint.url", error.description)
        }
        let name = endpoint.isCustomDomain ? nil : EndpointName(host: base.host)
        if let bucket = name?.bucket {
            throw .invalidArgument(
                "endpoint.url", "\(base.host) names the bucket \(bucket); give the endpoint without it")
        }
        region = try Self.region(endpoint, named: name?.region)
        if base.host == RegionHosts.host(of: "rg-china-mainland", .internal) {
            throw .invalidArgument("endpoint.url", "rg-china-mainland has no internal endpoint")
        }
        address = AddressRule(addressing: addressing, isCustomDomain: endpoint.isCustomDomain)
        try check(addressing, isOfOSS: name != nil)
    }

    private static func region(_ endpoint: OSSEndpoint, named: String?) throws(TransferError) -> String {
        guard let given = endpoint.region else {
            guard let named else {
                throw .invalidArgument(
                    "endpoint.region",
                    """
                    a region is needed: \(endpoint.url) does not name one as oss-<region>.aliyuncs.com does
                    """)
            }
            return named
        }
        guard !given.hasPrefix("oss-") else {
            throw .invalidArgument(
                "endpoint.region", "\(given) names an endpoint; the region is \(given.dropFirst("oss-".count))")
        }
        guard !given.isEmpty, given.utf8.allSatisfy(isRegionByte) else {
            throw .invalidArgument(
                "endpoint.region",
                "\(given.debugDescription) is no region id; expected letters a–z, digits and hyphens")
        }
        if let named, named != given {
            throw .invalidArgument("endpoint.region", "\(given) is not the region of \(endpoint.url), \(named)")
        }
        return given
    }

    private func check(_ addressing: OSSAddressing, isOfOSS: Bool) throws(TransferError) {
        if address.isCustomDomain, addressing != .auto {
            throw .invalidArgument("addressing", "a custom domain names its bucket by itself; use auto")
        }
        if addressing == .virtual, base.isIPLiteral {
            throw .invalidArgument("addressing", "an IP address has no room for a bucket's label; use path")
        }
        if addressing == .path, isOfOSS {
            throw .invalidArgument("addressing", "\(base.host) refuses buckets in the path; use auto")
        }
    }

    private static func isRegionByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
