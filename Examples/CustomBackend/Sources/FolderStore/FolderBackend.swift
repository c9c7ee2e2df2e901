import Foundation
public import ObjectTransfer

/// A folder as a place that the engine uploads to: seven steps.
public struct FolderBackend: TransferBackend {
    public let provider = "folder"
    public let capabilities = BackendCapabilities(
        parts: .init(minimumSize: 1, maximumSize: 1 << 40, maximumCount: 10_000, defaultSize: 8 << 20),
        largestPut: 1 << 40, largestCopy: 0, checksums: [.crc64])
    let store: FolderStore

    public init(_ store: FolderStore) { self.store = store }

    public func headObject(_ object: ObjectLocation) async throws -> ObjectInfo {
        try Task.checkCancellation()
        return try await store.object(object).info
    }

    public func putObject(
        _ body: PartBody, at target: ObjectLocation, options: ObjectOptions
    ) async throws -> TransferReceipt {
        try Task.checkCancellation()
        let bytes = try store.store(body, in: target.bucket)
        let record = ObjectRecord(bytes: bytes, modified: Date(), description: Description(options.attributes))
        try await store.put(record, at: target)
        return TransferReceipt(etag: bytes.etag, size: bytes.size, checksums: bytes.checksums, verification: .crc64)
    }

    public func createMultipartUpload(
        at target: ObjectLocation, options: ObjectOptions
    ) async throws -> MultipartUpload {
        try Task.checkCancellation()
        let record = UploadRecord(key: target.key, description: Description(options.attributes))
        let id = try await store.create(record, in: target.bucket)
        return MultipartUpload(id: id, target: target, options: options)
    }

    public func uploadPart(_ number: Int, of upload: MultipartUpload, body: PartBody) async throws -> CompletedPart {
        try Task.checkCancellation()
        let bytes = try store.store(body, in: upload.target.bucket)
        try await store.add(bytes, as: number, to: upload)
        return CompletedPart(number, bytes)
    }

    public func listParts(of upload: MultipartUpload) async throws -> [CompletedPart] {
        try Task.checkCancellation()
        return try await store.parts(of: upload).map { CompletedPart($0.number, $0.bytes) }
    }

    public func completeMultipartUpload(
        _ upload: MultipartUpload, parts: [CompletedPart]
    ) async throws -> TransferReceipt {
        try Task.checkCancellation()
        let bytes = try await store.complete(upload, parts).bytes
        return TransferReceipt(etag: bytes.etag, size: bytes.size, checksums: bytes.checksums, uploadID: upload.id)
    }

    public func abortMultipartUpload(_ upload: MultipartUpload) async throws {
        try Task.checkCancellation()
        try await store.abort(upload)
    }
}

extension CompletedPart {
    fileprivate init(_ number: Int, _ bytes: StoredBytes) {
        self.init(
            number: number, etag: bytes.etag, size: bytes.size, checksums: bytes.checksums, isConfirmed: true)
    }
}
