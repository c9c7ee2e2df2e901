internal import TransferXML

/// GetObjectTagging.
struct TaggingDocument: ResultDocument {
    struct TagSet: Decodable, Sendable {
        var tags: [Tag]?

        enum CodingKeys: String, CodingKey { case tags = "Tags" }
    }

    struct Tag: Decodable, Sendable {
        var key: String
        var value: String?

        enum CodingKeys: String, CodingKey {
            case key = "Key"
            case value = "Value"
        }
    }

    var tagSet: TagSet?

    enum CodingKeys: String, CodingKey { case tagSet = "TagSet" }

    var tags: [String: String] {
        Dictionary((tagSet?.tags ?? []).map { ($0.key, $0.value ?? "") }) { _, last in last }
    }
}

extension TaggingDocument {
    init(xml bytes: [UInt8]) throws {
        let root = try XMLElement(parsing: bytes).expecting("Tagging")
        let tags = root.first("TagSet")?.all("Tag") ?? []
        self.init(
            tagSet: TagSet(
                tags: tags.compactMap { tag in tag.text("Key").map { Tag(key: $0, value: tag.text("Value")) } }))
    }
}
