internal import S3Wire
public import TransferCore
internal import TransferService

/// Reads an object, or a stretch of it. TOS: "GetObject".
public struct TOSGetObjectInput: Sendable, Hashable {
    /// 3 to 63 letters a–z, digits and hyphens, with no hyphen at either end.
    public var bucket: String
    /// 1 to 1,024 bytes of UTF-8.
    public var key: String
    /// Nil for the current version.
    public var versionID: String?
    /// Which bytes; nil for all. An empty range is refused.
    public var range: ByteRange?
    /// What must be true of the object, or the request fails with `.preconditionFailed`.
    public var conditions = TOSObjectConditions()
    /// The 32 bytes that the object was encrypted with, if the caller provided them (SSE-C).
    public var ssecKey: EncryptionKey?
    /// Bits per second, 819,200 to 838,860,800; nil for no limit.
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
public struct TOSGetObjectOutput: TOSOutput, Hashable {
    public var response: TOSResponseInfo
    /// The whole object, also when a stretch of it was read.
    public var object: ObjectInfo
}

extension TOSClient {
    /// Reads an object into `sink`, in order from the first byte asked for. When an attempt fails on the way and is
    /// repeated, the sink gets the bytes from there again.
    ///
    /// Where the whole object was read and the service tells its CRC-64, both are compared.
    ///
    /// - Parameters:
    ///   - input: Which object, and which of its bytes.
    ///   - sink: Takes the bytes, each stretch with its offset in the object.
    /// - Throws: `TransferError`: `.notFound`, `.preconditionFailed` for a condition that does not hold, `.checksumMismatch`; what `sink` throws if that is a `TransferError`, else
    ///   `.fileUnwritable` with it underneath; and so on. `CancellationError` when the surrounding task was cancelled.
    public func getObject(_ input: TOSGetObjectInput, into sink: some PartSink) async throws -> TOSGetObjectOutput {
        let object = try ObjectLocation(checkedBucket: input.bucket, key: input.key, versionID: input.versionID)
        let answer = try await liveService().getObject(
            try dialect.getObject(
                object, range: input.range, conditions: input.conditions.wire, ssecKey: input.ssecKey,
                trafficLimit: input.trafficLimit),
            range: input.range, FailureContext(operation: .getObject, object: object), into: sink)
        return TOSGetObjectOutput(response: TOSResponseInfo(answer.info), object: answer.value)
    }
}
