package import TransferCore
package import TransferHTTP
internal import TransferPrimitives

// The standard headers that describe content, as requests and answers carry them.

extension HeaderFields {
    /// Adds what describes the content, except user metadata. Throws `.invalidArgument` naming the attribute.
    ///
    /// - Parameter type: The `Content-Type`, in place of the attributes' own; nil for none.
    package mutating func addContent(of attributes: ObjectAttributes, type: String?) throws(TransferError) {
        try add("contentType", "Content-Type", type)
        try add("cacheControl", "Cache-Control", attributes.cacheControl)
        try add(
            "contentDisposition", "Content-Disposition", attributes.contentDisposition.map(Self.encodingNonASCII))
        try add("contentEncoding", "Content-Encoding", attributes.contentEncoding)
        try add("contentLanguage", "Content-Language", attributes.contentLanguage)
        try add("expires", "Expires", attributes.expires)
    }

    /// What is beyond ASCII is encoded; what is ASCII already stays, encoded or not.
    private static func encodingNonASCII(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        return text.unicodeScalars.map { $0.isASCII ? String($0) : PercentEncoding.component(String($0)) }.joined()
    }
}

extension ObjectAttributes {
    /// What the headers of an answer say of the content, with what only the provider can read in them.
    package init(content headers: HTTPHeaders, metadata: [String: String], storageClass: String?) {
        self.init(
            contentType: headers.text("Content-Type"), cacheControl: headers.text("Cache-Control"),
            contentDisposition: headers.text("Content-Disposition"),
            contentEncoding: headers.text("Content-Encoding"), contentLanguage: headers.text("Content-Language"),
            expires: headers.text("Expires").flatMap { HTTPDate.parse($0) }, metadata: metadata,
            storageClass: storageClass)
    }

    /// Whether any of what a metadata directive decides about is given.
    package var describesContent: Bool {
        contentType != nil || cacheControl != nil || contentDisposition != nil || contentEncoding != nil
            || contentLanguage != nil || expires != nil || !metadata.isEmpty
    }
}
