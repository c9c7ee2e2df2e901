internal import TransferCore
internal import TransferHTTP
internal import TransferPrimitives

extension ObjectInfo {
    /// What the headers of HeadObject and GetObject say (spec section 4.9); nil without a usable length.
    init?(_ headers: HTTPHeaders) {
        guard let size = headers["Content-Length"].flatMap({ UInt64($0) }) else { return nil }
        self.init(size: size, headers)
    }

    init(size: UInt64, _ headers: HTTPHeaders) {
        func text(_ name: String) -> String? {
            guard let text = headers[name], !text.isEmpty else { return nil }
            return text
        }
        var checksums: Checksums = [:]
        // A value that is no unsigned decimal number of 64 bits means "not verified".
        checksums.crc64 = text(TOSHeader.crc64).flatMap { UInt64($0) }
        self.init(
            size: size, etag: text("ETag").map { ETag($0) }.flatMap { $0.isEmpty ? nil : $0 },
            lastModified: text("Last-Modified").flatMap { HTTPDate.parse($0) }, versionID: text(TOSHeader.versionID),
            checksums: checksums, kind: Kind(text(TOSHeader.objectType)),
            attributes: ObjectAttributes(
                contentType: text("Content-Type"), cacheControl: text("Cache-Control"),
                contentDisposition: text("Content-Disposition"), contentEncoding: text("Content-Encoding"),
                contentLanguage: text("Content-Language"), expires: text("Expires").flatMap { HTTPDate.parse($0) },
                metadata: MetadataCoding.read(headers), storageClass: text(TOSHeader.storageClass)),
            tagCount: text(TOSHeader.tagCount).flatMap { Int($0) })
    }
}

extension ObjectInfo.Kind {
    init(_ objectType: String?) {
        self =
            switch objectType?.lowercased() {
            case "symlink": .symlink
            case "appendable": .appendable
            default: .normal
            }
    }
}
