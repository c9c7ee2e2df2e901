internal import TransferXML

/// CompleteMultipartUpload.
struct CompleteResultDocument: ResultDocument {
    /// A part of an upload that was completed without a list.
    struct Part: Decodable, Sendable {
        var number: Int?
        var eTag: String?

        enum CodingKeys: String, CodingKey {
            case number = "PartNumber"
            case eTag = "ETag"
        }
    }

    var bucket: String?
    var key: String?
    var eTag: String?
    var location: String?
    var completedParts: [Part]?

    enum CodingKeys: String, CodingKey {
        case bucket = "Bucket"
        case key = "Key"
        case eTag = "ETag"
        case location = "Location"
        case completedParts = "CompletedParts"
    }
}

extension CompleteResultDocument {
    init(xml bytes: [UInt8]) throws {
        let root = try XMLElement(parsing: bytes).expecting("CompleteMultipartUploadResult")
        self.init(
            bucket: root.value("Bucket"), key: root.value("Key"), eTag: root.value("ETag"),
            location: root.value("Location"))
    }
}
