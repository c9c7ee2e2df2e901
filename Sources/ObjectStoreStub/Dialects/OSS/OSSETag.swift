import TransferPrimitives

/// OSS writes digests in upper case; the storage keeps them in lower case.
enum OSSETag {
    static func onWire(_ etag: String) -> String { isDigest(etag) ? etag.uppercased() : etag }

    static func stored(_ etag: String) -> String {
        let bare = etag.filter { $0 != "\"" }
        return isDigest(bare) ? bare.lowercased() : bare
    }

    /// The same for each ETag of a condition.
    static func stored(list: String) -> String {
        list.split(separator: ",").map { stored($0.filter { $0 != " " }) }.joined(separator: ",")
    }

    /// An MD5, or that of the parts' with their number behind it.
    private static func isDigest(_ etag: String) -> Bool {
        let digits = etag.prefix { $0 != "-" }
        return digits.count == 32 && Hex.decode(digits) != nil
    }
}
