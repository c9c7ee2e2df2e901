internal import S3Wire
internal import TransferCore
internal import TransferHTTP
public import TransferPrimitives
internal import TransferService

/// Stores an object by one request. TOS: "PutObject".
@dynamicMemberLookup
public struct TOSPutObjectInput: Sendable {
    /// 3 to 63 letters a–z, digits and hyphens, with no hyphen at either end.
    public var bucket: String
    /// 1 to 1,024 bytes of UTF-8.
    public var key: String
    /// The bytes, at most 5 GiB.
    public var content: any ByteSource
    /// What the object is to carry; its fields are fields of this input, too.
    public var attributes = TOSObjectAttributes()
    /// Bits per second, 819,200 to 838,860,800; nil for no limit.
    public var trafficLimit: Int?
    /// What TOS is to call once the object stands: the Base64 of a JSON document (TOS: "PutObject", callbacks).
    public var callback: String?
    /// Variables of that call: the Base64 of a JSON document.
    public var callbackVar: String?

    /// Everything else is at its default. Values are checked when the operation is called, before the first request.
    public init(bucket: String, key: String, content: any ByteSource) {
        self.bucket = bucket
        self.key = key
        self.content = content
    }

    /// The fields of `attributes`, as if they were this input's own.
    public subscript<Value>(dynamicMember path: WritableKeyPath<TOSObjectAttributes, Value>) -> Value {
        get { attributes[keyPath: path] }
        set { attributes[keyPath: path] = newValue }
    }
}

/// The object that was stored.
public struct TOSPutObjectOutput: TOSOutput, Hashable {
    public var response: TOSResponseInfo
    /// In quotes, as the service gives it.
    public var eTag: String
    /// The version that was made; nil in a bucket without versions.
    public var versionID: String?
    /// CRC-64/XZ as the service computed it, equal to that of the bytes sent.
    public var hashCrc64ecma: UInt64?
    /// What the server that was called answered; nil without a callback.
    public var callbackResult: String?
}

extension TOSClient {
    /// Stores an object by one request. The CRC-64 is computed on the way and compared with the service's.
    ///
    /// - Throws: `TransferError`: before any request `.invalidArgument` naming the field at fault; `.checksumMismatch` when
    ///   other bytes arrived than were sent; `.storedCallbackFailed`, with the receipt, when the object stands and its callback
    ///   failed; and so on. `CancellationError` when the surrounding task was cancelled.
    public func putObject(_ input: TOSPutObjectInput) async throws -> TOSPutObjectOutput {
        let target = try ObjectLocation(checkedBucket: input.bucket, key: input.key)
        guard input.content.length <= TOSProvider.largestSingleRequest else {
            throw TransferError.invalidArgument("content", "one request stores at most 5 GiB; store more in parts")
        }
        var options = try input.attributes.options(dialect)
        options.setCallback(input.callback, input.callbackVar, dialect)
        let answer = try await liveService().putObject(
            try dialect.putObject(
                .source(input.content, computesCRC64: true), at: target, options: options,
                trafficLimit: input.trafficLimit), FailureContext(operation: .putObject, object: target),
            hasCallback: dialect.hasCallback(options))
        return TOSPutObjectOutput(
            response: TOSResponseInfo(answer.info), eTag: answer.value.etag.rawValue,
            versionID: answer.value.versionID, hashCrc64ecma: answer.value.checksums.crc64,
            callbackResult: answer.value.callbackResult(dialect))
    }
}
