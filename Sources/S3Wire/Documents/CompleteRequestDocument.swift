internal import TransferCore
internal import TransferPrimitives
internal import TransferXML

/// The body of CompleteMultipartUpload. All ETags are written in one form: some came quoted, others not.
enum CompleteRequestDocument {
    /// `{"Parts":[{"PartNumber":1,"ETag":"…"}, …]}` (TOS: spec section 1.2).
    ///
    /// Written straight into one buffer: an encoder's tree of 10,000 parts would be the largest thing in memory.
    static func json(_ parts: [CompletedPart]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16 + parts.count * 72)
        bytes += #"{"Parts":["#.utf8
        for (index, part) in parts.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += #"{"PartNumber":\#(part.number),"ETag":"#.utf8
            JSONText.append(part.etag.quoted, to: &bytes)
            bytes.append(UInt8(ascii: "}"))
        }
        bytes += "]}".utf8
        return bytes
    }

    /// `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>"…"</ETag></Part>…` (S3: "CompleteMultipartUpload").
    static func xml(_ parts: [CompletedPart]) throws(TransferError) -> [UInt8] {
        var document = XMLWriter(declaration: false)
        do {
            try document.element("CompleteMultipartUpload", attributes: ["xmlns": namespace]) { document in
                for part in parts {
                    try document.element("Part") { document in
                        try document.element("PartNumber", text: String(part.number))
                        try document.element("ETag", text: part.etag.quoted)
                    }
                }
            }
        } catch {
            throw .invalidArgument("parts", "an ETag cannot be sent: \(error)")
        }
        return document.bytes
    }

    private static let namespace = "http://s3.amazonaws.com/doc/2006-03-01/"
}
