/// A set of ASCII characters, looked up by bit: header names, values and paths are checked byte by byte on every request.
package struct ByteClass: Sendable {
    private let low: UInt64
    private let high: UInt64

    init(_ characters: StaticString) {
        var low: UInt64 = 0
        var high: UInt64 = 0
        characters.withUTF8Buffer { bytes in
            for byte in bytes where byte < 128 {
                if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
            }
        }
        self.low = low
        self.high = high
    }

    package func contains(_ byte: UInt8) -> Bool {
        guard byte < 128 else { return false }
        return (byte < 64 ? low : high) >> UInt64(byte & 63) & 1 == 1
    }

    /// What percent-encoding leaves alone (RFC 3986, section 2.3).
    static let unreserved = ByteClass("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    /// The characters of a header's name, `token` in RFC 9110, section 5.6.2.
    package static let token = ByteClass(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-.^_`|~")
}

extension [UInt8] {
    /// Adds the bytes of `text` in one copy.
    mutating func append(utf8 text: String) {
        var text = text
        text.withUTF8 { append(contentsOf: $0) }
    }

    /// Adds `bytes` in lower-case hexadecimal.
    mutating func append(hex bytes: [UInt8]) {
        for byte in bytes {
            append(hexDigit(byte >> 4))
            append(hexDigit(byte & 15))
        }
    }
}

private func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? value + 48 : value + 87 }

/// The letter in lower case; every other byte as it is.
func lowercased(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
}
