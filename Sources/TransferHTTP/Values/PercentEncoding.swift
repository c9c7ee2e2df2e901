/// Percent-encoding as all V4 services want it: letters, digits and `-._~` stay, every other byte becomes `%` and two
/// upper-case digits; a path also keeps `/` (TOS specification, section 3.3).
package enum PercentEncoding {
    /// The path of an object key, without a leading slash.
    package static func path(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 16)
        append(text, to: &bytes, keepingSlash: true)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A query name or value, or any text whose slashes are data.
    package static func component(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 16)
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text that `encoded` stands for; nil when a `%` is not followed by two digits or the bytes are not UTF-8.
    package static func decode(_ encoded: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(encoded.utf8.count)
        var rest = encoded.utf8.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(value), let low = rest.next().flatMap(value) else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Adds `text`, encoded, to `buffer`.
    package static func append(_ text: String, to buffer: inout [UInt8], keepingSlash: Bool = false) {
        var text = text
        text.withUTF8 { bytes in
            for byte in bytes {
                if ByteClass.unreserved.contains(byte) || keepingSlash && byte == UInt8(ascii: "/") {
                    buffer.append(byte)
                } else {
                    buffer.append(UInt8(ascii: "%"))
                    buffer.append(digit(byte >> 4))
                    buffer.append(digit(byte & 15))
                }
            }
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? value + 48 : value + 55 }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - 48
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - 55
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - 87
        default: nil
        }
    }
}
