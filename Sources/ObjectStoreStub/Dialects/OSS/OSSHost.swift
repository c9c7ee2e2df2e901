/// A host name of OSS's own.
struct OSSHost: Sendable, Equatable {
    /// Nil when the host is the service's.
    var bucket: String?
    /// Nil for the accelerate hosts, which stand for every region.
    var region: String?

    /// Reads `[bucket.]oss-REGION[-internal].aliyuncs.com`, `[bucket.]oss-accelerate[-overseas].aliyuncs.com` and the
    /// dual-stack form `[bucket.]REGION.oss.aliyuncs.com`; nil for any other host.
    init?(_ host: String) {
        var labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.suffix(2).elementsEqual(["aliyuncs", "com"]) else { return nil }
        labels.removeLast(2)
        guard let last = labels.popLast() else { return nil }
        if last == "oss" {
            guard let region = labels.popLast() else { return nil }
            self.region = String(region)
        } else {
            guard last.hasPrefix("oss-") else { return nil }
            let name = last.dropFirst(4)
            let isEverywhere = name == "accelerate" || name == "accelerate-overseas"
            region = isEverywhere ? nil : String(name.hasSuffix("-internal") ? name.dropLast(9) : name)
        }
        bucket = labels.isEmpty ? nil : labels.joined(separator: ".")
    }
}
