import Foundation
public import ObjectTransfer

/// A folder whose folders are buckets.
///
/// In a bucket, `bytes` has files that never change, `objects` a record for each key, and `uploads` a folder for each open
/// upload with a record for each part. A record is written in one piece: that is what makes an object stand, or replaces it.
public actor FolderStore {
    private let root: URL

    /// - Parameter buckets: Created where they are missing.
    public init(_ path: String, buckets: [String]) throws {
        root = URL(fileURLWithPath: path, isDirectory: true)
        for bucket in buckets {
            for folder in ["bytes", "objects", "uploads"] {
                try FileManager.default.createDirectory(
                    at: root.appendingPathComponent("\(bucket)/\(folder)"), withIntermediateDirectories: true)
            }
        }
    }

    private nonisolated func bucket(_ name: String) throws -> URL {
        let folder = root.appendingPathComponent(name, isDirectory: true)
        guard FileManager.default.fileExists(atPath: folder.path) else {
            throw TransferError(.notFound, "there is no bucket '\(name)'")
        }
        return folder
    }

    /// Keys are any text, and file names are not: each byte becomes two digits.
    private func recordURL(_ object: ObjectLocation) throws -> URL {
        let name = object.key.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        guard name.utf8.count <= 250 else { throw TransferError.invalidArgument("key", "a key has at most 125 bytes") }
        return try bucket(object.bucket).appendingPathComponent("objects/\(name)")
    }

    private func bytesURL(_ bytes: StoredBytes, in bucket: String) throws -> URL {
        try self.bucket(bucket).appendingPathComponent("bytes/\(bytes.name)")
    }

    private func read<Record: Decodable>(_ type: Record.Type, _ url: URL) throws -> Record? {
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        return try JSONDecoder().decode(type, from: Data(contentsOf: url))
    }

    private func write(_ record: some Encodable, _ url: URL) throws {
        try JSONEncoder().encode(record).write(to: url, options: .atomic)
    }

    // MARK: Bytes

    /// Writes the bytes of a body, a buffer at a time, and looks between two buffers whether they are still wanted. Not on the
    /// actor: several are written at once.
    nonisolated func store(_ body: PartBody, in bucket: String) throws -> StoredBytes {
        let name = UUID().uuidString
        let url = try self.bucket(bucket).appendingPathComponent("bytes/\(name)")
        do {
            try Data().write(to: url)
            let file = try FileHandle(forWritingTo: url)
            defer { try? file.close() }
            var buffer = [UInt8](repeating: 0, count: 1 << 18)
            var crc = CRC64()
            var offset: UInt64 = 0
            while offset < body.length {
                try Task.checkCancellation()
                let count = try buffer.withUnsafeMutableBytes { try body.read(at: offset, into: $0) }
                guard count > 0 else { throw TransferError(.lengthMismatch, "the source ended at \(offset)") }
                try file.write(contentsOf: buffer[..<count])
                buffer.withUnsafeBytes { crc.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
                offset += UInt64(count)
            }
            return StoredBytes(name: name, size: offset, crc64: crc.value)
        } catch {
            try? FileManager.default.removeItem(at: url)
            throw error
        }
    }

    private func remove(_ bytes: StoredBytes, in bucket: String) throws {
        try FileManager.default.removeItem(at: try bytesURL(bytes, in: bucket))
    }

    // MARK: Objects

    func object(_ location: ObjectLocation) throws -> ObjectRecord {
        guard let record = try read(ObjectRecord.self, recordURL(location)) else {
            throw TransferError(.notFound, "there is no such object", object: location)
        }
        return record
    }

    /// An object and its bytes, which can be read to the end even when the object is overwritten meanwhile.
    func open(_ location: ObjectLocation, ifMatch: ETag?) throws -> (ObjectRecord, FileHandle) {
        let record = try object(location)
        if let ifMatch, ifMatch != record.bytes.etag {
            throw TransferError(.sourceChanged, "the object has another tag", object: location)
        }
        return (record, try FileHandle(forReadingFrom: bytesURL(record.bytes, in: location.bucket)))
    }

    /// Lets an object stand, in place of any that did.
    func put(_ record: ObjectRecord, at location: ObjectLocation) throws {
        let url = try recordURL(location)
        let old = try read(ObjectRecord.self, url)
        try write(record, url)
        if let old { try remove(old.bytes, in: location.bucket) }
    }

    /// Removes an object. The engine never asks for that; it is here for those who clean up.
    public func delete(_ location: ObjectLocation) throws {
        let record = try object(location)
        try FileManager.default.removeItem(at: try recordURL(location))
        try remove(record.bytes, in: location.bucket)
    }

    // MARK: Uploads

    private func folder(of upload: MultipartUpload) throws -> URL {
        let folder = try bucket(upload.target.bucket).appendingPathComponent("uploads/\(upload.id)", isDirectory: true)
        guard let record = try read(UploadRecord.self, folder.appendingPathComponent("upload")),
            record.key.utf8.elementsEqual(upload.target.key.utf8)
        else { throw TransferError(.uploadNotFound, "there is no such upload", uploadID: upload.id) }
        return folder
    }

    func create(_ record: UploadRecord, in bucket: String) throws -> String {
        let id = UUID().uuidString
        let folder = try self.bucket(bucket).appendingPathComponent("uploads/\(id)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        try write(record, folder.appendingPathComponent("upload"))
        return id
    }

    /// Adds a part whose bytes are written, in place of any with its number.
    func add(_ bytes: StoredBytes, as number: Int, to upload: MultipartUpload) throws {
        do {
            let url = try folder(of: upload).appendingPathComponent("\(number)")
            let old = try read(StoredBytes.self, url)
            try write(bytes, url)
            if let old { try remove(old, in: upload.target.bucket) }
        } catch {
            try remove(bytes, in: upload.target.bucket)
            throw error
        }
    }

    func parts(of upload: MultipartUpload) throws -> [(number: Int, bytes: StoredBytes)] {
        let folder = try folder(of: upload)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).compactMap { Int($0) }.sorted()
            .compactMap { number in
                try read(StoredBytes.self, folder.appendingPathComponent("\(number)")).map { (number, $0) }
            }
    }

    /// Makes the object out of its parts. The actor is held all the while: of two Completes only one finds the upload.
    func complete(_ upload: MultipartUpload, _ chosen: [CompletedPart]) throws -> ObjectRecord {
        let folder = try folder(of: upload)
        let stored = try parts(of: upload)
        let pieces = try chosen.map { part in
            guard let found = stored.first(where: { $0.number == part.number }), found.bytes.etag == part.etag else {
                throw TransferError(.invalidPart, "part \(part.number) is missing or another one")
            }
            return found.bytes
        }
        let whole = JoinedBytes(try pieces.map { ($0.size, try bytesURL($0, in: upload.target.bucket)) })
        let bytes = try store(PartBody(whole), in: upload.target.bucket)
        let begun = try read(UploadRecord.self, folder.appendingPathComponent("upload"))
        let record = ObjectRecord(
            bytes: bytes, modified: Date(), description: begun?.description ?? Description(ObjectAttributes()))
        try put(record, at: upload.target)
        try discard(upload)
        return record
    }

    func abort(_ upload: MultipartUpload) throws {
        do {
            try discard(upload)
        } catch let error as TransferError where error.code == .uploadNotFound {
            // It is gone, which is all that was wanted.
        }
    }

    private func discard(_ upload: MultipartUpload) throws {
        let stored = try parts(of: upload)
        try FileManager.default.removeItem(at: try folder(of: upload))
        for (_, bytes) in stored { try remove(bytes, in: upload.target.bucket) }
    }
}
