internal import TransferPrimitives

extension UploadWork {
    /// The object, after an answer that would have told of it was lost: when it stands, and its CRC-64 is that of the local
    /// bytes. Nil when it is another one, or a look at it cannot tell.
    func standing() async throws -> TransferReceipt? {
        let info: ObjectInfo
        do {
            info = try await backend.headObject(target)
        } catch is TransferError {
            return nil
        }
        let size = source.source.length
        guard info.size == size, let stored = info.checksums.crc64, let etag = info.etag, !etag.isEmpty,
            try LocalParts.crc64(of: ByteRange(offset: 0, length: size), in: source.source) == stored
        else { return nil }
        return TransferReceipt(
            etag: etag, size: size, versionID: info.versionID, checksums: info.checksums, verification: .crc64)
    }
}
