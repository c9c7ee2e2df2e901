/// The result documents of the native wire (spec section 1.2). Members that an answer may lack are optional; members that
/// are not read here are ignored.

/// CopyObject and UploadPartCopy.
struct CopyResultDocument: Decodable, Sendable {
    var eTag: String?
    var lastModified: String?

    enum CodingKeys: String, CodingKey {
        case eTag = "ETag"
        case lastModified = "LastModified"
    }
}

/// CreateMultipartUpload.
struct CreateResultDocument: Decodable, Sendable {
    var uploadID: String?

    enum CodingKeys: String, CodingKey { case uploadID = "UploadId" }
}

/// CompleteMultipartUpload.
struct CompleteResultDocument: Decodable, Sendable {
    var bucket: String?
    var key: String?
    var eTag: String?
    var location: String?

    enum CodingKeys: String, CodingKey {
        case bucket = "Bucket"
        case key = "Key"
        case eTag = "ETag"
        case location = "Location"
    }
}

/// ListParts, one page.
struct ListPartsDocument: Decodable, Sendable {
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

/// GetObjectTagging.
struct TaggingDocument: Decodable, Sendable {
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
