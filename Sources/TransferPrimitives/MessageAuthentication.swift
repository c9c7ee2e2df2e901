/// HMAC-SHA256, HMAC-SHA1 (RFC 2104).
///
/// Made of two digests, as the RFC has it: OpenSSL's own one-shot function sets up a message authentication from its name
/// each time, which takes longer than the digests.
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

    private static func authenticate(
        _ message: UnsafeRawBufferPointer, key: [UInt8], _ algorithm: DigestAlgorithm
    ) -> [UInt8] {
        // Longer keys are hashed first, shorter ones filled up with zeros.
        var key = key.count > DigestAlgorithm.blockSize ? key.withUnsafeBytes { Digest.hash($0, algorithm) } : key
        key += repeatElement(0, count: DigestAlgorithm.blockSize - key.count)
        var inner = key.map { $0 ^ 0x36 }
        inner += message
        let digest = inner.withUnsafeBytes { Digest.hash($0, algorithm) }
        // A library that refuses the algorithm gives nothing.
        guard !digest.isEmpty else { return [] }
        var outer = key.map { $0 ^ 0x5C }
        outer += digest
        return outer.withUnsafeBytes { Digest.hash($0, algorithm) }
    }
}
