import Testing
import TransferPrimitives

@Suite struct ConstantTimeTests {
    @Test(arguments: ["", "a", "signature=", String(repeating: "x", count: 1_000), "é", "\u{0}"])
    func theSameBytesAreEqual(_ text: String) {
        #expect(ConstantTime.isEqual(text, text))
        #expect(ConstantTime.isEqual(text, String(decoding: Array(text.utf8), as: UTF8.self)))
        #expect(!ConstantTime.isEqual(text, text + "a"))
        #expect(!ConstantTime.isEqual("a" + text, text))
    }

    /// By bytes and not as texts, of which Swift calls two equal that are not.
    @Test func whatDiffersAnywhereDiffers() {
        #expect(!ConstantTime.isEqual("\u{E9}", "e\u{301}"))
        let right = Array("c2lnbmF0dXJl".utf8)
        for index in right.indices {
            var wrong = right
            wrong[index] ^= 1
            #expect(
                !ConstantTime.isEqual(String(decoding: right, as: UTF8.self), String(decoding: wrong, as: UTF8.self)))
        }
    }
}
