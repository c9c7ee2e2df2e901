import Foundation
public import ObjectTransfer

/// One step more, and the engine downloads from it.
extension FolderBackend: ReadableBackend {
    public func getObject(
        _ object: ObjectLocation, range: ByteRange?, ifMatch: ETag?, into sink: some PartSink
    ) async throws -> ObjectInfo {
        try Task.checkCancellation()
        let (record, file) = try await store.open(object, ifMatch: ifMatch)
        defer { try? file.close() }
        if let range, range.isEmpty || range.offset >= record.bytes.size {
            throw TransferError(.refused, "the range is not one of the object", object: object)
        }
        var offset = range?.offset ?? 0
        let end = min(range?.end ?? .max, record.bytes.size)
        try file.seek(toOffset: offset)
        while offset < end {
            try Task.checkCancellation()
            let wanted = Int(min(end - offset, 1 << 18))
            guard let bytes = try file.read(upToCount: wanted), !bytes.isEmpty else {
                throw TransferError(.lengthMismatch, "the file ends at \(offset)", object: object)
            }
            try bytes.withUnsafeBytes { try sink.write($0, at: offset) }
            offset += UInt64(bytes.count)
        }
        return record.info
    }
}
