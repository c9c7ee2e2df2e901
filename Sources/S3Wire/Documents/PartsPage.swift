package import TransferCore
internal import TransferPrimitives

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A part that the service holds, as a listing tells of it.
package struct ListedPart: Sendable, Hashable {
    package let part: CompletedPart
    /// Nil when the service does not tell.
    package let lastModified: Date?
}

/// One page of ListParts. A part that no upload can have, or without an ETag, is left out: it is stored again.
package struct PartsPage: Sendable {
    package let parts: [ListedPart]
    package let isTruncated: Bool
    /// The number behind which the next page begins; 0 when there is none.
    package let nextMarker: Int

    init(_ document: ListPartsDocument, _ limits: BackendCapabilities.PartLimits) {
        parts = (document.parts ?? []).compactMap { part -> ListedPart? in
            guard let number = part.number, (1...limits.maximumCount).contains(number),
                let etag = part.eTag.map({ ETag($0) }), !etag.isEmpty
            else { return nil }
            return ListedPart(
                part: CompletedPart(number: number, etag: etag, size: part.size),
                lastModified: part.lastModified.flatMap { HTTPDate.parseISO8601($0) })
        }
        isTruncated = document.isTruncated ?? false
        nextMarker = max(document.nextPartNumberMarker ?? parts.last?.part.number ?? 0, 0)
    }
}
