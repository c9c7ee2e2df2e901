/// The operations of the object API, by the names of the manual.
enum TOSOperation: String, Sendable, Hashable, CaseIterable {
    case headObject = "HeadObject"
    case getObject = "GetObject"
    case putObject = "PutObject"
    case deleteObject = "DeleteObject"
    case copyObject = "CopyObject"
    case getObjectTagging = "GetObjectTagging"
    case createMultipartUpload = "CreateMultipartUpload"
    case uploadPart = "UploadPart"
    case uploadPartCopy = "UploadPartCopy"
    case listParts = "ListParts"
    case completeMultipartUpload = "CompleteMultipartUpload"
    case abortMultipartUpload = "AbortMultipartUpload"

    /// How long an answer may take.
    enum Patience: Hashable {
        /// A question that is answered at once: bounded as a whole.
        case control
        /// Bytes of the caller's: bounded by silence alone.
        case data
        /// The service works for minutes without a word: bounded by a long silence.
        case serverSide
    }

    var patience: Patience {
        switch self {
        case .getObject, .putObject, .uploadPart: .data
        case .copyObject, .uploadPartCopy, .completeMultipartUpload: .serverSide
        case .headObject, .deleteObject, .getObjectTagging, .createMultipartUpload, .listParts, .abortMultipartUpload:
            .control
        }
    }
}
