internal import TransferPrimitives

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension ObjectOptions {
    /// SHA-256, in hex, over everything here that changes the object. A resume with other options starts afresh. Of a
    /// customer key only its digest takes part.
    func digest(carrying carries: CarriedAttributes) -> String {
        var fields: [String] = []
        func add(_ name: String, _ value: String?) {
            guard let value else { return }
            fields.append("\(name)=\(value.utf8.count):\(value)")
        }
        func add(_ name: String, _ values: [String: String]) {
            for (key, value) in values.sorted(by: { $0.key < $1.key }) {
                add("\(name).\(key.utf8.count):\(key)", value)
            }
        }
        add("type", attributes.contentType)
        add("cache", attributes.cacheControl)
        add("disposition", attributes.contentDisposition)
        add("encoding", attributes.contentEncoding)
        add("language", attributes.contentLanguage)
        add("expires", attributes.expires.map { String(Int64(clamping: $0.timeIntervalSince1970)) })
        add("meta", attributes.metadata)
        add("class", attributes.storageClass)
        add("acl", attributes.acl)
        add("tag", attributes.tags)
        switch attributes.encryption {
        case .managed(let algorithm)?: add("sse", "managed \(algorithm)")
        case .keyManagement(let id)?: add("sse", "kms \(id ?? "")")
        case .customerKey(let key)?: add("sse", "customer " + Hex.encode(Digest.sha256(key.bytes)))
        case nil: break
        }
        add("extra", extras)
        add("carries", "\(carries.metadata) \(carries.tags)")
        return Hex.encode(Digest.sha256(fields.joined(separator: "\n").utf8))
    }
}

extension Int64 {
    /// Seconds, cut to the range of the type.
    fileprivate init(clamping seconds: Double) {
        self = Int64(exactly: seconds.rounded()) ?? (seconds < 0 ? .min : .max)
    }
}
