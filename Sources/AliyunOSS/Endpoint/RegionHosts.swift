/// The hosts of regions: one rule, and the few regions that do not follow it (spec section 6.1).
enum RegionHosts {
    private struct Exception {
        let region: String
        /// What stands in place of `oss-<region>` in front of `.aliyuncs.com`.
        let `public`: String
        let `internal`: String
        /// Further hosts that mean the same region.
        var others: [String] = []
    }

    private static let exceptions = [
        Exception(
            region: "cn-hangzhou-finance", public: "oss-cn-hzfinance", internal: "oss-cn-hzfinance-internal",
            others: ["oss-cn-hzjbp-a-internal", "oss-cn-hzjbp-b-internal"]),
        Exception(
            region: "cn-shanghai-finance-1", public: "oss-cn-shanghai-finance-1-pub",
            internal: "oss-cn-shanghai-finance-1-internal"),
        Exception(
            region: "cn-beijing-finance-1", public: "oss-cn-beijing-finance-1-pub",
            internal: "oss-cn-beijing-finance-1-internal"),
        Exception(
            region: "cn-shenzhen-finance-1", public: "oss-cn-szfinance",
            internal: "oss-cn-shenzhen-finance-1-internal"),
    ]

    static let domain = ".aliyuncs.com"

    static func host(of region: String, _ network: OSSEndpoint.Network) -> String {
        let exception = exceptions.first { $0.region == region }
        let label =
            switch network {
            case .public: exception?.public ?? "oss-\(region)"
            case .internal: exception?.internal ?? "oss-\(region)-internal"
            case .dualStack: "\(region).oss"
            }
        return label + domain
    }

    /// The region of a host's label `oss-…`; nil for one that belongs to no region.
    fileprivate static func region(ofLabel label: Substring) -> String? {
        let exception = exceptions.first { exception in
            exception.public == label || exception.internal == label || exception.others.contains { $0 == label }
        }
        if let exception { return exception.region }
        var region = label.dropFirst("oss-".count)
        if region.hasSuffix("-internal") { region = region.dropLast("-internal".count) }
        // A region id holds a hyphen, which tells it from other names.
        guard region.contains("-"), !region.hasPrefix("accelerate") else { return nil }
        return String(region)
    }
}

/// What a host below `aliyuncs.com` says. The list of regions is open.
package struct EndpointName: Hashable {
    /// The labels in front of the endpoint; nil for none.
    package let bucket: String?
    /// Nil where the host does not tell, as those of acceleration.
    package let region: String?

    /// Nil for a host that is none of OSS's own.
    package init?(host: String) {
        guard host.hasSuffix(RegionHosts.domain) else { return nil }
        let labels = host.dropLast(RegionHosts.domain.count).split(separator: ".", omittingEmptySubsequences: false)
        guard let last = labels.last else { return nil }
        var rest = labels.dropLast()
        if last == "oss" {
            // Dual stack, `<region>.oss`; and the oldest host of all, which names no region.
            region = rest.popLast().map(String.init)
        } else if last.hasPrefix("oss-") {
            region = RegionHosts.region(ofLabel: last)
        } else {
            return nil
        }
        bucket = rest.isEmpty ? nil : rest.joined(separator: ".")
    }
}
