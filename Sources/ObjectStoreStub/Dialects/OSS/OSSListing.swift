/// The documents of the two listings.
struct OSSListing {
    let call: ServiceCall
    let quirks: Quirks

    /// A key as the request wants to see it.
    func key(_ key: String) -> String {
        call.page.encodesKeys ? PercentCoding.encode(key.utf8, keepingSlash: true) : key
    }

    /// The element that says that keys are percent-encoded.
    var encodingType: [XMLText] { call.page.encodesKeys ? [XMLText("EncodingType", "url")] : [] }

    func parts(_ page: ServiceResult.PartsPage?) -> XMLText {
        guard let page else { return XMLText("ListPartsResult") }
        return XMLText(
            "ListPartsResult",
            encodingType + [
                XMLText("Bucket", call.bucket), XMLText("Key", key(call.key)), XMLText("UploadId", page.upload.id),
                XMLText("StorageClass", page.upload.attributes.storageClass ?? "Standard"),
                XMLText("PartNumberMarker", String(call.page.partNumberMarker)),
                XMLText("NextPartNumberMarker", String(page.nextMarker)), XMLText("MaxParts", String(page.limit)),
                XMLText("IsTruncated", String(page.isTruncated)),
            ] + page.parts.map { part($0) })
    }

    private func part(_ part: StoredPart) -> XMLText {
        let etag = OSSETag.onWire(part.etag)
        var members = [
            XMLText("PartNumber", String(part.number)),
            XMLText("LastModified", WireDate.documentToTheSecond(part.lastModified)),
            XMLText("ETag", quirks.quotesETagElsewhere ? "\"\(etag)\"" : etag), XMLText("Size", String(part.length)),
        ]
        if quirks.reportsChecksums, let crc64 = part.crc64 { members.append(XMLText("HashCrc64ecma", String(crc64))) }
        return XMLText("Part", members)
    }

    func uploads(_ page: ServiceResult.UploadsPage?) -> XMLText {
        guard let page else { return XMLText("ListMultipartUploadsResult") }
        let uploads = page.uploads.map { upload in
            XMLText(
                "Upload",
                [
                    XMLText("Key", key(upload.key)), XMLText("UploadId", upload.id),
                    XMLText("StorageClass", upload.attributes.storageClass ?? "Standard"),
                    XMLText("Initiated", WireDate.documentToTheSecond(upload.initiated)),
                ])
        }
        return XMLText(
            "ListMultipartUploadsResult",
            encodingType + [
                XMLText("Bucket", call.bucket), XMLText("KeyMarker", key(call.page.keyMarker)),
                XMLText("UploadIdMarker", call.page.uploadIDMarker), XMLText("NextKeyMarker", key(page.nextKeyMarker)),
                XMLText("NextUploadIdMarker", page.nextUploadIDMarker), XMLText("Delimiter", key(call.page.delimiter)),
                XMLText("Prefix", key(call.page.prefix)), XMLText("MaxUploads", String(page.limit)),
                XMLText("IsTruncated", String(page.isTruncated)),
            ] + uploads + page.commonPrefixes.map { XMLText("CommonPrefixes", [XMLText("Prefix", key($0))]) })
    }
}
