internal import S3Wire
internal import TransferCore
internal import TransferHTTP
internal import TransferService

/// Removes an object, or one version of it. TOS: "DeleteObject".
public struct TOSDeleteObjectInput: Sendable, Hashable {
    /// 3 to 63 letters a–z, digits and hyphens, with no hyphen at either end.
    public var bucket: String
    /// 1 to 1,024 bytes of UTF-8.
    public var key: String
    /// Nil for the current version, which a versioned bucket hides behind a delete marker.
    public var versionID: String?

    /// Everything else is at its default. Values are checked when the operation is called, before the first request.
    public init(bucket: String, key: String, versionID: String? = nil) {
        self.bucket = bucket
        self.key = key
        self.versionID = versionID
    }
}

/// What was removed.
public struct TOSDeleteObjectOutput: TOSOutput, Hashable {
    public var response: TOSResponseInfo
    /// Whether a delete marker was made, or removed; only in a bucket with versions.
    public var deleteMarker: Bool
    /// The version that was removed, or the delete marker that was made; nil in a bucket without versions.
    public var versionID: String?
}

extension TOSClient {
    /// Removes an object; succeeds also when there is none.
    ///
    /// - Throws: `TransferError`; `CancellationError` when the surrounding task was cancelled.
    public func deleteObject(_ input: TOSDeleteObjectInput) async throws -> TOSDeleteObjectOutput {
        let object = try ObjectLocation(checkedBucket: input.bucket, key: input.key, versionID: input.versionID)
        let answer = try await liveService().deleteObject(
            dialect.deleteObject(object), FailureContext(operation: .deleteObject, object: object))
        return TOSDeleteObjectOutput(
            response: TOSResponseInfo(answer.info),
            deleteMarker: answer.value[dialect.headers.deleteMarker] == "true",
            versionID: answer.value[dialect.headers.versionID])
    }
}
