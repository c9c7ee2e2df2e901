internal import S3Wire
public import TransferCore
internal import TransferService

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Copies an object inside TOS by one request. TOS: "CopyObject".
@dynamicMemberLookup
public struct TOSCopyObjectInput: Sendable, Hashable {
    /// The source's bucket, in the region of the target's.
    public var srcBucket: String
    /// The source's key, by the same rules as `key`.
    public var srcKey: String
    /// Nil for the source's current version.
    public var srcVersionID: String?
    /// 3 to 63 letters a–z, digits and hyphens, with no hyphen at either end.
    public var bucket: String
    /// 1 to 1,024 bytes of UTF-8.
    public var key: String
    /// What must be true of the source.
    public var conditions = TOSCopySourceConditions()
    /// The 32 bytes that the source was encrypted with, if the caller provided them (SSE-C).
    public var copySourceSSECKey: EncryptionKey?
    /// `.copy` keeps the source's content type, cache headers and metadata and ignores those given here; `.replace` does
    /// the opposite. Everything else of `attributes` counts either way.
    public var metadataDirective = TOSMetadataDirective.copy
    /// What the object is to carry; its fields are fields of this input, too. Without an ACL the copy is private.
    public var attributes = TOSObjectAttributes()
    /// Bits per second, 819,200 to 838,860,800; nil for no limit.
    public var trafficLimit: Int?

    /// Everything else is at its default. Values are checked when the operation is called, before the first request.
    public init(srcBucket: String, srcKey: String, srcVersionID: String? = nil, bucket: String, key: String) {
        self.srcBucket = srcBucket
        self.srcKey = srcKey
        self.srcVersionID = srcVersionID
        self.bucket = bucket
        self.key = key
    }

    /// The fields of `attributes`, as if they were this input's own.
    public subscript<Value>(dynamicMember path: WritableKeyPath<TOSObjectAttributes, Value>) -> Value {
        get { attributes[keyPath: path] }
        set { attributes[keyPath: path] = newValue }
    }

    /// The fields of `conditions`, as if they were this input's own.
    public subscript<Value>(dynamicMember path: WritableKeyPath<TOSCopySourceConditions, Value>) -> Value {
        get { conditions[keyPath: path] }
        set { conditions[keyPath: path] = newValue }
    }
}

/// The copy that was made.
public struct TOSCopyObjectOutput: TOSOutput, Hashable {
    public var response: TOSResponseInfo
    /// In quotes, as the service gives it. Not comparable with the source's.
    public var eTag: String
    /// Nil when the service does not tell.
    public var lastModified: Date?
    /// The version that was made; nil in a bucket without versions.
    public var versionID: String?
    /// The version of the source that was copied; nil in a bucket without versions.
    public var copySourceVersionID: String?
}

extension TOSClient {
    /// Copies an object of at most 5 GiB by one request; `resumableCopyObject` takes any size.
    ///
    /// - Throws: `TransferError`: `.tooLarge` above 5 GiB, `.preconditionFailed` for a condition that does not hold, and
    ///   so on; `CancellationError` when the surrounding task was cancelled. An answer of 200 that holds an error, or no
    ///   ETag, is an error.
    public func copyObject(_ input: TOSCopyObjectInput) async throws -> TOSCopyObjectOutput {
        let source = try ObjectLocation(
            checkedSourceBucket: input.srcBucket, key: input.srcKey, versionID: input.srcVersionID)
        let target = try ObjectLocation(checkedBucket: input.bucket, key: input.key)
        let options = try input.attributes.options(dialect)
        if input.metadataDirective == .copy, options == ObjectOptions(), source == target {
            throw TransferError.invalidArgument(
                "metadataDirective", "copying an object onto itself changes nothing without an attribute or .replace")
        }
        let answer = try await liveService().copyObject(
            try dialect.copyObject(
                source, to: target, conditions: input.conditions.wire, sourceKey: input.copySourceSSECKey,
                replacesMetadata: input.metadataDirective == .replace, options: options,
                trafficLimit: input.trafficLimit),
            FailureContext(operation: .copyObject, object: target))
        return TOSCopyObjectOutput(
            response: TOSResponseInfo(answer.info), eTag: answer.receipt.etag.rawValue,
            lastModified: answer.lastModified, versionID: answer.receipt.versionID,
            copySourceVersionID: answer.receipt.sourceVersionID)
    }
}
