internal import TransferCore
internal import TransferHTTP
internal import TransferPrimitives
internal import TransferService

extension ObjectInfo {
    /// What the headers of HeadObject and GetObject say (spec section 4.9); nil without a usable length.
    init?(_ headers: HTTPHeaders) {
        guard let size = headers["Content-Length"].flatMap({ UInt64($0) }) else { return nil }
        self.init(size: size, headers)
    }

    init(size: UInt64, _ headers: HTTPHeaders) {
        self.init(
            size: size, etag: headers.text("ETag").map { ETag($0) }.flatMap { $0.isEmpty ? nil : $0 },
            lastModified: headers.text("Last-Modified").flatMap { HTTPDate.parse($0) },
            versionID: headers.text(TOSHeader.versionID),
            checksums: Checksums(crc64: headers.crc64(TOSHeader.crc64)),
            kind: Kind(headers.text(TOSHeader.objectType)),
            attributes: ObjectAttributes(
                content: headers, metadata: MetadataCoding.read(headers),
                storageClass: headers.text(TOSHeader.storageClass)),
            tagCount: headers.text(TOSHeader.tagCount).flatMap { Int($0) })
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
