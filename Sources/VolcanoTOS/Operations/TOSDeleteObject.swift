internal import TransferCore
internal import TransferHTTP
internal import TransferService

/// Removes an object, or one version of it. TOS: "DeleteObject".
public struct TOSDeleteObjectInput: Sendable, Hashable {
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
public struct TOSDeleteObjectOutput: TOSOutput, Hashable {
    public var response: TOSResponseInfo
    public var deleteMarker: Bool
    public var versionID: String?
}

extension TOSClient {
    /// Removes an object; succeeds also when there is none.
    ///
    /// - Throws: `TransferError`; `CancellationError` when the surrounding task was cancelled.
    public func deleteObject(_ input: TOSDeleteObjectInput) async throws -> TOSDeleteObjectOutput {
        let object = try ObjectLocation(checkedBucket: input.bucket, key: input.key, versionID: input.versionID)
        let answer = try await liveService().deleteObject(
            .deleteObject(object), FailureContext(operation: .deleteObject, object: object))
        return TOSDeleteObjectOutput(
            response: answer.info, deleteMarker: answer.value[TOSHeader.deleteMarker] == "true",
            versionID: answer.value[TOSHeader.versionID])
    }
}
