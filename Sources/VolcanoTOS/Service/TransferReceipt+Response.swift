internal import TransferCore
internal import TransferHTTP

extension TransferReceipt {
    /// What the headers of an answer say of the object that it made, beside its ETag.
    init(_ etag: ETag, _ response: HTTPResponse, size: UInt64? = nil, location: String? = nil) {
        func text(_ name: String) -> String? {
            guard let text = response.headers[name], !text.isEmpty else { return nil }
            return text
        }
        self.init(
            etag: etag, size: size, versionID: text(TOSHeader.versionID),
            sourceVersionID: text(TOSHeader.copySourceVersionID), location: location ?? text("Location"),
            // A value that is no unsigned decimal number of 64 bits means "not verified".
            checksums: Checksums(crc64: text(TOSHeader.crc64).flatMap { UInt64($0) }),
            requestID: text(TOSHeader.requestID), hostID: text(TOSHeader.id2), status: response.status,
            extras: response.headers.encryptionEchoes)
    }

    /// Of an answer that names the object's ETag in its headers; nil without one.
    init?(byHeadersOf response: HTTPResponse, size: UInt64? = nil) {
        guard let etag = response.headers["ETag"].map({ ETag($0) }), !etag.isEmpty else { return nil }
        self.init(etag, response, size: size)
    }
}

extension HTTPHeaders {
    /// How the service encrypts the object, by lower-case header name. A key itself is never among them.
    var encryptionEchoes: [String: String] {
        var echoes: [String: String] = [:]
        for (name, value) in self {
            let name = name.lowercased()
            if name.hasPrefix(TOSHeader.encryption), name != TOSHeader.customerPrefix + "key" { echoes[name] = value }
        }
        return echoes
    }
}
