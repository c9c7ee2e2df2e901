internal import TransferHTTP
internal import TransferPrimitives

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Where a page of uploads begins: behind this key, and behind this upload of it.
package struct UploadsMarker: Sendable, Hashable {
    package var key: String
    /// Empty to begin behind all uploads of the key.
    package var uploadID: String

    package init(key: String, uploadID: String) {
        self.key = key
        self.uploadID = uploadID
    }
}

/// An upload that is neither completed nor given up.
package struct ListedUpload: Sendable, Hashable {
    package let key: String
    package let uploadID: String
    /// Nil when the service names none.
    package let storageClass: String?
    /// Nil when the service does not tell.
    package let initiated: Date?
}

/// One page of ListMultipartUploads.
package struct UploadsPage: Sendable {
    package let uploads: [ListedUpload]
    package let commonPrefixes: [String]
    /// Whether there are more.
    package let isTruncated: Bool
    /// Where those begin; nil when there are none, or the service does not tell.
    package let next: UploadsMarker?

    init(_ document: ListUploadsDocument) {
        // Keys are percent-encoded where the document says so; upload ids never are.
        let isEncoded = document.encodingType?.lowercased() == "url"
        func key(_ text: String?) -> String? {
            guard let text, !text.isEmpty else { return nil }
            guard isEncoded else { return text }
            // Services that encode as forms do write a blank as `+`; a plus itself is encoded by all.
            return PercentEncoding.decode(text.replacing("+", with: "%20")) ?? text
        }
        uploads = (document.uploads ?? []).compactMap { upload in
            guard let key = key(upload.key), let id = upload.uploadID, !id.isEmpty else { return nil }
            return ListedUpload(
                key: key, uploadID: id, storageClass: upload.storageClass,
                initiated: upload.initiated.flatMap { HTTPDate.parseISO8601($0) })
        }
        commonPrefixes = (document.commonPrefixes ?? []).compactMap { key($0.prefix) }
        isTruncated = document.isTruncated ?? false
        guard isTruncated else {
            next = nil
            return
        }
        if let nextKey = key(document.nextKeyMarker) {
            next = UploadsMarker(key: nextKey, uploadID: document.nextUploadIDMarker ?? "")
        } else {
            // There is more, and the service did not say from where.
            next = uploads.last.map { UploadsMarker(key: $0.key, uploadID: $0.uploadID) }
        }
    }
}
