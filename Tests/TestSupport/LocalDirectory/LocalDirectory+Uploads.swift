import TransferCore
import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension LocalDirectory {
    func create(_ record: StoredUploadRecord, in bucket: String) throws -> String {
        try checkBucket(bucket)
        let id = UUID().uuidString
        try system.createDirectories(path(bucket, .uploads, id))
        try write(record, path(bucket, .uploads, "\(id)/upload"))
        return id
    }

    /// Adds a part whose bytes are there, in place of any with its number.
    func add(_ part: StoredPartRecord, to upload: MultipartUpload) throws {
        let bucket = upload.target.bucket
        do {
            try names.withLock { _ in
                _ = try record(of: upload)
                let path = path(bucket, .uploads, "\(upload.id)/\(part.number)")
                let old = try read(StoredPartRecord.self, path)
                try write(part, path)
                if let old { remove(old.bytes, in: bucket) }
            }
        } catch {
            remove(part.bytes, in: bucket)
            throw error
        }
    }

    func parts(of upload: MultipartUpload) throws -> [StoredPartRecord] {
        try names.withLock { _ in try unlockedParts(of: upload) }
    }

    private func unlockedParts(of upload: MultipartUpload) throws -> [StoredPartRecord] {
        _ = try record(of: upload)
        let folder = path(upload.target.bucket, .uploads, upload.id)
        return try system.list(folder).compactMap { Int($0) }.sorted().compactMap { number in
            try read(StoredPartRecord.self, folder + "/\(number)")
        }
    }

    /// Makes the object. The upload is taken away first, so that of two Completes only one finds it, and comes back when
    /// the object cannot be made.
    func complete(_ upload: MultipartUpload, _ chosen: [CompletedPart]) throws -> StoredObjectRecord {
        let bucket = upload.target.bucket
        let (open, taken) = (path(bucket, .uploads, upload.id), path(bucket, .uploads, upload.id + ".taken"))
        let (record, stored, parts) = try names.withLock {
            _ -> (StoredUploadRecord, [StoredPartRecord], [StoredPartRecord]) in
            let stored = try unlockedParts(of: upload)
            let parts = try Self.choose(chosen, from: stored)
            let record = try self.record(of: upload)
            try system.rename(open, to: taken)
            return (record, stored, parts)
        }
        do {
            let bodies = try parts.map { part in
                let file = try system.open(path(bucket, .bytes, part.bytes.name), .read)
                return PartBody(StoredSource(system: system, file: file, length: part.bytes.size))
            }
            let bytes = try store(bodies, in: bucket)
            let digests = parts.compactMap { Hex.decode($0.bytes.md5) }.joined()
            let object = StoredObjectRecord(
                bytes: bytes, etag: "\(Hex.encode(Digest.md5(Array(digests))))-\(parts.count)", modified: Date(),
                attributes: record.attributes)
            try stand(object, at: upload.target)
            remove(stored, of: taken, in: bucket)
            return object
        } catch {
            try system.rename(taken, to: open)
            throw error
        }
    }

    private static func choose(
        _ chosen: [CompletedPart], from stored: [StoredPartRecord]
    ) throws(TransferError) -> [StoredPartRecord] {
        var parts: [StoredPartRecord] = []
        for part in chosen {
            guard part.number > parts.last?.number ?? 0,
                let found = stored.first(where: { $0.number == part.number }), found.part.etag == part.etag
            else { throw TransferError(.invalidPart, "part \(part.number) is missing or another one") }
            parts.append(found)
        }
        guard !parts.isEmpty else { throw TransferError(.invalidPart, "an object is made of at least one part") }
        return parts
    }

    func abort(_ upload: MultipartUpload) throws {
        try names.withLock { _ in
            do {
                let stored = try unlockedParts(of: upload)
                remove(stored, of: path(upload.target.bucket, .uploads, upload.id), in: upload.target.bucket)
            } catch let error as TransferError where error.code == .uploadNotFound {
                return
            }
        }
    }

    private func record(of upload: MultipartUpload) throws -> StoredUploadRecord {
        try checkBucket(upload.target.bucket)
        let path = path(upload.target.bucket, .uploads, "\(upload.id)/upload")
        guard let record = try read(StoredUploadRecord.self, path),
            record.key.utf8.elementsEqual(upload.target.key.utf8)
        else { throw TransferError(.uploadNotFound, "there is no such upload", uploadID: upload.id) }
        return record
    }

    private func remove(_ parts: [StoredPartRecord], of folder: String, in bucket: String) {
        for part in parts { remove(part.bytes, in: bucket) }
        try? FileManager.default.removeItem(atPath: folder)
    }
}
