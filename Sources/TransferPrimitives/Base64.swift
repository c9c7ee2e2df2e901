/// Base64 with the standard alphabet (RFC 4648, section 4), padded.
package enum Base64 {
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.underestimatedCount + 2) / 3 * 4)
        var group: UInt32 = 0
        var held = 0
        for byte in bytes {
            group = group << 8 | UInt32(byte)
            held += 1
            if held == 3 {
                for shift in stride(from: 18, through: 0, by: -6) { text.append(character(group >> shift & 63)) }
                group = 0
                held = 0
            }
        }
        if held > 0 {
            group <<= UInt32(8 * (3 - held))
            for index in 0...held { text.append(character(group >> (18 - 6 * UInt32(index)) & 63)) }
            for _ in held..<3 { text.append(padding) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes that `text` spells, or nil when it is not base64.
    ///
    /// Strict by default: full padding, and no bits left over after the last byte. `tolerant` is for text made by
    /// others: ASCII blanks and line breaks are skipped, padding may be missing, and `-` and `_` of the URL-safe
    /// alphabet are read as `+` and `/`.
    package static func decode(_ text: some StringProtocol, tolerant: Bool = false) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 4 * 3)
        var group: UInt32 = 0
        var held = 0
        var pads = 0
        for unit in text.utf8 {
            if tolerant, isBlank(unit) { continue }
            if unit == padding {
                pads += 1
                continue
            }
            guard pads == 0, let value = value(of: unit, tolerant: tolerant) else { return nil }
            group = group << 6 | value
            held += 1
            if held == 4 {
                for shift in [16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: group >> shift)) }
                group = 0
                held = 0
            }
        }

        // A lone character holds fewer bits than a byte. Two end in one byte and two pads, three in two bytes and one.
        guard held != 1 else { return nil }
        let wanted = held == 0 ? 0 : 4 - held
        guard pads == wanted || tolerant && pads == 0 else { return nil }
        if held > 0 {
            let spare: UInt32 = held == 2 ? 4 : 2
            guard tolerant || group & (1 << spare - 1) == 0 else { return nil }
            group >>= spare
            if held == 3 { bytes.append(UInt8(truncatingIfNeeded: group >> 8)) }
            bytes.append(UInt8(truncatingIfNeeded: group))
        }
        return bytes
    }

    private static let padding = UInt8(ascii: "=")

    private static func character(_ value: UInt32) -> UInt8 {
        switch UInt8(truncatingIfNeeded: value) {
        case let value where value < 26: UInt8(ascii: "A") + value
        case let value where value < 52: UInt8(ascii: "a") + value - 26
        case let value where value < 62: UInt8(ascii: "0") + value - 52
        case 62: UInt8(ascii: "+")
        default: UInt8(ascii: "/")
        }
    }

    private static func value(of character: UInt8, tolerant: Bool) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a") + 26)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0") + 52)
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        case UInt8(ascii: "-") where tolerant: 62
        case UInt8(ascii: "_") where tolerant: 63
        default: nil
        }
    }

    private static func isBlank(_ character: UInt8) -> Bool {
        character == UInt8(ascii: " ") || (9...13).contains(character)
    }
}
