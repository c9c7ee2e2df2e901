internal import TransferCore
internal import TransferHTTP
internal import TransferPrimitives
internal import TransferService

extension ObjectInfo {
    /// What the headers of HeadObject and GetObject say (spec section 2.10); nil without a usable length.
    init?(_ headers: HTTPHeaders) {
        guard let size = headers["Content-Length"].flatMap({ UInt64($0) }) else { return nil }
        self.init(size: size, headers)
    }

    init(size: UInt64, _ headers: HTTPHeaders) {
        self.init(
            size: size, etag: headers.text("ETag").map { ETag($0) }.flatMap { $0.isEmpty ? nil : $0 },
            lastModified: headers.text("Last-Modified").flatMap { HTTPDate.parse($0) },
            versionID: headers.text(OSSHeader.versionID), checksums: Checksums(crc64: headers.crc64(OSSHeader.crc64)),
            // Appendable objects are copied in parts like any other.
            kind: headers.text(OSSHeader.objectType)?.lowercased() == "symlink" ? .symlink : .normal,
            attributes: ObjectAttributes(
                content: headers, metadata: MetadataCoding.read(headers),
                storageClass: headers.text(OSSHeader.storageClass)),
            tagCount: headers.text(OSSHeader.tagCount).flatMap { Int($0) })
    }
}
