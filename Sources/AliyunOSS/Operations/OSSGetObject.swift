public import TransferCore
internal import TransferService

/// Reads an object, or a stretch of it. OSS: "GetObject".
public struct OSSGetObjectInput: Sendable, Hashable {
    /// 3 to 63 letters a–z, digits and hyphens, with no hyphen at either end.
    public var bucket: String
    /// 1 to 1,023 bytes of UTF-8 that begin with neither `/` nor `\`.
    public var key: String
    /// Nil for the current version.
    public var versionID: String?
    /// Which bytes; nil for all. An empty range is refused here, and one that the object does not have by the service: it
    /// is asked not to send the whole object instead (`x-oss-range-behavior: standard`).
    public var range: ByteRange?
    /// What must be true of the object, or the request fails with `.preconditionFailed`.
    public var conditions = OSSObjectConditions()
    /// What the answer is to say in place of what is stored.
    public var overrides = OSSResponseOverrides()
    /// Bits per second, 245,760 to 838,860,800; nil for no limit.
    public var trafficLimit: Int?

    /// Everything else is at its default. Values are checked when the operation is called, before the first request.
    public init(bucket: String, key: String, versionID: String? = nil, range: ByteRange? = nil) {
        self.bucket = bucket
        self.key = key
        self.versionID = versionID
        self.range = range
    }
}

/// What was read of which object.
public struct OSSGetObjectOutput: OSSOutput, Hashable {
    public var response: OSSResponseInfo
    /// The whole object, also when a stretch of it was read.
    public var object: OSSHeadObjectOutput
}

extension OSSClient {
    /// Reads an object into `sink`, in order from the first byte asked for. When an attempt fails on the way and is
    /// repeated, the sink gets the bytes from there again.
    ///
    /// Where the whole object was read and the service tells its CRC-64, both are compared.
    ///
    /// - Throws: `TransferError`, among them `.checksumMismatch`, and whatever `sink` throws; `CancellationError` when the
    ///   surrounding task was cancelled.
    public func getObject(_ input: OSSGetObjectInput, into sink: some PartSink) async throws -> OSSGetObjectOutput {
        let object = try ObjectLocation(checkedBucket: input.bucket, key: input.key, versionID: input.versionID)
        let answer = try await liveService().getObject(
            try .getObject(
                object, range: input.range, conditions: input.conditions, overrides: input.overrides,
                trafficLimit: input.trafficLimit),
            range: input.range, FailureContext(.getObject, object), into: sink)
        return OSSGetObjectOutput(
            response: answer.info, object: OSSHeadObjectOutput(answer.value, answer.info))
    }
}
