internal import S3Wire
public import TransferCore
internal import TransferService

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Asks what an object is. TOS: "HeadObject".
public struct TOSHeadObjectInput: Sendable, Hashable {
    /// 3 to 63 letters a–z, digits and hyphens, with no hyphen at either end.
    public var bucket: String
    /// 1 to 1,024 bytes of UTF-8.
    public var key: String
    /// Nil for the current version.
    public var versionID: String?
    /// What must be true of the object, or the request fails with `.preconditionFailed`.
    public var conditions = TOSObjectConditions()
    /// The 32 bytes that the object was encrypted with, if the caller provided them (SSE-C).
    public var ssecKey: EncryptionKey?

    /// Everything else is at its default. Values are checked when the operation is called, before the first request.
    public init(bucket: String, key: String, versionID: String? = nil) {
        self.bucket = bucket
        self.key = key
        self.versionID = versionID
    }
}

/// What an object is.
public struct TOSHeadObjectOutput: TOSOutput, Hashable {
    public var response: TOSResponseInfo
    /// Bytes.
    public var contentLength: UInt64
    /// In quotes, as the service gives it; nil for appendable objects.
    public var eTag: String?
    /// Nil when the service does not tell.
    public var lastModified: Date?
    /// The version that the answer is about; nil in a bucket without versions.
    public var versionID: String?
    /// CRC-64/XZ of the object; nil when the service does not tell.
    public var hashCrc64ecma: UInt64?
    /// Whether it is a symbolic link to another object.
    public var isSymlink: Bool
    /// Whether it was made by AppendObject; TOS does not copy such an object in parts.
    public var isAppendable: Bool
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
    public var meta: [String: String]
    /// The class it is kept in; the standard class when the service names none.
    public var storageClass: TOSStorageClass
    /// The number of tags; nil when the service does not tell.
    public var taggingCount: Int?

    init(_ info: ObjectInfo, _ response: TOSResponseInfo) {
        self.response = response
        contentLength = info.size
        eTag = info.etag?.rawValue
        lastModified = info.lastModified
        versionID = info.versionID
        hashCrc64ecma = info.checksums.crc64
        isSymlink = info.kind == .symlink
        isAppendable = info.kind == .appendable
        contentType = info.attributes.contentType
        cacheControl = info.attributes.cacheControl
        contentDisposition = info.attributes.contentDisposition
        contentEncoding = info.attributes.contentEncoding
        contentLanguage = info.attributes.contentLanguage
        expires = info.attributes.expires
        meta = info.attributes.metadata
        storageClass = info.attributes.storageClass.map(TOSStorageClass.init(rawValue:)) ?? .standard
        taggingCount = info.tagCount
    }
}

extension TOSClient {
    /// Asks what an object is.
    ///
    /// - Throws: `TransferError`: `.notFound`, `.preconditionFailed` for a condition that does not hold, and so on; or
    ///   `CancellationError` when the surrounding task was cancelled.
    public func headObject(_ input: TOSHeadObjectInput) async throws -> TOSHeadObjectOutput {
        let object = try ObjectLocation(checkedBucket: input.bucket, key: input.key, versionID: input.versionID)
        let answer = try await liveService().headObject(
            try dialect.headObject(object, conditions: input.conditions.wire, ssecKey: input.ssecKey),
            FailureContext(operation: .headObject, object: object))
        return TOSHeadObjectOutput(answer.value, TOSResponseInfo(answer.info))
    }
}
