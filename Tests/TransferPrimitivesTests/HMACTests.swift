import Testing
import TransferPrimitives

@Suite struct HMACTests {
    struct Vector: Sendable {
        let key: [UInt8]
        let message: [UInt8]
        let expected: String
    }

    /// RFC 4231, cases 1, 2, 3, 4, 6 and 7.
    @Test(arguments: [
        Vector(
            key: [UInt8](repeating: 0x0b, count: 20), message: Array("Hi There".utf8),
            expected: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        Vector(
            key: Array("Jefe".utf8), message: Array("what do ya want for nothing?".utf8),
            expected: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        Vector(
            key: [UInt8](repeating: 0xaa, count: 20), message: [UInt8](repeating: 0xdd, count: 50),
            expected: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
        Vector(
            key: Array(1...25), message: [UInt8](repeating: 0xcd, count: 50),
            expected: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
        Vector(
            key: [UInt8](repeating: 0xaa, count: 131),
            message: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            expected: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
        Vector(
            key: [UInt8](repeating: 0xaa, count: 131),
            message: Array(
                ("This is a test using a larger than block-size key and a larger than block-size data. "
                    + "The key needs to be hashed before being used by the HMAC algorithm.").utf8),
            expected: "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"),
    ])
    func sha256(vector: Vector) {
        #expect(Hex.encode(HMAC.sha256(vector.message, key: vector.key)) == vector.expected)
        #expect(Hex.encode(vector.message.withUnsafeBytes { HMAC.sha256($0, key: vector.key) }) == vector.expected)
    }

    /// RFC 2202, cases 1, 2, 3, 6.
    @Test(arguments: [
        Vector(
            key: [UInt8](repeating: 0x0b, count: 20), message: Array("Hi There".utf8),
            expected: "b617318655057264e28bc0b6fb378c8ef146be00"),
        Vector(
            key: Array("Jefe".utf8), message: Array("what do ya want for nothing?".utf8),
            expected: "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
        Vector(
            key: [UInt8](repeating: 0xaa, count: 20), message: [UInt8](repeating: 0xdd, count: 50),
            expected: "125d7342b9ac11cd91a39af48aa17b4f63f175d3"),
        Vector(
            key: [UInt8](repeating: 0xaa, count: 80),
            message: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            expected: "aa4ae5e15272d00e95705637ce8a3b55ed402112"),
    ])
    func sha1(vector: Vector) {
        #expect(Hex.encode(HMAC.sha1(vector.message, key: vector.key)) == vector.expected)
    }

    @Test func emptyKeyAndMessage() {
        let expected = "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"
        #expect(Hex.encode(HMAC.sha256([], key: [])) == expected)
    }

    /// The block size itself is the longest key that is used as it stands.
    @Test func keysAroundTheBlockSize() {
        let message = Array("message".utf8)
        let long = [UInt8](repeating: 7, count: 65)
        #expect(HMAC.sha256(message, key: long) == HMAC.sha256(message, key: Digest.sha256(long)))
        let exact = [UInt8](repeating: 7, count: 64)
        #expect(HMAC.sha256(message, key: exact) != HMAC.sha256(message, key: Digest.sha256(exact)))
    }
}
