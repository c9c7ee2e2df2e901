internal import TransferCore
internal import TransferHTTP

/// Which URL stands for a bucket and a key, and what is signed for it. The endpoint is given anew with every attempt: one
/// that comes with credentials may move.
package struct AddressRule: Sendable, Hashable {
    enum Style: Hashable { case virtualHost, path, customDomain }

    /// A place in the URL space of an endpoint.
    struct Location: Hashable {
        let endpoint: HTTPEndpoint
        /// As it goes over the wire.
        let path: String
        /// With the bucket, in every style (spec section 2.1).
        let canonicalPath: String
    }

    let addressing: OSSAddressing
    let isCustomDomain: Bool

    package init(addressing: OSSAddressing = .auto, isCustomDomain: Bool = false) {
        self.addressing = addressing
        self.isCustomDomain = isCustomDomain
    }

    func style(at base: HTTPEndpoint) -> Style {
        if isCustomDomain { return .customDomain }
        switch addressing {
        case .virtual: return .virtualHost
        case .path: return .path
        case .auto: return base.isIPLiteral || base.host == "localhost" ? .path : .virtualHost
        }
    }

    /// An empty key stands for the bucket itself.
    func location(bucket: String, key: String, at base: HTTPEndpoint) throws(TransferError) -> Location {
        let path = "/" + PercentEncoding.path(key)
        let canonicalPath = "/" + bucket + path
        switch style(at: base) {
        case .customDomain: return Location(endpoint: base, path: path, canonicalPath: canonicalPath)
        case .path: return Location(endpoint: base, path: canonicalPath, canonicalPath: canonicalPath)
        case .virtualHost:
            do {
                return Location(endpoint: try base.prefixed(by: bucket), path: path, canonicalPath: canonicalPath)
            } catch {
                throw .invalidArgument("bucket", error.description)
            }
        }
    }
}
