import TransferPrimitives

/// The checksums by which S3 lets a client say what it sends, in a header or behind the body.
enum S3Checksum {
    static let prefix = "x-amz-checksum-"

    /// The checksum of `bytes`, as it stands in base64; nil for an algorithm that is not known.
    static func value(_ algorithm: some StringProtocol, of bytes: [UInt8]) -> String? {
        switch algorithm {
        case "crc32": Base64.encode(bigEndian(crc(bytes, polynomial: 0xEDB8_8320 as UInt32)))
        case "crc32c": Base64.encode(bigEndian(crc(bytes, polynomial: 0x82F6_3B78 as UInt32)))
        case "crc64nvme": Base64.encode(bigEndian(crc(bytes, polynomial: 0x9A6C_9329_AC4B_C9B5 as UInt64)))
        case "sha256": Base64.encode(Digest.sha256(bytes))
        default: nil
        }
    }

    /// A reflected CRC that begins and ends with all bits turned, bit by bit: what is checked here is short.
    private static func crc<T: FixedWidthInteger & UnsignedInteger>(_ bytes: [UInt8], polynomial: T) -> T {
        var sum = T.max
        for byte in bytes {
            sum ^= T(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ polynomial : sum >> 1 }
        }
        return ~sum
    }

    private static func bigEndian<T: FixedWidthInteger>(_ number: T) -> [UInt8] {
        stride(from: T.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> T($0)) }
    }
}
