internal import TransferCore
internal import TransferService

// Opening and closing a multipart upload.

/// Opens a multipart upload. OSS: "InitiateMultipartUpload".
@dynamicMemberLookup
public struct OSSInitiateMultipartUploadInput: Sendable, Hashable {
    /// 3 to 63 letters a–z, digits and hyphens, with no hyphen at either end.
    public var bucket: String
    /// 1 to 1,023 bytes of UTF-8 that begin with neither `/` nor `\`.
    public var key: String
    /// What the object is to carry; its fields are fields of this input, too. Parts bring nothing but bytes, so
    /// everything is said here, except a callback, which `completeMultipartUpload` asks for.
    public var attributes = OSSObjectAttributes()

    /// Everything else is at its default. Values are checked when the operation is called, before the first request.
    public init(bucket: String, key: String) {
        self.bucket = bucket
        self.key = key
    }

    /// The fields of `attributes`, as if they were this input's own.
    public subscript<Value>(dynamicMember path: WritableKeyPath<OSSObjectAttributes, Value>) -> Value {
        get { attributes[keyPath: path] }
        set { attributes[keyPath: path] = newValue }
    }
}

/// The upload that was opened.
public struct OSSInitiateMultipartUploadOutput: OSSOutput, Hashable {
    public var response: OSSResponseInfo
    /// The target's bucket.
    public var bucket: String
    /// The target's key.
    public var key: String
    /// Never empty.
    public var uploadID: String
}

/// Makes the object out of its parts. OSS: "CompleteMultipartUpload".
public struct OSSCompleteMultipartUploadInput: Sendable, Hashable {
    /// 3 to 63 letters a–z, digits and hyphens, with no hyphen at either end.
    public var bucket: String
    /// 1 to 1,023 bytes of UTF-8 that begin with neither `/` nor `\`.
    public var key: String
    /// The id of the upload, as the call that opened it returned it.
    public var uploadID: String
    /// In any order; each number once.
    public var parts: [OSSUploadedPart]
    /// Refuses to replace an object that exists.
    public var forbidOverwrite = false
    /// A request that OSS makes once the object stands.
    public var callback: OSSCallback?

    /// Everything else is at its default. Values are checked when the operation is called, before the first request.
    public init(bucket: String, key: String, uploadID: String, parts: [OSSUploadedPart]) {
        self.bucket = bucket
        self.key = key
        self.uploadID = uploadID
        self.parts = parts
    }
}

/// The object that was made.
public struct OSSCompleteMultipartUploadOutput: OSSOutput, Hashable {
    public var response: OSSResponseInfo
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
    /// What the callback's server answered; nil without a callback.
    public var callbackResponse: String?
}

/// Gives a multipart upload up. OSS: "AbortMultipartUpload".
public struct OSSAbortMultipartUploadInput: Sendable, Hashable {
    /// 3 to 63 letters a–z, digits and hyphens, with no hyphen at either end.
    public var bucket: String
    /// 1 to 1,023 bytes of UTF-8 that begin with neither `/` nor `\`.
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
public struct OSSAbortMultipartUploadOutput: OSSOutput, Hashable {
    public var response: OSSResponseInfo
}

extension OSSClient {
    /// Opens a multipart upload. It costs storage until it is completed or given up.
    ///
    /// - Throws: `TransferError`; `CancellationError` when the surrounding task was cancelled. When the answer was lost,
    ///   the upload may exist all the same; a life-cycle rule of the bucket should remove what is left.
    public func initiateMultipartUpload(
        _ input: OSSInitiateMultipartUploadInput
    ) async throws -> OSSInitiateMultipartUploadOutput {
        let target = try ObjectLocation(checkedBucket: input.bucket, key: input.key)
        guard input.attributes.callback == nil else {
            throw TransferError.invalidArgument("callback", "is asked for when the upload is completed")
        }
        let answer = try await liveService().initiateMultipartUpload(
            try .initiateMultipartUpload(at: target, options: try input.attributes.options()),
            FailureContext(.initiateMultipartUpload, target))
        return OSSInitiateMultipartUploadOutput(
            response: answer.info, bucket: input.bucket, key: input.key, uploadID: answer.value)
    }

    /// Makes the object out of its parts; `parts` are brought into order.
    ///
    /// - Throws: `TransferError`: `.uploadNotFound` when the upload is gone, perhaps because an earlier call succeeded and
    ///   its answer was lost; `.outcomeUnknown` when the answer does not say whether the object stands;
    ///   `.storedCallbackFailed`; and so on. `CancellationError` when the surrounding task was cancelled.
    public func completeMultipartUpload(
        _ input: OSSCompleteMultipartUploadInput
    ) async throws -> OSSCompleteMultipartUploadOutput {
        let target = try ObjectLocation(checkedBucket: input.bucket, key: input.key)
        var attributes = OSSObjectAttributes()
        attributes.forbidOverwrite = input.forbidOverwrite
        attributes.callback = input.callback
        let upload = MultipartUpload(id: input.uploadID, target: target, options: try attributes.options())
        let receipt = try await liveService().completeMultipartUpload(
            try .completeMultipartUpload(upload, parts: input.parts.map(\.completed)),
            FailureContext(.completeMultipartUpload, of: upload), hasCallback: upload.options.hasCallback)
        return OSSCompleteMultipartUploadOutput(
            response: OSSResponseInfo(receipt), bucket: input.bucket, key: input.key, eTag: receipt.etag.rawValue,
            location: receipt.location, versionID: receipt.versionID, hashCrc64ecma: receipt.checksums.crc64,
            callbackResponse: receipt.callbackResponse)
    }

    /// Gives a multipart upload and its parts up. Succeeds also when it is already gone. Parts that are on their way may
    /// still arrive afterwards.
    ///
    /// - Throws: `TransferError`; `CancellationError` when the surrounding task was cancelled.
    public func abortMultipartUpload(
        _ input: OSSAbortMultipartUploadInput
    ) async throws -> OSSAbortMultipartUploadOutput {
        let target = try ObjectLocation(checkedBucket: input.bucket, key: input.key)
        let upload = MultipartUpload(id: input.uploadID, target: target)
        let info = try await liveService().abortMultipartUpload(
            try .abortMultipartUpload(upload), FailureContext(.abortMultipartUpload, of: upload))
        return OSSAbortMultipartUploadOutput(response: info)
    }
}
