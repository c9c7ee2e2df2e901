internal import CChecksum

/// A running CRC-64/XZ (reflected ECMA-182), the checksum that OSS and TOS keep of every object.
public struct CRC64: Sendable, Hashable {
    /// The checksum of all bytes so far; 0 for none.
    public private(set) var value: UInt64

    /// Starts a checksum, or continues the one that stands at `value`.
    public init(_ value: UInt64 = 0) { self.value = value }

    /// Adds `bytes` at the end.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        value = transfer_crc64_update(value, base, bytes.count)
    }

    /// Adds `bytes` at the end.
    public mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

    /// The checksum of A followed by B, from both checksums and the length of B in bytes.
    public static func combine(_ a: UInt64, _ b: UInt64, lengthOfB: UInt64) -> UInt64 {
        transfer_crc64_combine(a, b, lengthOfB)
    }
}

/// CRC-32 (ISO-HDLC), which closes each line of a checkpoint journal.
package enum CRC32 {
    package static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        withBytes(of: bytes) { transfer_crc32_update(0, $0.baseAddress, $0.count) }
    }
}
