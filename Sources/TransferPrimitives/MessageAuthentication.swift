internal import COpenSSL

/// HMAC-SHA256, HMAC-SHA1 (RFC 2104).
package enum HMAC {
    /// The 32 bytes of HMAC-SHA256.
    package static func sha256(_ message: some Sequence<UInt8>, key: [UInt8]) -> [UInt8] {
        withBytes(of: message) { authenticate($0, key: key, .sha256) }
    }

    /// The 32 bytes of HMAC-SHA256.
    package static func sha256(_ message: UnsafeRawBufferPointer, key: [UInt8]) -> [UInt8] {
        authenticate(message, key: key, .sha256)
    }

    /// The 20 bytes of HMAC-SHA1, for the older signatures of Aliyun.
    package static func sha1(_ message: some Sequence<UInt8>, key: [UInt8]) -> [UInt8] {
        withBytes(of: message) { authenticate($0, key: key, .sha1) }
    }

    /// The block of both algorithms in bytes; RFC 2104 hashes longer keys first.
    private static let blockSize = 64

    private static func authenticate(
        _ message: UnsafeRawBufferPointer, key: [UInt8], _ algorithm: DigestAlgorithm
    ) -> [UInt8] {
        // Hashed here, a key of any length fits OpenSSL's 32-bit count.
        let key = key.count > blockSize ? key.withUnsafeBytes { Digest.hash($0, algorithm) } : key
        return [UInt8](unsafeUninitializedCapacity: algorithm.size) { buffer, count in
            var written: UInt32 = 0
            let result = key.withUnsafeBufferPointer { key in
                COpenSSL.HMAC(
                    algorithm.implementation, key.baseAddress, Int32(key.count),
                    message.baseAddress, message.count, buffer.baseAddress, &written)
            }
            count = result == nil ? 0 : Int(written)
        }
    }
}
