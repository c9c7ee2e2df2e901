internal import TransferHTTP

/// User metadata in headers (spec section 2.2).
///
/// OSS keeps values as they come and signs them byte for byte; bytes beyond ASCII are where signatures break. A value of
/// printable ASCII is sent as it is. Any other has its other bytes, and each `%`, percent-encoded; it reads back as the
/// same text. A value that was not written in this form reads as it stands, so that a copy that carries metadata over
/// carries every byte.
enum MetadataCoding {
    static func headerValue(_ value: String) -> String {
        value.utf8.allSatisfy(isPrintable) ? value : encoded(value)
    }

    /// The metadata among the headers of an answer, names in lower case.
    static func read(_ headers: HTTPHeaders) -> [String: String] {
        var metadata: [String: String] = [:]
        for (name, value) in headers {
            let name = name.lowercased()
            guard name.hasPrefix(OSSHeader.metaPrefix), name.utf8.count > OSSHeader.metaPrefix.utf8.count else {
                continue
            }
            metadata[String(name.dropFirst(OSSHeader.metaPrefix.count))] = readValue(value)
        }
        return metadata
    }

    static func readValue(_ value: String) -> String {
        guard let decoded = PercentEncoding.decode(value), headerValue(decoded) == value else { return value }
        return decoded
    }

    private static func encoded(_ value: String) -> String {
        value.unicodeScalars.map { scalar in
            let text = String(scalar)
            return scalar != "%" && text.utf8.allSatisfy(isPrintable) ? text : PercentEncoding.component(text)
        }.joined()
    }

    private static func isPrintable(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7F }
}
