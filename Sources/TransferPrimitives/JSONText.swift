/// Text as it stands in a JSON string (RFC 8259, section 7), for documents that are written by hand because there are
/// thousands of lines of one form.
package enum JSONText {
    /// Adds `text` in quotes, with what may not stand in a string escaped.
    package static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { text in
            for byte in text {
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                    bytes.append(UInt8(ascii: "\\"))
                    bytes.append(byte)
                case 0..<0x20: bytes += ("\\u00" + Hex.encode(CollectionOfOne(byte))).utf8
                default: bytes.append(byte)
                }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
