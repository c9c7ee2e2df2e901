internal import CChecksum

/// The fall-back of machines without carry-less multiplication.
enum TableCRC64 {
    static func checksum(_ bytes: [UInt8]) -> UInt64 {
        bytes.withUnsafeBytes { transfer_crc64_update_table(0, $0.baseAddress, $0.count) }
    }
}
