internal import TransferCore
internal import TransferService

/// Lists the parts of an upload. OSS: "ListParts".
public struct OSSListPartsInput: Sendable, Hashable {
    /// 3 to 63 letters a–z, digits and hyphens, with no hyphen at either end.
    public var bucket: String
    /// 1 to 1,023 bytes of UTF-8 that begin with neither `/` nor `\`.
    public var key: String
    /// The id of the upload, as the call that opened it returned it.
    public var uploadID: String
    /// Parts with higher numbers are listed; 0 for all.
    public var partNumberMarker = 0
    /// Parts on a page, 1 to 1,000.
    public var maxParts = 1000

    /// Everything else is at its default. Values are checked when the operation is called, before the first request.
    public init(bucket: String, key: String, uploadID: String) {
        self.bucket = bucket
        self.key = key
        self.uploadID = uploadID
    }
}

/// One page of parts.
public struct OSSListPartsOutput: OSSOutput, Hashable {
    public var response: OSSResponseInfo
    /// Ascending by number.
    public var parts: [OSSUploadedPart]
    /// Whether there are more.
    public var isTruncated: Bool
    /// The marker of the next page.
    public var nextPartNumberMarker: Int
}

extension OSSClient {
    /// Lists the parts that an upload has, one page.
    ///
    /// - Throws: `TransferError`, `.uploadNotFound` among them; `CancellationError` when the surrounding task was
    ///   cancelled.
    public func listParts(_ input: OSSListPartsInput) async throws -> OSSListPartsOutput {
        let upload = try MultipartUpload(checkedBucket: input.bucket, key: input.key, id: input.uploadID)
        guard input.partNumberMarker >= 0 else {
            throw TransferError.invalidArgument("partNumberMarker", "\(input.partNumberMarker) is negative")
        }
        guard (1...1000).contains(input.maxParts) else {
            throw TransferError.invalidArgument("maxParts", "\(input.maxParts) is outside 1…1000")
        }
        let answer = try await liveService().listParts(
            try .listParts(of: upload, marker: input.partNumberMarker, maxParts: input.maxParts),
            FailureContext(.listParts, of: upload))
        return OSSListPartsOutput(
            response: answer.info, parts: answer.value.parts, isTruncated: answer.value.isTruncated,
            nextPartNumberMarker: answer.value.nextMarker)
    }

    /// Lists all parts that an upload has, a request for every 1,000 of them.
    ///
    /// - Throws: As `listParts(_:)`.
    public func listAllParts(bucket: String, key: String, uploadID: String) async throws -> [OSSUploadedPart] {
        let upload = try MultipartUpload(checkedBucket: bucket, key: key, id: uploadID)
        return try await liveService().listAllParts(of: upload, FailureContext(.listParts, of: upload))
    }
}
