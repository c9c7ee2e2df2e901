internal import TransferHTTP

/// User metadata in headers: names and values percent-encoded, so that any text passes (spec section 3.4).
enum MetadataCoding {
    static func headerName(_ name: String) -> String { TOSHeader.metaPrefix + PercentEncoding.component(name) }

    static func headerValue(_ value: String) -> String { PercentEncoding.component(value) }

    /// The metadata among the headers of an answer, names in lower case. A value that is no percent-encoded text was
    /// written by another client and is taken as it is.
    static func read(_ headers: HTTPHeaders) -> [String: String] {
        var metadata: [String: String] = [:]
        for (name, value) in headers {
            let name = name.lowercased()
            guard name.hasPrefix(TOSHeader.metaPrefix), name.utf8.count > TOSHeader.metaPrefix.utf8.count else {
                continue
            }
            metadata[decoded(String(name.dropFirst(TOSHeader.metaPrefix.count)))] = decoded(value)
        }
        return metadata
    }

    private static func decoded(_ text: String) -> String { PercentEncoding.decode(text) ?? text }
}
