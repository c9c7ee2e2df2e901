import ExampleSupport
import ObjectTransfer

extension ObjectLocation {
    /// Reads `s3://bucket/key`. The key is what follows the bucket's slash, byte for byte: nothing in it is decoded.
    init(s3 text: String) throws(UsageError) {
        let prefix = "s3://"
        guard text.hasPrefix(prefix) else { throw UsageError("\(text) is no s3://bucket/key") }
        let rest = text.dropFirst(prefix.count)
        guard let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/")), slash > rest.startIndex,
            rest.utf8.index(after: slash) < rest.endIndex
        else { throw UsageError("\(text) names no bucket and key; expected s3://bucket/key") }
        self.init(bucket: String(rest[..<slash]), key: String(rest[rest.utf8.index(after: slash)...]))
    }
}
