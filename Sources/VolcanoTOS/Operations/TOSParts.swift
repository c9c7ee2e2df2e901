internal import S3Wire
public import TransferCore
internal import TransferHTTP
public import TransferPrimitives
internal import TransferService

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// The parts of a multipart upload.

/// Stores one part. TOS: "UploadPart".
public struct TOSUploadPartInput: Sendable {
    /// 3 to 63 letters a–z, digits and hyphens, with no hyphen at either end.
    public var bucket: String
    /// 1 to 1,024 bytes of UTF-8.
    public var key: String
    /// The id of the upload, as the call that opened it returned it.
    public var uploadID: String
    /// 1 to 10,000. Storing a number again replaces it.
    public var partNumber: Int
    /// 5 MiB to 5 GiB; the last part may be smaller, or empty.
    public var content: any ByteSource
    /// The key that the upload was opened with (SSE-C).
    public var ssecKey: EncryptionKey?
    /// Bits per second, 819,200 to 838,860,800; nil for no limit.
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
public struct TOSUploadPartOutput: TOSOutput, Hashable {
    public var response: TOSResponseInfo
    /// 1 to 10,000.
    public var partNumber: Int
    /// In quotes, as the service gives it.
    public var eTag: String
    /// CRC-64/XZ of the bytes sent, equal to the service's where it told one.
    public var hashCrc64ecma: UInt64?
}

/// Stores a stretch of an object as a part, without downloading it. TOS: "UploadPartCopy".
@dynamicMemberLookup
public struct TOSUploadPartCopyInput: Sendable, Hashable {
    /// 3 to 63 letters a–z, digits and hyphens, with no hyphen at either end.
    public var bucket: String
    /// 1 to 1,024 bytes of UTF-8.
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
    /// The first byte, where all from there to the end of the source are meant; in place of `copySourceRange`. Above 0 it
    /// costs a HeadObject: TOS documents no range without an end.
    public var copySourceRangeStart: UInt64?
    /// What must be true of the source.
    public var conditions = TOSCopySourceConditions()
    /// The 32 bytes that the source was encrypted with, if the caller provided them (SSE-C).
    public var copySourceSSECKey: EncryptionKey?
    /// The key that the upload was opened with (SSE-C).
    public var ssecKey: EncryptionKey?
    /// Bits per second, 819,200 to 838,860,800; nil for no limit.
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
    public subscript<Value>(dynamicMember path: WritableKeyPath<TOSCopySourceConditions, Value>) -> Value {
        get { conditions[keyPath: path] }
        set { conditions[keyPath: path] = newValue }
    }
}

/// The part that was stored.
public struct TOSUploadPartCopyOutput: TOSOutput, Hashable {
    public var response: TOSResponseInfo
    /// 1 to 10,000.
    public var partNumber: Int
    /// In quotes, as the service gives it.
    public var eTag: String
    /// Nil when the service does not tell.
    public var lastModified: Date?
    /// The version of the source that was copied; nil in a bucket without versions.
    public var copySourceVersionID: String?
}

/// Lists parts, a page at a time. TOS: "ListParts".
public struct TOSListPartsInput: Sendable, Hashable {
    /// 3 to 63 letters a–z, digits and hyphens, with no hyphen at either end.
    public var bucket: String
    /// 1 to 1,024 bytes of UTF-8.
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
public struct TOSListPartsOutput: TOSOutput, Hashable {
    public var response: TOSResponseInfo
    /// Ascending by number.
    public var parts: [TOSUploadedPart]
    /// Whether there are more.
    public var isTruncated: Bool
    /// The marker of the next page.
    public var nextPartNumberMarker: Int
}

extension TOSClient {
    /// Stores one part. The CRC-64 is computed on the way and compared with the service's, where it tells one.
    ///
    /// - Throws: `TransferError`: before any request `.invalidArgument` naming the field at fault; `.uploadNotFound` when the
    ///   upload is gone, `.checksumMismatch` when other bytes arrived than were sent, and so on; `CancellationError` when the
    ///   surrounding task was cancelled.
    public func uploadPart(_ input: TOSUploadPartInput) async throws -> TOSUploadPartOutput {
        let upload = try upload(input.bucket, input.key, input.uploadID, ssecKey: input.ssecKey)
        guard input.content.length <= TOSProvider.partLimits.maximumSize else {
            throw TransferError.invalidArgument("content", "a part has at most 5 GiB")
        }
        let answer = try await liveService().uploadPart(
            input.partNumber,
            try dialect.uploadPart(
                input.partNumber, of: upload, body: .source(input.content, computesCRC64: true),
                trafficLimit: input.trafficLimit),
            FailureContext(
                operation: .uploadPart, object: upload.target, part: input.partNumber, uploadID: input.uploadID))
        return TOSUploadPartOutput(
            response: TOSResponseInfo(answer.info), partNumber: answer.value.number, eTag: answer.value.etag.rawValue,
            hashCrc64ecma: answer.value.checksums.crc64)
    }

    /// Stores a stretch of an object as a part. TOS copies inside one region only.
    ///
    /// - Throws: `TransferError`: before any request `.invalidArgument` naming the field at fault; `.uploadNotFound` when the
    ///   upload is gone, `.notFound` without a source, `.preconditionFailed` for a condition that does not hold, and so on;
    ///   `CancellationError` when the surrounding task was cancelled. An answer of 200 that holds an error, or no ETag, is an
    ///   error.
    public func uploadPartCopy(_ input: TOSUploadPartCopyInput) async throws -> TOSUploadPartCopyOutput {
        let source = try ObjectLocation(
            checkedSourceBucket: input.srcBucket, key: input.srcKey, versionID: input.srcVersionID)
        let upload = try upload(input.bucket, input.key, input.uploadID, ssecKey: input.ssecKey)
        let service = try liveService()
        // Refuses what cannot be sent before the source is looked at.
        let request = { [dialect] (range, conditions) throws(TransferError) in
            try dialect.uploadPartCopy(
                input.partNumber, of: upload, from: source, range: range, conditions: conditions,
                sourceKey: input.copySourceSSECKey, trafficLimit: input.trafficLimit)
        }
        var whole = try request(input.copySourceRange, input.conditions.wire)
        if let start = input.copySourceRangeStart {
            guard input.copySourceRange == nil else {
                throw TransferError.invalidArgument(
                    "copySourceRangeStart", "a range and a start alone exclude each other")
            }
            if start > 0 {
                let (range, conditions) = try await rest(of: source, from: start, input, service)
                whole = try request(range, conditions)
            }
        }
        let answer = try await service.uploadPartCopy(
            whole,
            FailureContext(
                operation: .uploadPartCopy, object: upload.target, part: input.partNumber, uploadID: input.uploadID))
        return TOSUploadPartCopyOutput(
            response: TOSResponseInfo(answer.info), partNumber: input.partNumber, eTag: answer.receipt.etag.rawValue,
            lastModified: answer.lastModified, copySourceVersionID: answer.receipt.sourceVersionID)
    }

    /// What is left of the source behind `start`, and the condition that it still is the object that was looked at.
    private func rest(
        of source: ObjectLocation, from start: UInt64, _ input: TOSUploadPartCopyInput, _ service: S3Service
    ) async throws -> (ByteRange, ObjectConditions) {
        var conditions = input.conditions.wire
        let info = try await service.headObject(
            try dialect.headObject(source, conditions: conditions, ssecKey: input.copySourceSSECKey),
            FailureContext(operation: .headObject, object: source)
        ).value
        guard start < info.size else {
            throw TransferError.invalidArgument(
                "copySourceRangeStart", "\(start) is not within the source, which has \(info.size) bytes")
        }
        conditions.ifMatch = info.etag?.quoted ?? conditions.ifMatch
        return (ByteRange(offset: start, length: info.size - start), conditions)
    }

    /// Lists the parts that an upload has, one page; `listPartsPages(_:)` fetches all.
    ///
    /// - Throws: `TransferError`: before any request `.invalidArgument` naming the field at fault; `.uploadNotFound` when the
    ///   upload is gone, and so on; `CancellationError` when the surrounding task was cancelled.
    public func listParts(_ input: TOSListPartsInput) async throws -> TOSListPartsOutput {
        let upload = try upload(input.bucket, input.key, input.uploadID)
        guard input.partNumberMarker >= 0 else {
            throw TransferError.invalidArgument("partNumberMarker", "\(input.partNumberMarker) is negative")
        }
        guard (1...1000).contains(input.maxParts) else {
            throw TransferError.invalidArgument("maxParts", "\(input.maxParts) is outside 1…1000")
        }
        let answer = try await liveService().listParts(
            try dialect.listParts(of: upload, marker: input.partNumberMarker, maxParts: input.maxParts),
            FailureContext(operation: .listParts, object: upload.target, uploadID: input.uploadID))
        return TOSListPartsOutput(
            response: TOSResponseInfo(answer.info),
            parts: answer.value.parts.map { TOSUploadedPart($0.part, lastModified: $0.lastModified) },
            isTruncated: answer.value.isTruncated,
            nextPartNumberMarker: answer.value.nextMarker)
    }

    private func upload(
        _ bucket: String, _ key: String, _ id: String, ssecKey: EncryptionKey? = nil
    ) throws(TransferError) -> MultipartUpload {
        let target = try ObjectLocation(checkedBucket: bucket, key: key)
        try NameRules.checkUploadID(id)
        var options = ObjectOptions()
        if let ssecKey { options.attributes.encryption = .customerKey(ssecKey) }
        return MultipartUpload(id: id, target: target, options: options)
    }
}
