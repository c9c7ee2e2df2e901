internal import TransferCore
internal import TransferHTTP
internal import TransferService

extension TransferReceipt {
    /// What the headers of an answer say of the object that it made, beside its ETag.
    init(_ etag: ETag, _ response: HTTPResponse, size: UInt64? = nil, location: String? = nil) {
        self.init(
            etag: etag, size: size, versionID: response.headers.text(OSSHeader.versionID),
            sourceVersionID: response.headers.text(OSSHeader.copySourceVersionID), location: location,
            checksums: Checksums(crc64: response.headers.crc64(OSSHeader.crc64)),
            requestID: response.headers.text(OSSHeader.requestID),
            status: response.status, extras: response.headers.encryptionEchoes)
    }

    /// Of an answer that names the object's ETag in its headers; nil without one.
    init?(byHeadersOf response: HTTPResponse, size: UInt64? = nil) {
        guard let etag = response.headers.text("ETag").map({ ETag($0) }), !etag.isEmpty else { return nil }
        self.init(etag, response, size: size)
    }

    /// What the server of a callback answered; nil without a callback.
    var callbackResponse: String? {
        get { extras[OSSHeader.callback] }
        set { extras[OSSHeader.callback] = newValue }
    }
}

extension HTTPHeaders {
    /// How the service encrypts the object, by lower-case header name.
    fileprivate var encryptionEchoes: [String: String] {
        var echoes: [String: String] = [:]
        // Every part's answer is looked through, and hardly any has one.
        guard containsPrefixed(OSSHeader.encryption) || contains(OSSHeader.dataEncryption) else { return echoes }
        for (name, value) in self {
            let name = name.lowercased()
            if name.hasPrefix(OSSHeader.encryption) || name == OSSHeader.dataEncryption { echoes[name] = value }
        }
        return echoes
    }
}
