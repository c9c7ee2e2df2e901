import Testing
import TransferPrimitives

@Suite struct DigestTests {
    /// FIPS 180-4 examples and the padding boundaries of the 64-byte block.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func sha256(text: String, expected: String) {
        #expect(Hex.encode(Digest.sha256(text.utf8)) == expected)
        #expect(Hex.encode(Digest.sha256(Array(text.utf8))) == expected)
        #expect(Hex.encode(Array(text.utf8).withUnsafeBytes { Digest.sha256($0) }) == expected)
        #expect(Hex.encode(Digest.sha256(AnySequence(text.utf8))) == expected)
    }

    @Test func sha256OfAMillionLetters() {
        let letters = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
        let expected = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        #expect(Hex.encode(Digest.sha256(letters)) == expected)
        var hasher = SHA256Hasher()
        for start in stride(from: 0, to: letters.count, by: 12_345) { hasher.update(letters[start...].prefix(12_345)) }
        #expect(Hex.encode(hasher.finalize()) == expected)
    }

    /// RFC 1321, appendix A.5.
    @Test(arguments: [
        ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
        ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        (
            "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
            "57edf4a22be3c955ac49da2e2107b67a"
        ),
    ])
    func md5(text: String, expected: String) {
        #expect(Hex.encode(Digest.md5(text.utf8)) == expected)
        #expect(Hex.encode(Array(text.utf8).withUnsafeBytes { Digest.md5($0) }) == expected)
        var hasher = MD5Hasher()
        for byte in text.utf8 { [byte].withUnsafeBytes { hasher.update($0) } }
        #expect(Hex.encode(hasher.finalize()) == expected)
    }

    @Test func hashingInPiecesEqualsHashingAtOnce() {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for cut in [0, 1, 63, 64, 65, 127, 128, 999, 1000] {
            var hasher = SHA256Hasher()
            hasher.update(bytes[..<cut])
            hasher.update([])
            bytes[cut...].withUnsafeBytes { hasher.update($0) }
            #expect(hasher.finalize() == Digest.sha256(bytes), "cut at \(cut)")
        }
    }

    @Test func anAbandonedHasherIsFreed() {
        for _ in 0..<1000 {
            var hasher = SHA256Hasher()
            hasher.update([1, 2, 3])
        }
        #expect(Hex.encode(SHA256Hasher().finalize()) == Hex.encode(Digest.sha256([])))
    }
}
