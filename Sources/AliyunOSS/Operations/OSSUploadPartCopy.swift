public import TransferCore
internal import TransferService

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Stores a stretch of an object as a part, without downloading it. OSS: "UploadPartCopy".
@dynamicMemberLookup
public struct OSSUploadPartCopyInput: Sendable, Hashable {
    /// 3 to 63 letters a–z, digits and hyphens, with no hyphen at either end.
    public var bucket: String
    /// 1 to 1,023 bytes of UTF-8 that begin with neither `/` nor `\`.
    public var key: String
    /// The id of the upload, as the call that opened it returned it.
    public var uploadID: String
    /// 1 to 10,000. Storing a number again replaces it.
    public var partNumber: Int
    /// The source's bucket, in the region of the target's.
    public var srcBucket: String
    /// The source's key, by the same rules as `key`.
    public var srcKey: String
    /// Nil for the source's current version.
    public var srcVersionID: String?
    /// Which bytes of the source; nil for all. An empty range is refused.
    public var copySourceRange: ByteRange?
    /// What must be true of the source; its fields are fields of this input, too.
    public var conditions = OSSCopySourceConditions()
    /// Bits per second, 245,760 to 838,860,800; nil for no limit.
    public var trafficLimit: Int?

    /// Everything else is at its default. Values are checked when the operation is called, before the first request.
    public init(
        bucket: String, key: String, uploadID: String, partNumber: Int, srcBucket: String, srcKey: String,
        srcVersionID: String? = nil, copySourceRange: ByteRange? = nil
    ) {
        self.bucket = bucket
        self.key = key
        self.uploadID = uploadID
        self.partNumber = partNumber
        self.srcBucket = srcBucket
        self.srcKey = srcKey
        self.srcVersionID = srcVersionID
        self.copySourceRange = copySourceRange
    }

    /// The fields of `conditions`, as if they were this input's own.
    public subscript<Value>(dynamicMember path: WritableKeyPath<OSSCopySourceConditions, Value>) -> Value {
        get { conditions[keyPath: path] }
        set { conditions[keyPath: path] = newValue }
    }
}

/// The part that was stored.
public struct OSSUploadPartCopyOutput: OSSOutput, Hashable {
    public var response: OSSResponseInfo
    /// 1 to 10,000.
    public var partNumber: Int
    /// In quotes, as the service gives it.
    public var eTag: String
    /// Nil when the service does not tell.
    public var lastModified: Date?
    /// The version of the source that was copied; nil in a bucket without versions.
    public var copySourceVersionID: String?
}

extension OSSClient {
    /// Stores a stretch of an object as a part.
    ///
    /// - Throws: `TransferError`, `.uploadNotFound` among them; `CancellationError` when the surrounding task was
    ///   cancelled. An answer of 200 that holds an error, or no ETag, is an error.
    public func uploadPartCopy(_ input: OSSUploadPartCopyInput) async throws -> OSSUploadPartCopyOutput {
        let source = try ObjectLocation(
            checkedSourceBucket: input.srcBucket, key: input.srcKey, versionID: input.srcVersionID)
        let upload = try MultipartUpload(checkedBucket: input.bucket, key: input.key, id: input.uploadID)
        let answer = try await liveService().uploadPartCopy(
            try .uploadPartCopy(
                input.partNumber, of: upload, from: source, range: input.copySourceRange, conditions: input.conditions,
                trafficLimit: input.trafficLimit),
            FailureContext(.uploadPartCopy, of: upload, part: input.partNumber))
        return OSSUploadPartCopyOutput(
            response: OSSResponseInfo(answer.receipt), partNumber: input.partNumber, eTag: answer.receipt.etag.rawValue,
            lastModified: answer.lastModified, copySourceVersionID: answer.receipt.sourceVersionID)
    }
}
