package import TransferCore
import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A backend that is no service on a network: objects are files of this machine.
package struct LocalDirectoryBackend: TransferBackend {
    package let provider = "directory"
    package let capabilities = BackendCapabilities(
        parts: .init(minimumSize: 1, maximumSize: 1 << 40, maximumCount: 10_000, defaultSize: 8 << 20),
        largestPut: 1 << 40, largestCopy: 1 << 40, checksums: [.crc64])
    private let directory: LocalDirectory

    package init(_ directory: LocalDirectory) { self.directory = directory }

    package func headObject(_ object: ObjectLocation) async throws -> ObjectInfo {
        try Task.checkCancellation()
        return try directory.record(of: object).info
    }

    package func putObject(
        _ body: PartBody, at target: ObjectLocation, options: ObjectOptions
    ) async throws -> TransferReceipt {
        try Task.checkCancellation()
        try directory.checkBucket(target.bucket)
        let bytes = try directory.store([body], in: target.bucket)
        let record = StoredObjectRecord(
            bytes: bytes, etag: bytes.md5, modified: Date(), attributes: StoredAttributes(options.attributes))
        try directory.stand(record, at: target)
        var receipt = record.receipt
        receipt.verification = .crc64
        return receipt
    }

    package func createMultipartUpload(
        at target: ObjectLocation, options: ObjectOptions
    ) async throws -> MultipartUpload {
        try Task.checkCancellation()
        let record = StoredUploadRecord(key: target.key, attributes: StoredAttributes(options.attributes))
        let id = try directory.create(record, in: target.bucket)
        return MultipartUpload(id: id, target: target, options: options)
    }

    package func uploadPart(_ number: Int, of upload: MultipartUpload, body: PartBody) async throws -> CompletedPart {
        try Task.checkCancellation()
        try directory.checkBucket(upload.target.bucket)
        let part = StoredPartRecord(
            number: number, bytes: try directory.store([body], in: upload.target.bucket))
        try directory.add(part, to: upload)
        return part.part
    }

    package func listParts(of upload: MultipartUpload) async throws -> [CompletedPart] {
        try Task.checkCancellation()
        return try directory.parts(of: upload).map(\.part)
    }

    package func completeMultipartUpload(
        _ upload: MultipartUpload, parts: [CompletedPart]
    ) async throws -> TransferReceipt {
        try Task.checkCancellation()
        var receipt = try directory.complete(upload, parts).receipt
        receipt.uploadID = upload.id
        return receipt
    }

    package func abortMultipartUpload(_ upload: MultipartUpload) async throws {
        try Task.checkCancellation()
        try directory.abort(upload)
    }
}

extension LocalDirectoryBackend: CopyBackend {
    package func copyObject(
        _ source: ObjectLocation, to target: ObjectLocation, ifMatch: ETag?, options: ObjectOptions
    ) async throws -> TransferReceipt {
        let original = try directory.open(source, ifMatch: ifMatch).1
        return try await putObject(PartBody(original), at: target, options: options)
    }

    package func uploadPartCopy(
        _ number: Int, of upload: MultipartUpload, from source: ObjectLocation, range: ByteRange, ifMatch: ETag?
    ) async throws -> CompletedPart {
        let original = try directory.open(source, ifMatch: ifMatch).1
        guard !range.isEmpty, range.end <= original.length else {
            throw TransferError(.refused, "the range is not one of the source", object: source)
        }
        return try await uploadPart(number, of: upload, body: PartBody(original, range: range))
    }
}

extension LocalDirectoryBackend: ReadableBackend {
    package func getObject(
        _ object: ObjectLocation, range: ByteRange?, ifMatch: ETag?, into sink: some PartSink
    ) async throws -> ObjectInfo {
        try Task.checkCancellation()
        let (record, source) = try directory.open(object, ifMatch: ifMatch)
        if let range, range.isEmpty || range.offset >= source.length {
            throw TransferError(.refused, "the range is not one of the object", object: object)
        }
        let end = min(range?.end ?? source.length, source.length)
        var offset = range?.offset ?? 0
        while offset < end {
            try Task.checkCancellation()
            offset += try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
                let wanted = min(buffer.count, Int(clamping: end - offset))
                let count = try source.read(
                    at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]))
                guard count > 0 else { throw TransferError(.lengthMismatch, "the file ends at \(offset)") }
                try sink.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: offset)
                return UInt64(count)
            }
        }
        return record.info
    }
}
