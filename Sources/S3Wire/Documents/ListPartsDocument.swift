internal import TransferXML

/// ListParts, one page.
struct ListPartsDocument: ResultDocument {
    struct Part: Decodable, Sendable {
        var number: Int?
        var eTag: String?
        var size: UInt64?
        var lastModified: String?

        enum CodingKeys: String, CodingKey {
            case number = "PartNumber"
            case eTag = "ETag"
            case size = "Size"
            case lastModified = "LastModified"
        }
    }

    var isTruncated: Bool?
    var nextPartNumberMarker: Int?
    var parts: [Part]?

    enum CodingKeys: String, CodingKey {
        case isTruncated = "IsTruncated"
        case nextPartNumberMarker = "NextPartNumberMarker"
        case parts = "Parts"
    }
}

extension ListPartsDocument {
    init(xml bytes: [UInt8]) throws {
        var parts: [Part] = []
        let root = try XMLElement(parsing: bytes, takingEach: "Part") { element in
            parts.append(
                Part(
                    number: element.number("PartNumber"), eTag: element.value("ETag"), size: element.number("Size"),
                    lastModified: element.value("LastModified")))
        }
        try root.expecting("ListPartsResult")
        self.init(
            isTruncated: root.flag("IsTruncated"), nextPartNumberMarker: root.number("NextPartNumberMarker"),
            parts: parts)
    }
}
