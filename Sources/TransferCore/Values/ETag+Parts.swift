internal import TransferPrimitives

extension ETag {
    /// The tag that services in the manner of S3 give an object of these parts: the MD5 of the parts' MD5s, and their
    /// count. Nil when a part's tag does not look like an MD5.
    package static func multipart(_ parts: [CompletedPart]) -> ETag? {
        guard !parts.isEmpty else { return nil }
        var digests: [UInt8] = []
        digests.reserveCapacity(parts.count * 16)
        for part in parts {
            let tag = part.etag.bare
            guard tag.utf8.count == 32, let digest = Hex.decode(tag) else { return nil }
            digests += digest
        }
        return ETag(Hex.encode(Digest.md5(digests)) + "-\(parts.count)")
    }
}
