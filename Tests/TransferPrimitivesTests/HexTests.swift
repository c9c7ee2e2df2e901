import Testing
import TransferPrimitives

@Suite struct HexTests {
    @Test func everyByteBothWays() {
        let bytes = Array(UInt8.min...UInt8.max)
        let text = Hex.encode(bytes)
        #expect(text.hasPrefix("000102030405060708090a0b0c0d0e0f10"))
        #expect(text.hasSuffix("fafbfcfdfeff"))
        #expect(Hex.decode(text) == bytes)
        #expect(Hex.decode(text.uppercased()) == bytes)
        #expect(Hex.decode("") == [])
        #expect(Hex.encode([]) == "")
    }

    @Test(arguments: ["0", "000", "0g", "g0", " 00", "00 ", "0x00", "é0", "0\u{0}", "-1", "٠٠"])
    func refuses(text: String) { #expect(Hex.decode(text) == nil) }
}
