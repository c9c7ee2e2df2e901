internal import TransferCore
internal import TransferHTTP
internal import TransferPrimitives

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
            versionID: headers.text(OSSHeader.versionID), checksums: Checksums(crc64: headers.crc64),
            // Appendable objects are copied in parts like any other.
            kind: headers.text(OSSHeader.objectType)?.lowercased() == "symlink" ? .symlink : .normal,
            attributes: ObjectAttributes(
                contentType: headers.text("Content-Type"), cacheControl: headers.text("Cache-Control"),
                contentDisposition: headers.text("Content-Disposition"),
                contentEncoding: headers.text("Content-Encoding"), contentLanguage: headers.text("Content-Language"),
                expires: headers.text("Expires").flatMap { HTTPDate.parse($0) },
                metadata: MetadataCoding.read(headers), storageClass: headers.text(OSSHeader.storageClass)),
            tagCount: headers.text(OSSHeader.tagCount).flatMap { Int($0) })
    }
}

extension HTTPHeaders {
    /// The value of the first field of that name, unless it is empty.
    func text(_ name: String) -> String? {
        guard let text = self[name], !text.isEmpty else { return nil }
        return text
    }

    /// The CRC-64 of the object or the part; nil, which means "not verified", when it is no unsigned decimal number of 64
    /// bits.
    var crc64: UInt64? { text(OSSHeader.crc64).flatMap { UInt64($0) } }
}
