internal import TransferPrimitives

/// How far a stored object is known to equal what was to be stored, decided from facts alone.
enum Verification: Equatable {
    case verified(TransferReceipt.Verification)
    /// The object at the service is another one.
    case mismatch(String)
    /// Nothing that was told can decide.
    case undecided

    /// Compares an object, as an answer or a HEAD describes it, with the source and the parts it was made of.
    ///
    /// CRC-64 decides where both sides have it. Else the ETag that exactly these parts give. The size alone never accepts an
    /// object, but another size refuses it.
    init(
        sourceCRC64: UInt64?, size: UInt64, parts: [CompletedPart], objectCRC64: UInt64?, objectSize: UInt64?,
        objectETag: ETag
    ) {
        if let objectSize, objectSize != size {
            self = .mismatch("\(objectSize) bytes are stored, and the source has \(size)")
        } else if let objectCRC64, let expected = sourceCRC64 ?? Self.combinedCRC64(parts, size: size) {
            self =
                objectCRC64 == expected
                ? .verified(.crc64)
                : .mismatch("the CRC-64 of the object is \(objectCRC64), and that of the source is \(expected)")
        } else if let expected = ETag.multipart(parts), expected == objectETag {
            self = .verified(.partETags)
        } else {
            self = .undecided
        }
    }

    /// The CRC-64 of all parts in order, when each is known and they cover `size` bytes.
    ///
    /// One that the service did not confirm counts as well: it is that of the bytes that were sent, and the object's own
    /// is then the only one to tell that others arrived.
    static func combinedCRC64(_ parts: [CompletedPart], size: UInt64) -> UInt64? {
        var crc: UInt64 = 0
        var covered: UInt64 = 0
        for part in parts {
            guard let value = part.checksums.crc64, let length = part.size else { return nil }
            let (sum, overflow) = covered.addingReportingOverflow(length)
            guard !overflow else { return nil }
            crc = CRC64.combine(crc, value, lengthOfB: length)
            covered = sum
        }
        return covered == size && !parts.isEmpty ? crc : nil
    }
}
