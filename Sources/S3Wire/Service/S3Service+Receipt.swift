internal import TransferCore
internal import TransferHTTP
internal import TransferService

extension S3Service {
    /// What the headers of an answer say of the object that it made, beside its ETag.
    func receipt(
        _ etag: ETag, _ response: HTTPResponse, size: UInt64? = nil, location: String? = nil
    ) -> TransferReceipt {
        let headers = response.headers
        let names = dialect.headers
        return TransferReceipt(
            etag: etag, size: size, versionID: headers.text(names.versionID),
            sourceVersionID: headers.text(names.copySourceVersionID),
            location: location ?? headers.text("Location"),
            checksums: Checksums(crc64: headers.crc64(names.crc64)), requestID: headers.text(names.requestID),
            hostID: headers.text(names.id2), status: response.status, extras: encryptionEchoes(headers))
    }

    /// Of an answer that names the object's ETag in its headers; nil without one.
    func receipt(byHeadersOf response: HTTPResponse, size: UInt64? = nil) -> TransferReceipt? {
        guard let etag = response.headers["ETag"].map({ ETag($0) }), !etag.isEmpty else { return nil }
        return receipt(etag, response, size: size)
    }

    /// Keeps what the called server answered among the receipt's extras.
    func addCallbackResult(of response: HTTPResponse, to receipt: inout TransferReceipt) {
        receipt.extras[dialect.extra("callback")] = String(decoding: response.body, as: UTF8.self)
    }

    /// How the service encrypts the object, by the lower-case names of extra fields. A key itself is never among them.
    private func encryptionEchoes(_ headers: HTTPHeaders) -> [String: String] {
        var echoes: [String: String] = [:]
        // Every part's answer is looked through, and hardly any has one.
        guard headers.containsPrefixed(dialect.headers.encryption) else { return echoes }
        for (name, value) in headers {
            let name = name.lowercased()
            guard name.hasPrefix(dialect.headers.encryption), name != dialect.headers.customerPrefix + "key" else {
                continue
            }
            echoes[dialect.extra(String(name.dropFirst(dialect.headers.prefix.count)))] = value
        }
        return echoes
    }
}
