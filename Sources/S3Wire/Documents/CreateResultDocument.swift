internal import TransferXML

/// CreateMultipartUpload.
struct CreateResultDocument: ResultDocument {
    var uploadID: String?

    enum CodingKeys: String, CodingKey { case uploadID = "UploadId" }
}

extension CreateResultDocument {
    init(xml bytes: [UInt8]) throws {
        let root = try XMLElement(parsing: bytes).expecting("InitiateMultipartUploadResult")
        self.init(uploadID: root.value("UploadId"))
    }
}
