internal import TransferCore
internal import TransferHTTP
internal import TransferService

extension TransferReceipt {
    /// What the headers of an answer say of the object that it made, beside its ETag.
    init(_ etag: ETag, _ response: HTTPResponse, size: UInt64? = nil, location: String? = nil) {
        let headers = response.headers
        self.init(
            etag: etag, size: size, versionID: headers.text(TOSHeader.versionID),
            sourceVersionID: headers.text(TOSHeader.copySourceVersionID),
            location: location ?? headers.text("Location"),
            checksums: Checksums(crc64: headers.crc64(TOSHeader.crc64)), requestID: headers.text(TOSHeader.requestID),
            hostID: headers.text(TOSHeader.id2), status: response.status, extras: headers.encryptionEchoes)
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
