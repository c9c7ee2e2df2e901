extension ServiceCall.CopySource {
    /// Reads `/bucket/key?versionId=id` in every encoding that clients are known to send, and what is said of it.
    ///
    /// - Parameters:
    ///   - prefix: what stands before `copy-source`: `x-tos-` and the like.
    ///   - decodesTwice: whether what has been decoded is decoded once more.
    init?(_ head: RequestHead, prefix: String, decodesTwice: Bool) throws(ServiceFailure) {
        let header = prefix + "copy-source"
        guard let text = head.value(header) else { return nil }
        let malformed = ServiceFailure.invalidArgument("The copy source cannot be read.")
        let rawPath = text.prefix { $0 != "?" }
        let rawQuery = text.dropFirst(rawPath.count + 1)
        guard var path = PercentCoding.decodeText(rawPath, plusIsSpace: true) else { throw malformed }
        if decodesTwice {
            guard let again = PercentCoding.decodeText(path, plusIsSpace: true) else { throw malformed }
            path = again
        }
        // By bytes: a slash and a combining mark behind it are one character.
        if path.utf8.first == UInt8(ascii: "/") { path.unicodeScalars.removeFirst() }
        let bucket = Substring(path.utf8.prefix { $0 != UInt8(ascii: "/") })
        let key = Substring(path.utf8.dropFirst(bucket.utf8.count + 1))
        guard !bucket.isEmpty, !key.isEmpty else { throw malformed }
        self.init(bucket: String(bucket), key: String(key))
        self.text = text
        if rawQuery.hasPrefix("versionId=") {
            guard let versionID = PercentCoding.decodeText(rawQuery.dropFirst(10)) else { throw malformed }
            self.versionID = versionID
        } else if !rawQuery.isEmpty {
            throw malformed
        }
        rangeText = head.value(header + "-range")
        if let rangeText {
            guard let range = RequestedRange(rangeText) else {
                throw .invalidArgument("The copy source's range is malformed.")
            }
            self.range = range
        }
        conditions = try Conditions(head, header + "-if-")
        customerKeyMD5 = try CustomerKey.digest(head, header + "-server-side-encryption-customer-")
    }
}
