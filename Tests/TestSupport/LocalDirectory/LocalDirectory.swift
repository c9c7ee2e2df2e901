import TransferCore
import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An object store in a directory: the smallest service that does all that the protocols ask for.
///
/// A bucket is a directory with three in it: `bytes`, files that never change; `objects`, a record for each key, named by the
/// key's digest; and `uploads`, a directory for each upload with its records. A record that is renamed into its place is what
/// makes, replaces or completes.
package final class LocalDirectory: Sendable {
    package enum Folder: String, CaseIterable { case bytes, objects, uploads }

    let root: TemporaryDirectory
    let system = LocalFileSystem()
    /// Held while records are moved, so that nobody sees a record without its bytes. Not a box of `()`: the thread sanitizer
    /// takes the place of a value without a size for the box's own.
    let names = LockBox(false)

    package init(buckets: String...) throws {
        root = try TemporaryDirectory()
        for bucket in buckets {
            for folder in Folder.allCases { try system.createDirectories(root.path("\(bucket)/\(folder.rawValue)")) }
        }
    }

    func path(_ bucket: String, _ folder: Folder, _ name: String = "") -> String {
        root.path("\(bucket)/\(folder.rawValue)" + (name.isEmpty ? "" : "/" + name))
    }

    static func name(of location: ObjectLocation) -> String { Hex.encode(Digest.sha256(location.key.utf8)) }

    func checkBucket(_ bucket: String) throws {
        guard try system.status(at: root.path(bucket))?.kind == .directory else {
            throw TransferError(.notFound, "there is no bucket '\(bucket)'")
        }
    }

    func read<Record: Decodable>(_ type: Record.Type, _ path: String) throws -> Record? {
        guard try system.status(at: path) != nil else { return nil }
        return try JSONDecoder().decode(type, from: Data(TemporaryDirectory.read(path)))
    }

    /// Puts a record in its place at once.
    func write(_ record: some Encodable, _ path: String) throws {
        let temporary = path + ".new"
        try Array(JSONEncoder().encode(record)).withUnsafeBytes {
            try system.write($0, to: system.open(temporary, .replace))
        }
        try system.rename(temporary, to: path)
    }

    // MARK: Bytes

    /// Writes a file of bytes. Nothing is left of it when it does not come to its end.
    func store(_ bodies: [PartBody], in bucket: String) throws -> StoredBytes {
        let name = UUID().uuidString
        let path = path(bucket, .bytes, name)
        do {
            let file = try system.open(path, .replace)
            var size: UInt64 = 0
            var crc = CRC64()
            var md5 = MD5Hasher()
            for body in bodies {
                try pieces(of: body) { piece in
                    try system.write(piece, to: file)
                    size += UInt64(piece.count)
                    crc.update(piece)
                    md5.update(piece)
                }
            }
            return StoredBytes(name: name, size: size, crc64: crc.value, md5: Hex.encode(md5.finalize()))
        } catch {
            try? system.remove(path)
            throw error
        }
    }

    private func pieces(of body: PartBody, _ take: (UnsafeRawBufferPointer) throws -> Void) throws {
        try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
            var offset: UInt64 = 0
            while offset < body.length {
                try Task.checkCancellation()
                let count = try body.read(at: offset, into: buffer)
                guard count > 0 else { throw TransferError(.lengthMismatch, "the source ended at \(offset)") }
                try take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                offset += UInt64(count)
            }
        }
    }

    func remove(_ bytes: StoredBytes, in bucket: String) { try? system.remove(path(bucket, .bytes, bytes.name)) }

    // MARK: Objects

    func record(of location: ObjectLocation) throws -> StoredObjectRecord {
        try checkBucket(location.bucket)
        let path = path(location.bucket, .objects, Self.name(of: location))
        guard let record = try read(StoredObjectRecord.self, path) else {
            throw TransferError(.notFound, "there is no such object", object: location)
        }
        return record
    }

    /// An object and its bytes, which stay what they are even when it is overwritten.
    func open(_ location: ObjectLocation, ifMatch: ETag?) throws -> (StoredObjectRecord, StoredSource) {
        try names.withLock { _ in
            let record = try self.record(of: location)
            if let ifMatch, ifMatch != ETag(record.etag) {
                throw TransferError(.sourceChanged, "the object has another tag", object: location)
            }
            let file = try system.open(path(location.bucket, .bytes, record.bytes.name), .read)
            return (record, StoredSource(system: system, file: file, length: record.bytes.size))
        }
    }

    /// Lets an object stand, in place of any that did.
    func stand(_ record: StoredObjectRecord, at location: ObjectLocation) throws {
        try names.withLock { _ in
            let path = path(location.bucket, .objects, Self.name(of: location))
            let old = try read(StoredObjectRecord.self, path)
            try write(record, path)
            if let old { remove(old.bytes, in: location.bucket) }
        }
    }
}

/// The bytes of an object, for a reader or a copy.
struct StoredSource: ByteSource {
    let system: LocalFileSystem
    let file: OpenFile
    let length: UInt64

    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        try system.read(file, at: offset, into: buffer)
    }
}
