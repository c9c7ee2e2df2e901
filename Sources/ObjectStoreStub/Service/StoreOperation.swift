/// What a request asks for, by a name that all dialects share.
public struct StoreOperation: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }

    /// PutObject, of all object services.
    public static let putObject = StoreOperation(rawValue: "PutObject")
    /// GetObject.
    public static let getObject = StoreOperation(rawValue: "GetObject")
    /// HeadObject.
    public static let headObject = StoreOperation(rawValue: "HeadObject")
    /// DeleteObject, also of one version.
    public static let deleteObject = StoreOperation(rawValue: "DeleteObject")
    /// CopyObject: a PutObject with a copy source.
    public static let copyObject = StoreOperation(rawValue: "CopyObject")
    /// CreateMultipartUpload; OSS calls it InitiateMultipartUpload.
    public static let createMultipartUpload = StoreOperation(rawValue: "CreateMultipartUpload")
    /// UploadPart.
    public static let uploadPart = StoreOperation(rawValue: "UploadPart")
    /// UploadPartCopy: an UploadPart with a copy source.
    public static let uploadPartCopy = StoreOperation(rawValue: "UploadPartCopy")
    /// CompleteMultipartUpload.
    public static let completeMultipartUpload = StoreOperation(rawValue: "CompleteMultipartUpload")
    /// AbortMultipartUpload.
    public static let abortMultipartUpload = StoreOperation(rawValue: "AbortMultipartUpload")
    /// ListParts.
    public static let listParts = StoreOperation(rawValue: "ListParts")
    /// ListMultipartUploads.
    public static let listMultipartUploads = StoreOperation(rawValue: "ListMultipartUploads")
    /// GetObjectTagging.
    public static let getObjectTagging = StoreOperation(rawValue: "GetObjectTagging")
    /// CreateBucket.
    public static let createBucket = StoreOperation(rawValue: "CreateBucket")
    /// HeadBucket.
    public static let headBucket = StoreOperation(rawValue: "HeadBucket")
    /// CreateUploadVideo of the VOD OpenAPI, or `create-video` of the application server.
    public static let createUploadVideo = StoreOperation(rawValue: "CreateUploadVideo")
    /// RefreshUploadVideo, or `refresh-video`.
    public static let refreshUploadVideo = StoreOperation(rawValue: "RefreshUploadVideo")
    /// CreateUploadImage, or `create-image`.
    public static let createUploadImage = StoreOperation(rawValue: "CreateUploadImage")
    /// A request that no dialect knows.
    public static let unknown = StoreOperation(rawValue: "Unknown")
}
