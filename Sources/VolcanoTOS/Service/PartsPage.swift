internal import TransferCore
internal import TransferPrimitives

/// One page of ListParts. A part that no upload can have, or without an ETag, is left out: it is copied again.
struct PartsPage: Sendable {
    let parts: [TOSUploadedPart]
    let isTruncated: Bool
    /// The number behind which the next page begins; 0 when the service did not say.
    let nextMarker: Int

    init(_ document: ListPartsDocument) {
        parts = (document.parts ?? []).compactMap { part -> TOSUploadedPart? in
            guard let number = part.number, (1...TOSProvider.partLimits.maximumCount).contains(number),
                let etag = part.eTag, !ETag(etag).isEmpty
            else { return nil }
            return TOSUploadedPart(
                partNumber: number, eTag: etag, size: part.size,
                lastModified: part.lastModified.flatMap { HTTPDate.parseISO8601($0) })
        }
        isTruncated = document.isTruncated ?? false
        nextMarker = max(document.nextPartNumberMarker ?? 0, 0)
    }
}
