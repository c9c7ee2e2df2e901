internal import TransferCore
internal import TransferHTTP
public import TransferPrimitives
internal import TransferService

/// Stores one part. OSS: "UploadPart".
public struct OSSUploadPartInput: Sendable {
    /// 3 to 63 letters a–z, digits and hyphens, with no hyphen at either end.
    public var bucket: String
    /// 1 to 1,023 bytes of UTF-8 that begin with neither `/` nor `\`.
    public var key: String
    /// The id of the upload, as the call that opened it returned it.
    public var uploadID: String
    /// 1 to 10,000. Storing a number again replaces it.
    public var partNumber: Int
    /// 100 KiB to 5 GiB; the last part may be smaller, or empty. OSS refuses parts that are too small when the upload is
    /// completed.
    public var content: any ByteSource
    /// Bits per second, 245,760 to 838,860,800; nil for no limit.
    public var trafficLimit: Int?

    /// Everything else is at its default. Values are checked when the operation is called, before the first request.
    public init(bucket: String, key: String, uploadID: String, partNumber: Int, content: any ByteSource) {
        self.bucket = bucket
        self.key = key
        self.uploadID = uploadID
        self.partNumber = partNumber
        self.content = content
    }
}

/// The part that was stored.
public struct OSSUploadPartOutput: OSSOutput, Hashable {
    public var response: OSSResponseInfo
    /// 1 to 10,000.
    public var partNumber: Int
    /// In quotes, as the service gives it.
    public var eTag: String
    /// CRC-64/XZ of the bytes sent, equal to the service's where it told one.
    public var hashCrc64ecma: UInt64?
}

extension OSSClient {
    /// Stores one part. The CRC-64 is computed on the way and compared with the service's.
    ///
    /// - Throws: `TransferError`, `.uploadNotFound` and `.checksumMismatch` among them; `CancellationError` when the
    ///   surrounding task was cancelled.
    public func uploadPart(_ input: OSSUploadPartInput) async throws -> OSSUploadPartOutput {
        let upload = try MultipartUpload(checkedBucket: input.bucket, key: input.key, id: input.uploadID)
        guard input.content.length <= OSSProvider.partLimits.maximumSize else {
            throw TransferError.invalidArgument("content", "a part has at most 5 GiB")
        }
        let answer = try await liveService().uploadPart(
            try .uploadPart(
                input.partNumber, of: upload, body: .source(input.content, computesCRC64: true),
                trafficLimit: input.trafficLimit),
            FailureContext(.uploadPart, of: upload, part: input.partNumber))
        return OSSUploadPartOutput(
            response: answer.info, partNumber: answer.value.number, eTag: answer.value.etag.rawValue,
            hashCrc64ecma: answer.value.checksums.crc64)
    }
}

extension MultipartUpload {
    /// The upload that these name; throws `.invalidArgument` naming the one that cannot be.
    init(checkedBucket bucket: String, key: String, id: String) throws(TransferError) {
        let target = try ObjectLocation(checkedBucket: bucket, key: key)
        try NameRules.checkUploadID(id)
        self.init(id: id, target: target)
    }
}
