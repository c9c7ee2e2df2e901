import Testing
import TransferPrimitives

@Suite struct DigestTests {
    @Test func sha256OfNothing() {
        #expect(Hex.encode(Digest.sha256([])) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }
}
