internal import TransferCore
internal import TransferPrimitives
internal import TransferXML

/// One page of ListParts. A part that no upload can have, or without an ETag, is left out: it is stored again.
struct PartsPage: Sendable {
    private(set) var parts: [OSSUploadedPart] = []
    let isTruncated: Bool
    /// The number behind which the next page begins.
    let nextMarker: Int

    /// Throws `XMLError`, also for a document of another name.
    init(xml bytes: [UInt8]) throws {
        var parts: [OSSUploadedPart] = []
        let root = try XMLElement(parsing: bytes, takingEach: "Part") { element in
            if let part = OSSUploadedPart(element) { parts.append(part) }
        }
        try root.expecting("ListPartsResult")
        self.parts = parts
        isTruncated = root.trimmedText("IsTruncated")?.lowercased() == "true"
        nextMarker = max(root.trimmedText("NextPartNumberMarker").flatMap { Int($0) } ?? parts.last?.partNumber ?? 0, 0)
    }
}

extension OSSUploadedPart {
    init?(_ element: XMLElement) {
        guard let number = element.trimmedText("PartNumber").flatMap({ Int($0) }),
            (1...OSSProvider.partLimits.maximumCount).contains(number),
            let etag = element.trimmedText("ETag"), !ETag(etag).isEmpty
        else { return nil }
        self.init(
            partNumber: number, eTag: etag, size: element.trimmedText("Size").flatMap { UInt64($0) },
            hashCrc64ecma: element.trimmedText("HashCrc64ecma").flatMap { UInt64($0) },
            lastModified: element.trimmedText("LastModified").flatMap { HTTPDate.parseISO8601($0) })
    }
}
