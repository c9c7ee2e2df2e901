internal import TransferHTTP
internal import TransferPrimitives
internal import TransferXML

/// One page of ListMultipartUploads. Keys are percent-encoded where the document says so; upload ids never are.
struct UploadsPage: Sendable {
    let uploads: [OSSPendingUpload]
    let commonPrefixes: [String]
    /// Nil when there is no further page.
    let next: OSSUploadsMarker?

    /// Throws `XMLError`, also for a document of another name.
    init(xml bytes: [UInt8]) throws {
        let root = try XMLElement(parsing: bytes).expecting("ListMultipartUploadsResult")
        let isEncoded = root.trimmedText("EncodingType")?.lowercased() == "url"
        /// A key may begin or end with blanks, which are part of it.
        func key(_ text: String?) -> String? {
            guard let text, !text.isEmpty else { return nil }
            return isEncoded ? PercentEncoding.decode(text) ?? text : text
        }
        uploads = root.all("Upload").compactMap { element in
            guard let key = key(element.text("Key")), let id = element.trimmedText("UploadId"), !id.isEmpty else {
                return nil
            }
            return OSSPendingUpload(
                key: key, uploadID: id, storageClass: element.trimmedText("StorageClass").map { .init(rawValue: $0) },
                initiated: element.trimmedText("Initiated").flatMap { HTTPDate.parseISO8601($0) })
        }
        commonPrefixes = root.all("CommonPrefixes").compactMap { key($0.text("Prefix")) }
        guard root.trimmedText("IsTruncated")?.lowercased() == "true" else {
            next = nil
            return
        }
        if let nextKey = key(root.text("NextKeyMarker")) {
            next = OSSUploadsMarker(key: nextKey, uploadID: root.trimmedText("NextUploadIdMarker") ?? "")
        } else {
            // There is more, and the service did not say from where.
            next = uploads.last.map { OSSUploadsMarker(key: $0.key, uploadID: $0.uploadID) }
        }
    }
}
