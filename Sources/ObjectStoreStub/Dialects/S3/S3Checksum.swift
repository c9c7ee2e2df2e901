import TransferPrimitives

/// The checksums by which S3 lets a client say what it sends, in a header or behind the body.
enum S3Checksum {
    static let prefix = "x-amz-checksum-"

    /// The checksum of `bytes`, as it stands in base64; nil for an algorithm that is not known.
    static func value(_ algorithm: some StringProtocol, of bytes: [UInt8]) -> String? {
        switch algorithm {
        case "crc32": Base64.encode(bigEndian(UInt64(CRC32.checksum(bytes)), count: 4))
        case "crc32c": Base64.encode(bigEndian(crc32c.sum(of: bytes, width: 32), count: 4))
        case "crc64nvme": Base64.encode(bigEndian(crc64NVMe.sum(of: bytes, width: 64), count: 8))
        case "sha256": Base64.encode(Digest.sha256(bytes))
        default: nil
        }
    }

    private static let crc32c = CRCTable(polynomial: 0x82F6_3B78)
    private static let crc64NVMe = CRCTable(polynomial: 0x9A6C_9329_AC4B_C9B5)

    private static func bigEndian(_ number: UInt64, count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
    }
}

/// A reflected CRC of up to 64 bits that begins and ends with all bits turned.
private struct CRCTable: Sendable {
    private let entries: [UInt64]

    init(polynomial: UInt64) {
        entries = (0..<256).map { index in
            (0..<8).reduce(index) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ polynomial : sum >> 1 }
        }
    }

    func sum(of bytes: [UInt8], width: UInt64) -> UInt64 {
        let ones = UInt64.max >> (64 - width)
        let sum = entries.withUnsafeBufferPointer { entries in
            bytes.withUnsafeBufferPointer { bytes in
                bytes.reduce(ones) { sum, byte in sum >> 8 ^ entries[Int(truncatingIfNeeded: sum ^ UInt64(byte)) & 255]
                }
            }
        }
        return sum ^ ones
    }
}
