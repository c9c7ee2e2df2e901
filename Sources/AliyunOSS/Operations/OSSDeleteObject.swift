internal import TransferCore
internal import TransferHTTP
internal import TransferService

/// Removes an object, or one version of it. OSS: "DeleteObject".
public struct OSSDeleteObjectInput: Sendable, Hashable {
    public var bucket: String
    public var key: String
    /// Nil for the current version, which a versioned bucket hides behind a delete marker.
    public var versionID: String?

    public init(bucket: String, key: String, versionID: String? = nil) {
        self.bucket = bucket
        self.key = key
        self.versionID = versionID
    }
}

/// What was removed.
public struct OSSDeleteObjectOutput: OSSOutput, Hashable {
    public var response: OSSResponseInfo
    public var deleteMarker: Bool
    public var versionID: String?
}

extension OSSClient {
    /// Removes an object; succeeds also when there is none.
    ///
    /// - Throws: `TransferError`; `CancellationError` when the surrounding task was cancelled.
    public func deleteObject(_ input: OSSDeleteObjectInput) async throws -> OSSDeleteObjectOutput {
        let object = try ObjectLocation(checkedBucket: input.bucket, key: input.key, versionID: input.versionID)
        let answer = try await liveService().deleteObject(
            .deleteObject(object), FailureContext(.deleteObject, object))
        return OSSDeleteObjectOutput(
            response: answer.info, deleteMarker: answer.value[OSSHeader.deleteMarker] == "true",
            versionID: answer.value.text(OSSHeader.versionID))
    }
}
