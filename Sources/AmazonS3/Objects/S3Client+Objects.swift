internal import S3Wire
public import TransferCore
internal import TransferHTTP
public import TransferPrimitives
internal import TransferService

// Whole objects, one request each. Names are checked before it: `.invalidArgument` names the one that cannot be.

extension S3Client {
    /// Stores an object of at most 5 GiB by one request; `uploadFile` takes any size. S3: "PutObject".
    ///
    /// - Parameters:
    ///   - content: The bytes.
    ///   - target: Where to. Its `versionID` is ignored.
    ///   - options: What the object carries; extras are headers by their `x-amz-` names.
    /// - Returns: The object's tag and version. Its `verification` is `.none`, for S3 tells no CRC-64.
    /// - Throws: `TransferError`: before any request `.invalidArgument` naming the field at fault; `.notFound` without such a
    ///   bucket, and so on; `CancellationError` when the surrounding task was cancelled.
    public func putObject(
        _ content: any ByteSource, at target: ObjectLocation, options: ObjectOptions = ObjectOptions()
    ) async throws -> TransferReceipt {
        let target = try ObjectLocation(checkedBucket: target.bucket, key: target.key, dialect.buckets)
        guard content.length <= S3Provider.largestSingleRequest else {
            throw TransferError.invalidArgument("content", "one request stores at most 5 GiB; store more in parts")
        }
        return try await liveService().putObject(
            try dialect.putObject(.source(content), at: target, options: options),
            FailureContext(operation: .putObject, object: target)
        ).value
    }

    /// Asks what an object is. S3: "HeadObject".
    ///
    /// - Parameters:
    ///   - object: Which object, perhaps one version of it.
    ///   - ssecKey: The 32 bytes that the object was encrypted with, if the caller provided them (SSE-C).
    /// - Throws: `TransferError`: `.notFound` and so on; `CancellationError` when the surrounding task was cancelled.
    public func headObject(_ object: ObjectLocation, ssecKey: EncryptionKey? = nil) async throws -> ObjectInfo {
        let object = try ObjectLocation(checked: object, dialect.buckets)
        return try await liveService().headObject(
            try dialect.headObject(object, ssecKey: ssecKey), FailureContext(operation: .headObject, object: object)
        ).value
    }

    /// Reads an object, or a stretch of it, into `sink`, in order from the first byte asked for. When an attempt fails on the
    /// way and is repeated, the sink gets the bytes from there again. S3: "GetObject".
    ///
    /// - Parameters:
    ///   - object: Which object, perhaps one version of it.
    ///   - range: Which bytes; nil for all. An empty range is refused.
    ///   - ifMatch: The tag that the object must have.
    ///   - ssecKey: The 32 bytes that the object was encrypted with, if the caller provided them (SSE-C).
    ///   - sink: Takes the bytes, each stretch with its offset in the object.
    /// - Returns: What the whole object is.
    /// - Throws: `TransferError`: `.notFound`, `.preconditionFailed` when the tag is another one, and so on; what `sink` throws if that is a `TransferError`, else
    ///   `.fileUnwritable` with it underneath. `CancellationError` when the surrounding task was cancelled.
    public func getObject(
        _ object: ObjectLocation, range: ByteRange? = nil, ifMatch: ETag? = nil, ssecKey: EncryptionKey? = nil,
        into sink: some PartSink
    ) async throws -> ObjectInfo {
        let object = try ObjectLocation(checked: object, dialect.buckets)
        return try await liveService().getObject(
            try dialect.getObject(
                object, range: range, conditions: ObjectConditions(ifMatch: ifMatch?.quoted), ssecKey: ssecKey),
            range: range, FailureContext(operation: .getObject, object: object), into: sink
        ).value
    }

    /// Removes an object, or one version of it; succeeds also when there is none. S3: "DeleteObject".
    ///
    /// - Throws: `TransferError`; `CancellationError` when the surrounding task was cancelled.
    public func deleteObject(_ object: ObjectLocation) async throws {
        let object = try ObjectLocation(checked: object, dialect.buckets)
        _ = try await liveService().deleteObject(
            dialect.deleteObject(object), FailureContext(operation: .deleteObject, object: object))
    }

    /// Copies an object of at most 5 GiB by one request; `resumableCopyObject` takes any size. S3: "CopyObject".
    ///
    /// - Parameters:
    ///   - source: What to copy, perhaps one version of it.
    ///   - target: Where to. Its `versionID` is ignored.
    ///   - ifMatch: The tag that the source must have.
    ///   - options: What the copy carries. Where content type, cache headers or metadata are given, all of these replace the
    ///     source's.
    /// - Throws: `TransferError`: `.notFound` without a source, `.preconditionFailed` when its tag is another one, and so on;
    ///   `CancellationError` when the surrounding task was cancelled. An answer of 200 that holds an error, or no ETag, is an
    ///   error.
    public func copyObject(
        _ source: ObjectLocation, to target: ObjectLocation, ifMatch: ETag? = nil,
        options: ObjectOptions = ObjectOptions()
    ) async throws -> TransferReceipt {
        let source = try ObjectLocation(
            checkedSourceBucket: source.bucket, key: source.key, versionID: source.versionID, dialect.buckets)
        let target = try ObjectLocation(checkedBucket: target.bucket, key: target.key, dialect.buckets)
        return try await liveService().copyObject(
            try dialect.copyObject(
                source, to: target, conditions: ObjectConditions(ifMatch: ifMatch?.quoted),
                replacesMetadata: options.attributes.describesContent, options: options),
            FailureContext(operation: .copyObject, object: target)
        ).receipt
    }

    /// Makes a bucket. S3: "CreateBucket".
    ///
    /// - Parameters:
    ///   - bucket: 3 to 63 letters a–z, digits, hyphens and dots; letters or digits at either end and beside each dot.
    ///   - location: Amazon wants the region here for every region but `us-east-1`; other servers mostly want nothing, which is
    ///     the default.
    /// - Throws: `TransferError`: `.conflict` for a bucket that exists, and so on; `CancellationError` when the surrounding task
    ///   was cancelled.
    public func createBucket(_ bucket: String, location: String? = nil) async throws {
        try NameRules.checkBucket(bucket, field: "bucket", dialect.buckets)
        try await liveService().createBucket(
            try dialect.createBucket(bucket, location: location),
            FailureContext(operation: .createBucket, object: ObjectLocation(bucket: bucket, key: "")))
    }
}
