package import TransferCore
package import TransferHTTP

/// Which URL stands for a bucket and a key at one endpoint.
package struct AddressRule: Sendable, Hashable {
    package enum Style: Sendable, Hashable {
        case virtualHost, path, customDomain
        /// By host, except for a bucket with a dot over TLS: a certificate for one more label does not hold for two.
        case virtualHostOrPath
    }

    package let base: HTTPEndpoint
    package let style: Style

    package init(base: HTTPEndpoint, style: Style) {
        self.base = base
        self.style = style
    }

    /// The host and the encoded path of an object; an empty key stands for the bucket itself.
    package func location(
        bucket: String, key: String
    ) throws(TransferError) -> (endpoint: HTTPEndpoint, path: String) {
        let path = PercentEncoding.path(key)
        switch style == .virtualHostOrPath ? style(for: bucket) : style {
        case .customDomain: return (base, "/" + path)
        case .path: return (base, "/\(bucket)/" + path)
        case .virtualHost, .virtualHostOrPath:
            do {
                return (try base.prefixed(by: bucket), "/" + path)
            } catch {
                throw .invalidArgument("bucket", error.description)
            }
        }
    }

    private func style(for bucket: String) -> Style {
        base.scheme == .https && bucket.utf8.contains(UInt8(ascii: ".")) ? .path : .virtualHost
    }
}
