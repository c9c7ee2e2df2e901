internal import TransferCore
internal import TransferService

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Asks what an object is. OSS: "HeadObject".
public struct OSSHeadObjectInput: Sendable, Hashable {
    /// 3 to 63 letters a–z, digits and hyphens, with no hyphen at either end.
    public var bucket: String
    /// 1 to 1,023 bytes of UTF-8 that begin with neither `/` nor `\`.
    public var key: String
    /// Nil for the current version.
    public var versionID: String?
    /// What must be true of the object, or the request fails with `.preconditionFailed`.
    public var conditions = OSSObjectConditions()

    /// Everything else is at its default. Values are checked when the operation is called, before the first request.
    public init(bucket: String, key: String, versionID: String? = nil) {
        self.bucket = bucket
        self.key = key
        self.versionID = versionID
    }
}

/// What an object is.
public struct OSSHeadObjectOutput: OSSOutput, Hashable {
    public var response: OSSResponseInfo
    /// Bytes.
    public var contentLength: UInt64
    /// In quotes, as the service gives it.
    public var eTag: String?
    /// Nil when the service does not tell.
    public var lastModified: Date?
    /// The version that the answer is about; nil in a bucket without versions.
    public var versionID: String?
    /// CRC-64/XZ of the object; nil when the service does not tell.
    public var hashCrc64ecma: UInt64?
    /// `Normal`, `Multipart`, `Appendable` or `Symlink`.
    public var objectType: String?
    /// The `Content-Type` that is stored with the object; nil without one.
    public var contentType: String?
    /// The `Cache-Control` that is stored with the object; nil without one.
    public var cacheControl: String?
    /// The `Content-Disposition` that is stored with the object; nil without one.
    public var contentDisposition: String?
    /// The `Content-Encoding` that is stored with the object; nil without one.
    public var contentEncoding: String?
    /// The `Content-Language` that is stored with the object; nil without one.
    public var contentLanguage: String?
    /// The `Expires` that is stored with the object; nil without one.
    public var expires: Date?
    /// User metadata, names in lower case.
    public var metadata: [String: String]
    /// The class it is kept in; the standard class when the service names none.
    public var storageClass: OSSStorageClass
    /// The algorithm that the object is encrypted with, such as `AES256`; nil without encryption.
    public var serverSideEncryption: String?
    /// The key of the key-management service; nil where none is used.
    public var serverSideEncryptionKeyID: String?
    /// The number of tags; nil when the service does not tell.
    public var taggingCount: Int?

    init(_ head: ObjectHead, _ response: OSSResponseInfo) {
        let info = head.info
        self.response = response
        contentLength = info.size
        eTag = info.etag?.rawValue
        lastModified = info.lastModified
        versionID = info.versionID
        hashCrc64ecma = info.checksums.crc64
        objectType = head.objectType
        contentType = info.attributes.contentType
        cacheControl = info.attributes.cacheControl
        contentDisposition = info.attributes.contentDisposition
        contentEncoding = info.attributes.contentEncoding
        contentLanguage = info.attributes.contentLanguage
        expires = info.attributes.expires
        metadata = info.attributes.metadata
        storageClass = info.attributes.storageClass.map(OSSStorageClass.init(rawValue:)) ?? .standard
        serverSideEncryption = head.serverSideEncryption
        serverSideEncryptionKeyID = head.serverSideEncryptionKeyID
        taggingCount = info.tagCount
    }
}

extension OSSClient {
    /// Asks what an object is.
    ///
    /// - Throws: `TransferError`: `.notFound`, `.preconditionFailed` for a condition that does not hold, and so on; or
    ///   `CancellationError` when the surrounding task was cancelled.
    public func headObject(_ input: OSSHeadObjectInput) async throws -> OSSHeadObjectOutput {
        let object = try ObjectLocation(checkedBucket: input.bucket, key: input.key, versionID: input.versionID)
        let answer = try await liveService().headObject(
            try .headObject(object, conditions: input.conditions), FailureContext(.headObject, object))
        return OSSHeadObjectOutput(answer.value, answer.info)
    }
}
