/// Finds the bucket of a request in its host name or its path.
struct Addressing: Sendable {
    enum Style: Sendable, Equatable {
        case path
        /// The host names the bucket, by virtual hosting or as a custom domain.
        case host(bucket: String)
    }

    let customDomains: [String: String]
    let serviceDomains: [String]

    init(_ configuration: StubConfiguration) {
        customDomains = Dictionary(
            configuration.customDomains.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { _, last in last })
        serviceDomains = configuration.serviceDomains.map { $0.lowercased() } + ["localhost"]
    }

    /// - Parameter isServiceLabel: whether a label begins the service's own domain, such as `tos-cn-beijing`.
    func style(host: String, isServiceLabel: (Substring) -> Bool) -> Style {
        if let bucket = customDomains[host] { return .host(bucket: bucket) }
        for domain in serviceDomains where host.hasSuffix("." + domain) {
            return .host(bucket: String(host.dropLast(domain.count + 1)))
        }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        if let index = labels.dropFirst().firstIndex(where: isServiceLabel) {
            return .host(bucket: labels[..<index].joined(separator: "."))
        }
        return .path
    }

    /// Splits a path, still encoded, into bucket and key, and decodes both.
    static func address(rawPath: Substring, style: Style) throws(ServiceFailure) -> ObjectAddress {
        var path = rawPath.dropFirst()
        let bucket: String
        switch style {
        case .host(let name): bucket = name
        case .path:
            let first = path.prefix { $0 != "/" }
            path = path.dropFirst(first.count).dropFirst()
            guard let name = PercentCoding.decodeText(first) else {
                throw .invalidArgument("The path cannot be decoded.")
            }
            bucket = name
        }
        guard let key = PercentCoding.decodeText(path) else { throw .invalidArgument("The key cannot be decoded.") }
        return ObjectAddress(bucket: bucket, key: key)
    }
}
