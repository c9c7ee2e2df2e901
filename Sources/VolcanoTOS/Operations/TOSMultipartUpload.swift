internal import S3Wire
internal import TransferCore
internal import TransferService

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Opening and closing a multipart upload.

/// Opens a multipart upload. TOS: "CreateMultipartUpload".
@dynamicMemberLookup
public struct TOSCreateMultipartUploadInput: Sendable, Hashable {
    /// 3 to 63 letters a–z, digits and hyphens, with no hyphen at either end.
    public var bucket: String
    /// 1 to 1,024 bytes of UTF-8.
    public var key: String
    /// What the object is to carry; its fields are fields of this input, too. Parts bring nothing but bytes, so
    /// everything is said here.
    public var attributes = TOSObjectAttributes()

    /// Everything else is at its default. Values are checked when the operation is called, before the first request.
    public init(bucket: String, key: String) {
        self.bucket = bucket
        self.key = key
    }

    /// The fields of `attributes`, as if they were this input's own.
    public subscript<Value>(dynamicMember path: WritableKeyPath<TOSObjectAttributes, Value>) -> Value {
        get { attributes[keyPath: path] }
        set { attributes[keyPath: path] = newValue }
    }
}

/// The upload that was opened.
public struct TOSCreateMultipartUploadOutput: TOSOutput, Hashable {
    public var response: TOSResponseInfo
    /// The target's bucket.
    public var bucket: String
    /// The target's key.
    public var key: String
    /// Never empty.
    public var uploadID: String
}

/// A part that the service holds.
public struct TOSUploadedPart: Sendable, Hashable {
    /// 1 to 10,000.
    public var partNumber: Int
    /// With or without quotes: both forms are taken everywhere.
    public var eTag: String
    /// Bytes; nil where it is not known.
    public var size: UInt64?
    /// Nil when the service does not tell.
    public var lastModified: Date?

    /// A part by its number and ETag, which are all that completing an upload needs.
    public init(partNumber: Int, eTag: String, size: UInt64? = nil, lastModified: Date? = nil) {
        self.partNumber = partNumber
        self.eTag = eTag
        self.size = size
        self.lastModified = lastModified
    }

    init(_ part: CompletedPart, lastModified: Date? = nil) {
        self.init(
            partNumber: part.number, eTag: part.etag.rawValue, size: part.size, lastModified: lastModified)
    }

    var completed: CompletedPart { CompletedPart(number: partNumber, etag: ETag(eTag), size: size) }
}

/// Makes the object out of its parts. TOS: "CompleteMultipartUpload".
public struct TOSCompleteMultipartUploadInput: Sendable, Hashable {
    /// 3 to 63 letters a–z, digits and hyphens, with no hyphen at either end.
    public var bucket: String
    /// 1 to 1,024 bytes of UTF-8.
    public var key: String
    /// The id of the upload, as the call that opened it returned it.
    public var uploadID: String
    /// In any order; each number once. Empty with `completeAll`.
    public var parts: [TOSUploadedPart]
    /// Whether the object is made of whatever parts TOS holds, in the order of their numbers. False by default. Not known to
    /// the S3-compatible endpoint.
    public var completeAll = false
    /// Refuses to replace an object that exists.
    public var forbidOverwrite = false
    /// What TOS is to call once the object stands: the Base64 of a JSON document (TOS: "CompleteMultipartUpload",
    /// callbacks).
    public var callback: String?
    /// Variables of that call: the Base64 of a JSON document.
    public var callbackVar: String?

    /// Everything else is at its default. Values are checked when the operation is called, before the first request.
    public init(bucket: String, key: String, uploadID: String, parts: [TOSUploadedPart]) {
        self.bucket = bucket
        self.key = key
        self.uploadID = uploadID
        self.parts = parts
    }

    /// An object made of all parts that TOS holds. Not known to the S3-compatible endpoint, where it is `.unsupported`.
    public init(bucket: String, key: String, uploadID: String, completeAll: Bool) {
        self.init(bucket: bucket, key: key, uploadID: uploadID, parts: [])
        self.completeAll = completeAll
    }
}

/// The object that was made.
public struct TOSCompleteMultipartUploadOutput: TOSOutput, Hashable {
    public var response: TOSResponseInfo
    /// The target's bucket.
    public var bucket: String
    /// The target's key.
    public var key: String
    /// In quotes, as the service gives it; no MD5 of the content.
    public var eTag: String
    /// The object's URL as the service writes it; nil when it gives none.
    public var location: String?
    /// The version that was made; nil in a bucket without versions.
    public var versionID: String?
    /// CRC-64/XZ of the object; nil when the service does not tell.
    public var hashCrc64ecma: UInt64?
    /// What the object was made of, where TOS was asked to take all parts; empty otherwise.
    public var completedParts: [TOSUploadedPart]
    /// What the server that was called answered; nil without a callback.
    public var callbackResult: String?
}

/// Gives a multipart upload up. TOS: "AbortMultipartUpload".
public struct TOSAbortMultipartUploadInput: Sendable, Hashable {
    /// 3 to 63 letters a–z, digits and hyphens, with no hyphen at either end.
    public var bucket: String
    /// 1 to 1,024 bytes of UTF-8.
    public var key: String
    /// The id of the upload, as the call that opened it returned it.
    public var uploadID: String

    /// Everything else is at its default. Values are checked when the operation is called, before the first request.
    public init(bucket: String, key: String, uploadID: String) {
        self.bucket = bucket
        self.key = key
        self.uploadID = uploadID
    }
}

/// The upload is gone.
public struct TOSAbortMultipartUploadOutput: TOSOutput, Hashable {
    public var response: TOSResponseInfo
}

extension TOSClient {
    /// Opens a multipart upload.
    ///
    /// - Throws: `TransferError`: before any request `.invalidArgument` naming the field at fault; `.notFound` without such a
    ///   bucket, and so on; `CancellationError` when the surrounding task was cancelled. When the answer was lost,
    ///   the upload may exist all the same; a life-cycle rule of the bucket should remove what is left.
    public func createMultipartUpload(
        _ input: TOSCreateMultipartUploadInput
    ) async throws -> TOSCreateMultipartUploadOutput {
        let target = try ObjectLocation(checkedBucket: input.bucket, key: input.key)
        let answer = try await liveService().createMultipartUpload(
            try dialect.createMultipartUpload(at: target, options: try input.attributes.options(dialect)),
            FailureContext(operation: .createMultipartUpload, object: target))
        return TOSCreateMultipartUploadOutput(
            response: TOSResponseInfo(answer.info), bucket: input.bucket, key: input.key, uploadID: answer.value)
    }

    /// Makes the object out of its parts.
    ///
    /// - Throws: `TransferError`: `.uploadNotFound` when the upload is gone, perhaps because an earlier call succeeded and
    ///   its answer was lost; `.invalidPart` when a part is missing or has another ETag; `.storedCallbackFailed`, with the
    ///   receipt, when the object stands and its callback failed; `.outcomeUnknown` when the answer does not say whether the
    ///   object stands; and so on.
    ///   `CancellationError` when the surrounding task was cancelled.
    public func completeMultipartUpload(
        _ input: TOSCompleteMultipartUploadInput
    ) async throws -> TOSCompleteMultipartUploadOutput {
        let target = try ObjectLocation(checkedBucket: input.bucket, key: input.key)
        var options = ObjectOptions()
        if input.forbidOverwrite { options.extras[dialect.extra(S3Dialect.forbidOverwrite)] = "true" }
        options.setCallback(input.callback, input.callbackVar, dialect)
        let upload = MultipartUpload(id: input.uploadID, target: target, options: options)
        let completion = try await liveService().completeMultipartUpload(
            try completeRequest(input, upload),
            FailureContext(operation: .completeMultipartUpload, object: target, uploadID: input.uploadID),
            hasCallback: dialect.hasCallback(options))
        let receipt = completion.receipt
        return TOSCompleteMultipartUploadOutput(
            response: TOSResponseInfo(completion.info), bucket: input.bucket, key: input.key,
            eTag: receipt.etag.rawValue, location: receipt.location, versionID: receipt.versionID,
            hashCrc64ecma: receipt.checksums.crc64,
            completedParts: (completion.parts ?? []).map { TOSUploadedPart($0) },
            callbackResult: receipt.callbackResult(dialect))
    }

    private func completeRequest(
        _ input: TOSCompleteMultipartUploadInput, _ upload: MultipartUpload
    ) throws(TransferError) -> S3Request {
        guard input.completeAll else {
            return try dialect.completeMultipartUpload(upload, parts: input.parts.map(\.completed))
        }
        guard input.parts.isEmpty else {
            throw .invalidArgument("parts", "a list of parts and completeAll exclude each other")
        }
        return try dialect.completeMultipartUploadOfAll(upload)
    }

    /// Gives a multipart upload and its parts up. Succeeds also when it is already gone. Parts that are on their way may
    /// still arrive afterwards.
    ///
    /// - Throws: `TransferError`; `CancellationError` when the surrounding task was cancelled.
    public func abortMultipartUpload(
        _ input: TOSAbortMultipartUploadInput
    ) async throws -> TOSAbortMultipartUploadOutput {
        let target = try ObjectLocation(checkedBucket: input.bucket, key: input.key)
        let info = try await liveService().abortMultipartUpload(
            try dialect.abortMultipartUpload(MultipartUpload(id: input.uploadID, target: target)),
            FailureContext(operation: .abortMultipartUpload, object: target, uploadID: input.uploadID))
        return TOSAbortMultipartUploadOutput(response: TOSResponseInfo(info))
    }
}
