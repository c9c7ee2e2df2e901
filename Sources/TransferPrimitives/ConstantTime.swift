internal import COpenSSL

/// Comparing secrets, and signatures made with them, in a time that does not tell how much of them was right.
package enum ConstantTime {
    /// Whether both are the same bytes. Of two lengths, the time may tell that they differ.
    package static func isEqual(_ a: String, _ b: String) -> Bool {
        var (a, b) = (a, b)
        return a.withUTF8 { a in
            b.withUTF8 { b in
                guard a.count == b.count else { return false }
                return a.isEmpty || CRYPTO_memcmp(a.baseAddress, b.baseAddress, a.count) == 0
            }
        }
    }
}
