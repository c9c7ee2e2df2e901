internal import TransferXML

/// ListMultipartUploads, one page.
struct ListUploadsDocument: ResultDocument {
    struct Upload: Decodable, Sendable {
        var key: String?
        var uploadID: String?
        var storageClass: String?
        var initiated: String?

        enum CodingKeys: String, CodingKey {
            case key = "Key"
            case uploadID = "UploadId"
            case storageClass = "StorageClass"
            case initiated = "Initiated"
        }
    }

    struct CommonPrefix: Decodable, Sendable {
        var prefix: String?

        enum CodingKeys: String, CodingKey { case prefix = "Prefix" }
    }

    var isTruncated: Bool?
    var encodingType: String?
    var nextKeyMarker: String?
    var nextUploadIDMarker: String?
    var uploads: [Upload]?
    var commonPrefixes: [CommonPrefix]?

    enum CodingKeys: String, CodingKey {
        case isTruncated = "IsTruncated"
        case encodingType = "EncodingType"
        case nextKeyMarker = "NextKeyMarker"
        case nextUploadIDMarker = "NextUploadIdMarker"
        case uploads = "Uploads"
        case commonPrefixes = "CommonPrefixes"
    }
}

extension ListUploadsDocument {
    init(xml bytes: [UInt8]) throws {
        let root = try XMLElement(parsing: bytes).expecting("ListMultipartUploadsResult")
        self.init(
            isTruncated: root.flag("IsTruncated"), encodingType: root.value("EncodingType"),
            // A key may begin or end with blanks, which are part of it.
            nextKeyMarker: root.text("NextKeyMarker"), nextUploadIDMarker: root.value("NextUploadIdMarker"),
            uploads: root.all("Upload").map { element in
                Upload(
                    key: element.text("Key"), uploadID: element.value("UploadId"),
                    storageClass: element.value("StorageClass"), initiated: element.value("Initiated"))
            },
            commonPrefixes: root.all("CommonPrefixes").map { CommonPrefix(prefix: $0.text("Prefix")) })
    }
}
