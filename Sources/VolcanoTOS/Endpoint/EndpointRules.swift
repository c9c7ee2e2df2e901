internal import S3Wire
internal import TransferCore
internal import TransferHTTP

/// A checked endpoint: which URL stands for a bucket and a key, for which region to sign, and which language to speak.
struct EndpointRules: Sendable, Hashable {
    let address: AddressRule
    let region: String
    let wireFormat: TOSWireFormat

    /// Throws `.invalidArgument` naming the field at fault.
    ///
    /// - Parameter wireFormat: Nil for what the endpoint's name says; native for a name that says nothing.
    init(
        _ endpoint: TOSEndpoint, addressing: TOSAddressing, wireFormat: TOSWireFormat? = nil
    ) throws(TransferError) {
        let base: HTTPEndpoint
        do {
            base = try HTTPEndpoint(parsing: endpoint.url)
        } catch {
            throw .invalidArgument("endpoint.url", error.description)
        }
        let name = EndpointName(host: base.host)
        if let bucket = name?.bucket, !endpoint.isCustomDomain {
            throw .invalidArgument(
                "endpoint.url", "\(base.host) names the bucket \(bucket); give the endpoint without it")
        }
        region = try Self.region(endpoint, named: name?.region)
        address = AddressRule(
            base: base,
            style: try Self.style(base, isCustomDomain: endpoint.isCustomDomain, addressing: addressing))
        if address.style == .path, name?.isS3Compatible == true, !endpoint.isCustomDomain {
            throw .invalidArgument("addressing", "the S3-compatible endpoint takes no bucket in the path; use auto")
        }
        self.wireFormat = try Self.wireFormat(wireFormat, named: endpoint.isCustomDomain ? nil : name)
    }

    /// A name of TOS says which language is spoken there; the other one gets nothing but refusals.
    private static func wireFormat(
        _ given: TOSWireFormat?, named name: EndpointName?
    ) throws(TransferError) -> TOSWireFormat {
        guard let name else { return given ?? .native }
        let spoken: TOSWireFormat = name.isS3Compatible ? .s3Compatible : .native
        guard let given, given != spoken else { return spoken }
        let other = (spoken == .native ? "tos-s3-" : "tos-") + "\(name.region).\(name.domain)"
        throw .invalidArgument("wireFormat", "\(given) is spoken at \(other), not at the endpoint given")
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
    ) throws(TransferError) -> AddressRule.Style {
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
