internal import TransferCore
internal import TransferHTTP
public import TransferPrimitives
internal import TransferService

/// Stores an object by one request. OSS: "PutObject".
@dynamicMemberLookup
public struct OSSPutObjectInput: Sendable {
    /// 3 to 63 letters a–z, digits and hyphens, with no hyphen at either end.
    public var bucket: String
    /// 1 to 1,023 bytes of UTF-8 that begin with neither `/` nor `\`.
    public var key: String
    /// The bytes, at most 5 GiB.
    public var content: any ByteSource
    /// What the object is to carry; its fields are fields of this input, too.
    public var attributes = OSSObjectAttributes()
    /// Bits per second, 245,760 to 838,860,800; nil for no limit.
    public var trafficLimit: Int?

    /// Everything else is at its default. Values are checked when the operation is called, before the first request.
    public init(bucket: String, key: String, content: any ByteSource) {
        self.bucket = bucket
        self.key = key
        self.content = content
    }

    /// The fields of `attributes`, as if they were this input's own.
    public subscript<Value>(dynamicMember path: WritableKeyPath<OSSObjectAttributes, Value>) -> Value {
        get { attributes[keyPath: path] }
        set { attributes[keyPath: path] = newValue }
    }
}

/// The object that was stored.
public struct OSSPutObjectOutput: OSSOutput, Hashable {
    public var response: OSSResponseInfo
    /// In quotes, as the service gives it.
    public var eTag: String
    /// The version that was made; nil in a bucket without versions.
    public var versionID: String?
    /// CRC-64/XZ as the service computed it, equal to that of the bytes sent; nil when the service does not tell.
    public var hashCrc64ecma: UInt64?
    /// What the callback's server answered; nil without a callback.
    public var callbackResponse: String?
}

extension OSSClient {
    /// Stores an object by one request. The CRC-64 is computed on the way and compared with the service's.
    ///
    /// - Throws: `TransferError`: `.checksumMismatch`, `.preconditionFailed` when overwriting is forbidden,
    ///   `.storedCallbackFailed` with the receipt of the object that stands, and so on; `CancellationError` when the
    ///   surrounding task was cancelled.
    public func putObject(_ input: OSSPutObjectInput) async throws -> OSSPutObjectOutput {
        let target = try ObjectLocation(checkedBucket: input.bucket, key: input.key)
        guard input.content.length <= OSSProvider.largestPut else {
            throw TransferError.invalidArgument("content", "one request stores at most 5 GiB; store more in parts")
        }
        let options = try input.attributes.options()
        let receipt = try await liveService().putObject(
            try .putObject(
                .source(input.content, computesCRC64: true), at: target, options: options,
                trafficLimit: input.trafficLimit),
            FailureContext(.putObject, target), hasCallback: options.hasCallback)
        return OSSPutObjectOutput(
            response: OSSResponseInfo(receipt), eTag: receipt.etag.rawValue, versionID: receipt.versionID,
            hashCrc64ecma: receipt.checksums.crc64, callbackResponse: receipt.callbackResponse)
    }
}
