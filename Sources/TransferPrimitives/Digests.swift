internal import COpenSSL

/// One-shot digests over OpenSSL's EVP interface.
package enum Digest {
    /// The 32 bytes of SHA-256.
    package static func sha256(_ bytes: some Sequence<UInt8>) -> [UInt8] { hash(bytes, EVP_sha256(), 32) }

    /// The 16 bytes of MD5, for `Content-MD5` and for ETags that services compute with it; never for security.
    package static func md5(_ bytes: some Sequence<UInt8>) -> [UInt8] { hash(bytes, EVP_md5(), 16) }

    private static func hash(_ bytes: some Sequence<UInt8>, _ algorithm: OpaquePointer?, _ size: Int) -> [UInt8] {
        if let result = bytes.withContiguousStorageIfAvailable({ hash($0, algorithm, size) }) { return result }
        return Array(bytes).withUnsafeBufferPointer { hash($0, algorithm, size) }
    }

    private static func hash(_ bytes: UnsafeBufferPointer<UInt8>, _ algorithm: OpaquePointer?, _ size: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            var written: UInt32 = 0
            let result = EVP_Digest(bytes.baseAddress, bytes.count, buffer.baseAddress, &written, algorithm, nil)
            // Zero bytes, when the library refuses, match no digest of a server.
            count = result == 1 ? Int(written) : 0
        }
    }
}

/// HMAC-SHA256, HMAC-SHA1 (RFC 2104).
package enum HMAC {
    /// The 32 bytes of HMAC-SHA256.
    package static func sha256(_ message: some Sequence<UInt8>, key: [UInt8]) -> [UInt8] {
        authenticate(message, key: key, EVP_sha256(), 32)
    }

    /// The 20 bytes of HMAC-SHA1, for the older signatures of Aliyun.
    package static func sha1(_ message: some Sequence<UInt8>, key: [UInt8]) -> [UInt8] {
        authenticate(message, key: key, EVP_sha1(), 20)
    }

    private static func authenticate(
        _ message: some Sequence<UInt8>, key: [UInt8], _ algorithm: OpaquePointer?, _ size: Int
    ) -> [UInt8] {
        let message = Array(message)
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            var written: UInt32 = 0
            let result = key.withUnsafeBufferPointer { key in
                message.withUnsafeBufferPointer { message in
                    COpenSSL.HMAC(
                        algorithm, key.baseAddress, Int32(truncatingIfNeeded: key.count),
                        message.baseAddress, message.count, buffer.baseAddress, &written)
                }
            }
            count = result == nil ? 0 : Int(written)
        }
    }
}
