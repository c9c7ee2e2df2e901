import ObjectTransfer

/// A server on which something happens before the second part of a copy: then, and not about then.
struct ChangingSource: CopyBackend {
    let backend: S3Backend
    let beforeSecondPart: @Sendable () async throws -> Void

    var provider: String { backend.provider }
    var capabilities: BackendCapabilities { backend.capabilities }

    func headObject(_ object: ObjectLocation) async throws -> ObjectInfo { try await backend.headObject(object) }

    func putObject(_ body: PartBody, at target: ObjectLocation, options: ObjectOptions) async throws -> TransferReceipt
    {
        try await backend.putObject(body, at: target, options: options)
    }

    func createMultipartUpload(at target: ObjectLocation, options: ObjectOptions) async throws -> MultipartUpload {
        try await backend.createMultipartUpload(at: target, options: options)
    }

    func uploadPart(_ number: Int, of upload: MultipartUpload, body: PartBody) async throws -> CompletedPart {
        try await backend.uploadPart(number, of: upload, body: body)
    }

    func listParts(of upload: MultipartUpload) async throws -> [CompletedPart] {
        try await backend.listParts(of: upload)
    }

    func completeMultipartUpload(_ upload: MultipartUpload, parts: [CompletedPart]) async throws -> TransferReceipt {
        try await backend.completeMultipartUpload(upload, parts: parts)
    }

    func abortMultipartUpload(_ upload: MultipartUpload) async throws {
        try await backend.abortMultipartUpload(upload)
    }

    func headCopySource(_ source: ObjectLocation) async throws -> ObjectInfo {
        try await backend.headCopySource(source)
    }

    func copyObject(
        _ source: ObjectLocation, to target: ObjectLocation, ifMatch: ETag?, options: ObjectOptions
    ) async throws -> TransferReceipt {
        try await backend.copyObject(source, to: target, ifMatch: ifMatch, options: options)
    }

    func uploadPartCopy(
        _ number: Int, of upload: MultipartUpload, from source: ObjectLocation, range: ByteRange, ifMatch: ETag?
    ) async throws -> CompletedPart {
        if number == 2 { try await beforeSecondPart() }
        return try await backend.uploadPartCopy(number, of: upload, from: source, range: range, ifMatch: ifMatch)
    }
}
