internal import TransferCore
internal import TransferService

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Lists the multipart uploads of a bucket that are neither completed nor given up. OSS: "ListMultipartUploads".
public struct OSSListMultipartUploadsInput: Sendable, Hashable {
    public var bucket: String
    /// Keys that begin with this; empty for all.
    public var prefix = ""
    /// Keys with the same text up to this one, behind the prefix, are listed together as one common prefix; empty for none.
    public var delimiter = ""
    /// Where the page begins; nil for the first.
    public var marker: OSSUploadsMarker?
    /// Uploads on a page, 1 to 1,000.
    public var maxUploads = 1000

    public init(bucket: String) { self.bucket = bucket }
}

/// Where a page of uploads begins: behind this key, and behind this upload of it.
public struct OSSUploadsMarker: Sendable, Hashable {
    public var key: String
    /// Empty to begin behind all uploads of the key.
    public var uploadID: String

    public init(key: String, uploadID: String = "") {
        self.key = key
        self.uploadID = uploadID
    }
}

/// An upload that is neither completed nor given up.
public struct OSSPendingUpload: Sendable, Hashable {
    public var key: String
    public var uploadID: String
    public var storageClass: OSSStorageClass?
    public var initiated: Date?
}

/// One page of uploads.
public struct OSSListMultipartUploadsOutput: OSSOutput, Hashable {
    public var response: OSSResponseInfo
    public var uploads: [OSSPendingUpload]
    /// What keys with a delimiter begin with.
    public var commonPrefixes: [String]
    /// Where the next page begins; nil when there is none.
    public var nextMarker: OSSUploadsMarker?
}

extension OSSClient {
    /// Lists the multipart uploads of a bucket, one page. Needs a permission on the bucket.
    ///
    /// - Throws: `TransferError`; `CancellationError` when the surrounding task was cancelled.
    public func listMultipartUploads(
        _ input: OSSListMultipartUploadsInput
    ) async throws -> OSSListMultipartUploadsOutput {
        try NameRules.checkBucket(input.bucket, field: "bucket")
        guard (1...1000).contains(input.maxUploads) else {
            throw TransferError.invalidArgument("maxUploads", "\(input.maxUploads) is outside 1…1000")
        }
        let answer = try await liveService().listMultipartUploads(
            .listMultipartUploads(
                in: input.bucket, prefix: input.prefix, delimiter: input.delimiter, marker: input.marker,
                maxUploads: input.maxUploads),
            FailureContext(.listMultipartUploads, ObjectLocation(bucket: input.bucket, key: "")))
        return OSSListMultipartUploadsOutput(
            response: answer.info, uploads: answer.value.uploads, commonPrefixes: answer.value.commonPrefixes,
            nextMarker: answer.value.next)
    }
}
