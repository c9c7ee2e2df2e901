/// What a request asks for, by a name that all dialects share.
public struct StoreOperation: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }

    public static let putObject = StoreOperation(rawValue: "PutObject")
    public static let getObject = StoreOperation(rawValue: "GetObject")
    public static let headObject = StoreOperation(rawValue: "HeadObject")
    public static let deleteObject = StoreOperation(rawValue: "DeleteObject")
    public static let copyObject = StoreOperation(rawValue: "CopyObject")
    public static let createMultipartUpload = StoreOperation(rawValue: "CreateMultipartUpload")
    public static let uploadPart = StoreOperation(rawValue: "UploadPart")
    public static let uploadPartCopy = StoreOperation(rawValue: "UploadPartCopy")
    public static let completeMultipartUpload = StoreOperation(rawValue: "CompleteMultipartUpload")
    public static let abortMultipartUpload = StoreOperation(rawValue: "AbortMultipartUpload")
    public static let listParts = StoreOperation(rawValue: "ListParts")
    public static let listMultipartUploads = StoreOperation(rawValue: "ListMultipartUploads")
    public static let getObjectTagging = StoreOperation(rawValue: "GetObjectTagging")
    public static let headBucket = StoreOperation(rawValue: "HeadBucket")
    public static let createUploadVideo = StoreOperation(rawValue: "CreateUploadVideo")
    public static let refreshUploadVideo = StoreOperation(rawValue: "RefreshUploadVideo")
    public static let createUploadImage = StoreOperation(rawValue: "CreateUploadImage")
    /// A request that no dialect knows.
    public static let unknown = StoreOperation(rawValue: "Unknown")
}
