internal import S3Wire
internal import TransferCore
internal import TransferHTTP

/// A checked endpoint: which URL stands for a bucket and a key, and for which region to sign.
struct EndpointRules: Sendable, Hashable {
    let address: AddressRule
    let region: String

    /// Throws `.invalidArgument` naming the field at fault.
    init(_ endpoint: S3Endpoint, addressing: S3Addressing) throws(TransferError) {
        let base: HTTPEndpoint
        do {
            base = try HTTPEndpoint(parsing: endpoint.url)
        } catch {
            throw .invalidArgument("endpoint.url", error.description)
        }
        guard !endpoint.region.isEmpty, endpoint.region.utf8.allSatisfy(Self.isRegionByte) else {
            throw .invalidArgument(
                "endpoint.region",
                "\(endpoint.region.debugDescription) is no region; expected letters, digits, hyphens and underscores")
        }
        region = endpoint.region
        switch addressing {
        case .path: address = AddressRule(base: base, style: .path)
        case .auto:
            address = AddressRule(
                base: base, style: base.isIPLiteral || base.host == "localhost" ? .path : .virtualHostOrPath)
        case .virtual:
            guard !base.isIPLiteral else {
                throw .invalidArgument("addressing", "an IP address has no room for a bucket's label; use path")
            }
            address = AddressRule(base: base, style: .virtualHost)
        }
    }

    /// Whether Amazon itself is asked, and not a server that speaks like it.
    var isAmazon: Bool {
        let host = address.base.host
        return ["amazonaws.com", "amazonaws.com.cn"].contains { host == $0 || host.hasSuffix("." + $0) }
    }

    private static func isRegionByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
