internal import TransferCore
internal import TransferService

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Lists the multipart uploads of a bucket that are neither completed nor given up. OSS: "ListMultipartUploads".
public struct OSSListMultipartUploadsInput: Sendable, Hashable {
    /// 3 to 63 letters a–z, digits and hyphens, with no hyphen at either end.
    public var bucket: String
    /// Keys that begin with this; empty for all.
    public var prefix = ""
    /// Keys with the same text up to this one, behind the prefix, are listed together as one common prefix; empty for none.
    public var delimiter = ""
    /// Where the page begins; nil for the first.
    public var marker: OSSUploadsMarker?
    /// Uploads on a page, 1 to 1,000.
    public var maxUploads = 1000

    /// Everything else is at its default. Values are checked when the operation is called, before the first request.
    public init(bucket: String) { self.bucket = bucket }
}

/// Where a page of uploads begins: behind this key, and behind this upload of it.
public struct OSSUploadsMarker: Sendable, Hashable {
    /// The page begins behind this key.
    public var key: String
    /// Empty to begin behind all uploads of the key.
    public var uploadID: String

    /// A page that begins behind this key or, with an upload id, behind that upload of it.
    public init(key: String, uploadID: String = "") {
        self.key = key
        self.uploadID = uploadID
    }
}

/// An upload that is neither completed nor given up.
public struct OSSPendingUpload: Sendable, Hashable {
    /// The object that the upload is to make.
    public var key: String
    /// The id of the upload, as the call that opened it returned it.
    public var uploadID: String
    /// The class that the object will have; nil when the service names none.
    public var storageClass: OSSStorageClass?
    /// When the upload was opened; nil when the service does not tell.
    public var initiated: Date?
}

/// One page of uploads.
public struct OSSListMultipartUploadsOutput: OSSOutput, Hashable {
    public var response: OSSResponseInfo
    /// In the order of their keys.
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
