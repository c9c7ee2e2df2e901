/// Lower-case hexadecimal text.
package enum Hex {
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        withBytes(of: bytes) { bytes in
            String(unsafeUninitializedCapacity: bytes.count * 2) { text in
                for (index, byte) in bytes.enumerated() {
                    text[2 * index] = digit(byte >> 4)
                    text[2 * index + 1] = digit(byte & 15)
                }
                return bytes.count * 2
            }
        }
    }

    /// The bytes that `text` spells in either case, or nil when it has an odd length or another character.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(of: digits[index]), let low = value(of: digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? value + 48 : value + 87 }

    private static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - 48
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - 87
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - 55
        default: nil
        }
    }
}
