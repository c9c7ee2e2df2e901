internal import TransferService

/// The operations of the object API, by the names of the manual.
package enum OSSOperation: String, Sendable, Hashable, CaseIterable {
    case headObject = "HeadObject"
    case getObject = "GetObject"
    case putObject = "PutObject"
    case deleteObject = "DeleteObject"
    case copyObject = "CopyObject"
    case initiateMultipartUpload = "InitiateMultipartUpload"
    case uploadPart = "UploadPart"
    case uploadPartCopy = "UploadPartCopy"
    case listParts = "ListParts"
    case listMultipartUploads = "ListMultipartUploads"
    case completeMultipartUpload = "CompleteMultipartUpload"
    case abortMultipartUpload = "AbortMultipartUpload"

    /// Whether it names no key.
    var isAboutBucket: Bool { self == .listMultipartUploads }

    /// How long an answer may take.
    var timeoutKind: ServiceTimeouts.Kind {
        switch self {
        case .getObject, .putObject, .uploadPart: .data
        case .copyObject, .uploadPartCopy, .completeMultipartUpload: .serverSide
        case .headObject, .deleteObject, .initiateMultipartUpload, .listParts, .listMultipartUploads,
            .abortMultipartUpload:
            .control
        }
    }
}
