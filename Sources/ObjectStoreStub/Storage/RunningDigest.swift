import COpenSSL

/// A digest over bytes that arrive piece by piece, on OpenSSL's EVP interface.
final class RunningDigest {
    // Used by one thread at a time.
    private let context: OpaquePointer?
    private var isValid: Bool

    enum Algorithm { case md5, sha256 }

    init(_ algorithm: Algorithm) {
        context = EVP_MD_CTX_new()
        isValid = context != nil && EVP_DigestInit_ex(context, algorithm == .md5 ? EVP_md5() : EVP_sha256(), nil) == 1
    }

    deinit { EVP_MD_CTX_free(context) }

    func update(_ bytes: UnsafeRawBufferPointer) {
        if isValid, !bytes.isEmpty { isValid = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 }
    }

    /// The digest, which ends it; no bytes when OpenSSL refused, so that it matches none.
    func finish() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard isValid, EVP_DigestFinal_ex(context, &bytes, &count) == 1 else { return [] }
        isValid = false
        return Array(bytes.prefix(Int(count)))
    }
}
