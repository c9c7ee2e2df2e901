/// Lower-case hexadecimal text.
package enum Hex {
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.underestimatedCount * 2)
        for byte in bytes {
            text.append(digit(byte >> 4))
            text.append(digit(byte & 15))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes that `text` spells in either case, or nil when it has an odd length or another character.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in text.utf8 {
            guard let value = value(of: character) else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return high == nil ? bytes : nil
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
