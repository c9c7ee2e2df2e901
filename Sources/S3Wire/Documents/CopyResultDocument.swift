internal import TransferXML

/// CopyObject and UploadPartCopy.
struct CopyResultDocument: ResultDocument {
    var eTag: String?
    var lastModified: String?

    enum CodingKeys: String, CodingKey {
        case eTag = "ETag"
        case lastModified = "LastModified"
    }
}

extension CopyResultDocument {
    init(xml bytes: [UInt8]) throws {
        let root = try XMLElement(parsing: bytes)
        if !root.isNamed("CopyPartResult") { try root.expecting("CopyObjectResult") }
        self.init(eTag: root.value("ETag"), lastModified: root.value("LastModified"))
    }
}
