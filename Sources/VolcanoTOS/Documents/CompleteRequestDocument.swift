internal import TransferCore

/// The body of CompleteMultipartUpload: `{"Parts":[{"PartNumber":1,"ETag":"…"}, …]}`.
///
/// Written straight into one buffer: an encoder's tree of 10,000 parts would be the largest thing in memory.
enum CompleteRequestDocument {
    static func bytes(_ parts: [CompletedPart]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16 + parts.count * 72)
        bytes += #"{"Parts":["#.utf8
        for (index, part) in parts.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += #"{"PartNumber":\#(part.number),"ETag":""#.utf8
            // One form for all: some ETags came quoted, others not.
            append(part.etag.quoted, to: &bytes)
            bytes += #""}"#.utf8
        }
        bytes += "]}".utf8
        return bytes
    }

    /// Escapes what may not stand in a JSON string (RFC 8259, section 7).
    private static func append(_ text: String, to bytes: inout [UInt8]) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20:
                let digits = String(byte, radix: 16)
                bytes += ("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits).utf8
            default: bytes.append(byte)
            }
        }
    }
}
