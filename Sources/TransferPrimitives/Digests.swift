internal import COpenSSL

/// One-shot digests over OpenSSL's EVP interface.
///
/// Should the library refuse an algorithm (a build that allows no MD5), the result is empty: it matches no digest that a
/// server could name.
package enum Digest {
    /// The 32 bytes of SHA-256.
    package static func sha256(_ bytes: some Sequence<UInt8>) -> [UInt8] { withBytes(of: bytes, sha256) }

    /// The 32 bytes of SHA-256.
    package static func sha256(_ bytes: UnsafeRawBufferPointer) -> [UInt8] { hash(bytes, .sha256) }

    /// The 16 bytes of MD5, for `Content-MD5` and for ETags that services compute with it; never for security.
    package static func md5(_ bytes: some Sequence<UInt8>) -> [UInt8] { withBytes(of: bytes, md5) }

    /// The 16 bytes of MD5.
    package static func md5(_ bytes: UnsafeRawBufferPointer) -> [UInt8] { hash(bytes, .md5) }

    static func hash(_ bytes: UnsafeRawBufferPointer, _ algorithm: DigestAlgorithm) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: algorithm.size) { buffer, count in
            var written: UInt32 = 0
            let result = EVP_Digest(
                bytes.baseAddress, bytes.count, buffer.baseAddress, &written, algorithm.implementation, nil)
            count = result == 1 ? Int(written) : 0
        }
    }
}

/// SHA-256 of bytes that arrive in pieces.
package struct SHA256Hasher: ~Copyable {
    private var digest = RunningDigest(.sha256)

    package init() {}

    /// Adds `bytes` at the end.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) { digest.update(bytes) }

    /// Adds `bytes` at the end.
    package mutating func update(_ bytes: some Sequence<UInt8>) { withBytes(of: bytes) { digest.update($0) } }

    /// The 32 bytes of SHA-256; none when the library failed.
    package consuming func finalize() -> [UInt8] { digest.finalize() }
}

/// MD5 of bytes that arrive in pieces, for `Content-MD5` and ETags; never for security.
package struct MD5Hasher: ~Copyable {
    private var digest = RunningDigest(.md5)

    package init() {}

    /// Adds `bytes` at the end.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) { digest.update(bytes) }

    /// The 16 bytes of MD5; none when the library failed.
    package consuming func finalize() -> [UInt8] { digest.finalize() }
}

/// The owner of one digest context of OpenSSL. Not private: the optimiser then loses its metadata across modules (Swift 6.3).
struct RunningDigest: ~Copyable {
    private let context: OpaquePointer?
    private let algorithm: DigestAlgorithm
    private var isValid: Bool

    init(_ algorithm: DigestAlgorithm) {
        self.algorithm = algorithm
        context = EVP_MD_CTX_new()
        isValid = EVP_DigestInit_ex(context, algorithm.implementation, nil) == 1
    }

    deinit { EVP_MD_CTX_free(context) }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard isValid, !bytes.isEmpty else { return }
        isValid = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
    }

    consuming func finalize() -> [UInt8] {
        guard isValid else { return [] }
        return [UInt8](unsafeUninitializedCapacity: algorithm.size) { buffer, count in
            var written: UInt32 = 0
            count = EVP_DigestFinal_ex(context, buffer.baseAddress, &written) == 1 ? Int(written) : 0
        }
    }
}

/// The algorithms in use, with the sizes that the buffers need.
enum DigestAlgorithm {
    case md5, sha1, sha256

    /// Bytes of a digest.
    var size: Int {
        switch self {
        case .md5: 16
        case .sha1: 20
        case .sha256: 32
        }
    }

    /// Bytes that the algorithm takes at a time, the same for all.
    static var blockSize: Int { 64 }

    /// OpenSSL's implementation, kept for good; nil when it has none.
    var implementation: OpaquePointer? {
        switch self {
        case .md5: Implementations.md5
        case .sha1: Implementations.sha1
        case .sha256: Implementations.sha256
        }
    }
}

private enum Implementations {
    // Unsafe by hand: pointers that never change, to constants that OpenSSL lets any thread use (EVP_DigestInit(3)).
    nonisolated(unsafe) static let md5 = transfer_openssl_digest("MD5")
    nonisolated(unsafe) static let sha1 = transfer_openssl_digest("SHA1")
    nonisolated(unsafe) static let sha256 = transfer_openssl_digest("SHA256")
}

/// Lends the bytes in place where the sequence has them in one piece, otherwise as a copy.
func withBytes<Result>(of bytes: some Sequence<UInt8>, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    if let result = bytes.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) { return result }
    return Array(bytes).withUnsafeBytes(body)
}
