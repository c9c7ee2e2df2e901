import TransferPrimitives

/// A signer of OpenAPI requests, in both ways, for these tests alone: the third hand beside the library's and the
/// server's.
struct OpenAPITestSigner {
    var accessKey = "AKTPEXAMPLE0000000000000001"
    var secretKey = "ExampleSecretKeyForTestVectorsOnly=="
    var token: String?
    var date = "2025-07-01T08:00:00Z"
    var nonce = "nonce-1"
    var version = "2017-03-21"
    /// What stands behind the secret in the older signature.
    var keySuffix = "&"
    /// Changes the text that is signed, as a client with a mistake does.
    var slip: @Sendable (String) -> String = { $0 }

    typealias Parameters = [(String, String)]

    /// A request with the signature in its headers; `wire` rewrites the query between signing and sending.
    func headerSigned(
        _ method: String, _ action: String, host: String, query: Parameters = [], form: Parameters = [],
        headers: [(String, String)] = [], wire: (String) -> String = { $0 }
    ) -> [UInt8] {
        let body = Self.text(form)
        let payload = Hex.encode(Digest.sha256(body.utf8))
        var fields = headers
        fields += [
            ("Host", host), ("x-acs-action", action), ("x-acs-version", version), ("x-acs-date", date),
            ("x-acs-signature-nonce", nonce), ("x-acs-content-sha256", payload),
        ]
        if let token { fields.append(("x-acs-security-token", token)) }
        if !form.isEmpty { fields.append(("Content-Type", "application/x-www-form-urlencoded")) }
        let signed = fields.map { ($0.0.lowercased(), $0.1) }.sorted { $0.0 < $1.0 }
        let names = signed.map(\.0).joined(separator: ";")
        let lines = signed.map { "\($0.0):\($0.1)\n" }.joined()
        let canonical = slip("\(method)\n/\n\(Self.text(query))\n\(lines)\n\(names)\n\(payload)")
        let text = "ACS3-HMAC-SHA256\n" + Hex.encode(Digest.sha256(canonical.utf8))
        let signature = Hex.encode(HMAC.sha256(text.utf8, key: Array(secretKey.utf8)))
        fields.append(
            (
                "Authorization",
                "ACS3-HMAC-SHA256 Credential=\(accessKey),SignedHeaders=\(names),Signature=\(signature)"
            ))
        return Self.request(method, query: wire(Self.text(query)), fields, body: body)
    }

    /// A request with the signature among its parameters.
    func parameterSigned(
        _ method: String, _ action: String, host: String, query: Parameters = [], form: Parameters = [],
        isAllInForm: Bool = false
    ) -> [UInt8] {
        var common = [
            ("Action", action), ("Format", "JSON"), ("Version", version), ("AccessKeyId", accessKey),
            ("SignatureMethod", "HMAC-SHA1"), ("SignatureVersion", "1.0"), ("SignatureNonce", nonce),
            ("Timestamp", date),
        ]
        if let token { common.append(("SecurityToken", token)) }
        let text = slip("\(method)&%2F&" + Self.encode(Self.text(common + query + form)))
        common.append(("Signature", Base64.encode(HMAC.sha1(text.utf8, key: Array((secretKey + keySuffix).utf8)))))
        var fields = [("Host", host)]
        if !form.isEmpty || isAllInForm { fields.append(("Content-Type", "application/x-www-form-urlencoded")) }
        return isAllInForm
            ? Self.request(method, query: "", fields, body: Self.text(common + query + form))
            : Self.request(method, query: Self.text(common + query), fields, body: Self.text(form))
    }

    private static func request(
        _ method: String, query: String, _ fields: [(String, String)], body: String
    ) -> [UInt8] {
        let lines = (fields + [("Content-Length", String(body.utf8.count))]).map { "\($0.0): \($0.1)\r\n" }.joined()
        return Array("\(method) /\(query.isEmpty ? "" : "?" + query) HTTP/1.1\r\n\(lines)\r\n\(body)".utf8)
    }

    static func text(_ parameters: Parameters) -> String {
        parameters.map { "\(encode($0.0))=\(encode($0.1))" }.sorted().joined(separator: "&")
    }

    static func encode(_ text: String) -> String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~".utf8)
        return text.utf8.map { byte in
            plain.contains(byte)
                ? String(decoding: [byte], as: UTF8.self) : "%" + Hex.encode(CollectionOfOne(byte)).uppercased()
        }.joined()
    }
}
