internal import TransferCore
internal import TransferHTTP
internal import TransferPrimitives
internal import TransferService

extension ObjectInfo {
    /// What the headers of HeadObject and GetObject say (TOS: spec section 4.9); nil without a usable length.
    init?(_ headers: HTTPHeaders, _ dialect: S3Dialect) {
        guard let size = headers["Content-Length"].flatMap({ UInt64($0) }) else { return nil }
        self.init(size: size, headers, dialect)
    }

    init(size: UInt64, _ headers: HTTPHeaders, _ dialect: S3Dialect) {
        let names = dialect.headers
        self.init(
            size: size, etag: headers.text("ETag").map { ETag($0) }.flatMap { $0.isEmpty ? nil : $0 },
            lastModified: headers.text("Last-Modified").flatMap { HTTPDate.parse($0) },
            versionID: headers.text(names.versionID),
            checksums: Checksums(crc64: headers.crc64(names.crc64)),
            kind: Kind(headers.text(names.objectType)),
            attributes: ObjectAttributes(
                content: headers, metadata: dialect.metadata.read(headers, prefix: names.metaPrefix),
                storageClass: headers.text(names.storageClass)),
            tagCount: headers.text(names.tagCount).flatMap { Int($0) })
    }
}

extension ObjectInfo.Kind {
    fileprivate init(_ objectType: String?) {
        self =
            switch objectType?.lowercased() {
            case "symlink": .symlink
            case "appendable": .appendable
            default: .normal
            }
    }
}
