internal import S3Wire
internal import TransferCore
internal import TransferService

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Lists the multipart uploads of a bucket that are neither completed nor given up. TOS: "ListMultipartUploads".
public struct TOSListMultipartUploadsInput: Sendable, Hashable {
    /// 3 to 63 letters a–z, digits and hyphens, with no hyphen at either end.
    public var bucket: String
    /// Keys that begin with this; empty for all.
    public var prefix = ""
    /// Keys with the same text up to this one, behind the prefix, are listed together as one common prefix; empty for none.
    public var delimiter = ""
    /// The page begins behind this key; empty for the first page.
    public var keyMarker = ""
    /// The page begins behind this upload of that key; empty to begin behind all of them.
    public var uploadIDMarker = ""
    /// Uploads on a page, 1 to 1,000.
    public var maxUploads = 1000

    /// Everything else is at its default. Values are checked when the operation is called, before the first request.
    public init(bucket: String) { self.bucket = bucket }
}

/// An upload that is neither completed nor given up.
public struct TOSListedUpload: Sendable, Hashable {
    /// The object that the upload is to make.
    public var key: String
    /// The id of the upload, as the call that opened it returned it.
    public var uploadID: String
    /// The class that the object will have; nil when the service names none.
    public var storageClass: TOSStorageClass?
    /// When the upload was opened; nil when the service does not tell.
    public var initiated: Date?
}

/// One page of uploads.
public struct TOSListMultipartUploadsOutput: TOSOutput, Hashable {
    public var response: TOSResponseInfo
    /// In the order of their keys.
    public var uploads: [TOSListedUpload]
    /// What keys with a delimiter begin with.
    public var commonPrefixes: [String]
    /// Whether there are more.
    public var isTruncated: Bool
    /// The key marker of the next page; empty when there is none, or TOS does not tell.
    public var nextKeyMarker: String
    /// The upload marker of the next page; empty when there is none.
    public var nextUploadIDMarker: String
}

extension TOSClient {
    /// Lists the multipart uploads of a bucket, one page; `listMultipartUploadsPages(_:)` fetches all. Needs a permission on
    /// the bucket.
    ///
    /// - Throws: `TransferError`: before any request `.invalidArgument` naming the field at fault; `.notFound` without such a
    ///   bucket, `.accessDenied`, and so on; `CancellationError` when the surrounding task was cancelled.
    public func listMultipartUploads(
        _ input: TOSListMultipartUploadsInput
    ) async throws -> TOSListMultipartUploadsOutput {
        try NameRules.checkBucket(input.bucket, field: "bucket")
        guard (1...1000).contains(input.maxUploads) else {
            throw TransferError.invalidArgument("maxUploads", "\(input.maxUploads) is outside 1…1000")
        }
        guard !input.keyMarker.isEmpty || input.uploadIDMarker.isEmpty else {
            throw TransferError.invalidArgument("uploadIDMarker", "it counts only together with a key marker")
        }
        let marker =
            input.keyMarker.isEmpty ? nil : UploadsMarker(key: input.keyMarker, uploadID: input.uploadIDMarker)
        let answer = try await liveService().listMultipartUploads(
            dialect.listMultipartUploads(
                in: input.bucket, prefix: input.prefix, delimiter: input.delimiter, marker: marker,
                maxUploads: input.maxUploads),
            FailureContext(operation: .listMultipartUploads, object: ObjectLocation(bucket: input.bucket, key: "")))
        let page = answer.value
        return TOSListMultipartUploadsOutput(
            response: TOSResponseInfo(answer.info),
            uploads: page.uploads.map { upload in
                TOSListedUpload(
                    key: upload.key, uploadID: upload.uploadID,
                    storageClass: upload.storageClass.map(TOSStorageClass.init(rawValue:)),
                    initiated: upload.initiated)
            },
            commonPrefixes: page.commonPrefixes, isTruncated: page.isTruncated, nextKeyMarker: page.next?.key ?? "",
            nextUploadIDMarker: page.next?.uploadID ?? "")
    }
}
