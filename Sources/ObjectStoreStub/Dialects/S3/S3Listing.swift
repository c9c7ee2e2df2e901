/// The documents of the two listings.
struct S3Listing {
    let call: ServiceCall
    let quirks: Quirks

    /// A key as the request wants to see it. S3 writes the blanks of encoded keys as `+`.
    private func key(_ key: String) -> String {
        guard call.page.encodesKeys else { return key }
        return PercentCoding.encode(key.utf8, keepingSlash: true).replacing("%20", with: "+")
    }

    func parts(_ page: ServiceResult.PartsPage?) -> XMLText {
        guard let page else { return XMLText("ListPartsResult") }
        let parts = page.parts.map { part in
            XMLText(
                "Part",
                [
                    XMLText("PartNumber", String(part.number)),
                    XMLText("LastModified", WireDate.documentToTheSecond(part.lastModified)),
                    XMLText("ETag", quirks.quotesETagElsewhere ? "\"\(part.etag)\"" : part.etag),
                    XMLText("Size", String(part.length)),
                ])
        }
        return XMLText(
            "ListPartsResult",
            [
                XMLText("Bucket", call.bucket), XMLText("Key", call.key), XMLText("UploadId", page.upload.id),
                Self.person("Initiator"), Self.person("Owner"), storageClass(of: page.upload),
                XMLText("PartNumberMarker", String(call.page.partNumberMarker)),
                XMLText("NextPartNumberMarker", String(page.nextMarker)), XMLText("MaxParts", String(page.limit)),
                XMLText("IsTruncated", String(page.isTruncated)),
            ] + parts)
    }

    func uploads(_ page: ServiceResult.UploadsPage?) -> XMLText {
        guard let page else { return XMLText("ListMultipartUploadsResult") }
        let uploads = page.uploads.map { upload in
            XMLText(
                "Upload",
                [
                    XMLText("Key", key(upload.key)), XMLText("UploadId", upload.id), Self.person("Initiator"),
                    Self.person("Owner"), storageClass(of: upload),
                    XMLText("Initiated", WireDate.documentToTheSecond(upload.initiated)),
                ])
        }
        return XMLText(
            "ListMultipartUploadsResult",
            [
                XMLText("Bucket", call.bucket), XMLText("KeyMarker", key(call.page.keyMarker)),
                XMLText("UploadIdMarker", call.page.uploadIDMarker), XMLText("NextKeyMarker", key(page.nextKeyMarker)),
                XMLText("NextUploadIdMarker", page.nextUploadIDMarker), XMLText("Delimiter", key(call.page.delimiter)),
                XMLText("Prefix", key(call.page.prefix)), XMLText("MaxUploads", String(page.limit)),
                XMLText("IsTruncated", String(page.isTruncated)),
            ] + (call.page.encodesKeys ? [XMLText("EncodingType", "url")] : []) + uploads
                + page.commonPrefixes.map { XMLText("CommonPrefixes", [XMLText("Prefix", key($0))]) })
    }

    private static func person(_ role: String) -> XMLText {
        XMLText(role, [XMLText("ID", "1000001"), XMLText("DisplayName", "1000001")])
    }

    private func storageClass(of upload: StoredUpload) -> XMLText {
        XMLText("StorageClass", upload.attributes.storageClass ?? "STANDARD")
    }
}
