internal import TransferService

/// The operations of the object API, by the names of the manuals.
package enum S3Operation: String, Sendable, Hashable, CaseIterable {
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
    case listMultipartUploads = "ListMultipartUploads"
    case completeMultipartUpload = "CompleteMultipartUpload"
    case abortMultipartUpload = "AbortMultipartUpload"
    case createBucket = "CreateBucket"

    /// Whether it is about a bucket, and has no key.
    var isAboutBucket: Bool { self == .listMultipartUploads || self == .createBucket }

    /// How long an answer may take.
    var timeoutKind: ServiceTimeouts.Kind {
        switch self {
        case .getObject, .putObject, .uploadPart: .data
        case .copyObject, .uploadPartCopy, .completeMultipartUpload: .serverSide
        case .headObject, .deleteObject, .getObjectTagging, .createMultipartUpload, .listParts, .listMultipartUploads,
            .abortMultipartUpload, .createBucket:
            .control
        }
    }
}
