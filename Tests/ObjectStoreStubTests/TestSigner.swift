import TransferPrimitives

/// A TOS4 signer for these tests alone: the third hand beside the library's and the server's.
struct TestSigner {
    var accessKey = "AKTPEXAMPLE0000000000000001"
    var secretKey = "ExampleSecretKeyForTestVectorsOnly=="
    var token: String?
    var region = "cn-beijing"
    var date = "20250701T080000Z"

    /// The request as bytes. `path` and `query` are written as they are to stand on the wire, and are signed so.
    func request(
        _ method: String, _ path: String, query: [(String, String)] = [], host: String,
        headers: [(String, String)] = [], body: [UInt8] = [], contentLength: Int? = nil
    ) -> [UInt8] {
        var fields = headers
        fields.append(("Host", host))
        fields.append(("x-tos-date", date))
        fields.append(("x-tos-content-sha256", "UNSIGNED-PAYLOAD"))
        if let token { fields.append(("x-tos-security-token", token)) }
        let signed = fields.map { ($0.0.lowercased(), $0.1) }
            .filter { $0.0 == "host" || $0.0 == "content-type" || $0.0.hasPrefix("x-tos-") }
            .sorted { $0.0 < $1.0 }
        let names = signed.map(\.0).joined(separator: ";")
        let queryText = query.map { "\($0.0)=\($0.1)" }.sorted().joined(separator: "&")
        let lines = signed.map { "\($0.0):\($0.1)\n" }.joined()
        let canonical = "\(method)\n\(path)\n\(queryText)\n\(lines)\n\(names)\nUNSIGNED-PAYLOAD"
        let day = String(date.prefix(8))
        let scope = "\(day)/\(region)/tos/request"
        let text = "TOS4-HMAC-SHA256\n\(date)\n\(scope)\n\(Hex.encode(Digest.sha256(canonical.utf8)))"
        var key = Array(secretKey.utf8)
        for step in [day, region, "tos", "request"] { key = HMAC.sha256(step.utf8, key: key) }
        let signature = Hex.encode(HMAC.sha256(text.utf8, key: key))
        fields.append(
            (
                "Authorization",
                "TOS4-HMAC-SHA256 Credential=\(accessKey)/\(scope), SignedHeaders=\(names), Signature=\(signature)"
            ))
        if method == "PUT" || method == "POST" || !body.isEmpty {
            fields.append(("Content-Length", String(contentLength ?? body.count)))
        }
        let target = queryText.isEmpty ? path : path + "?" + queryText
        let head = "\(method) \(target) HTTP/1.1\r\n" + fields.map { "\($0.0): \($0.1)\r\n" }.joined() + "\r\n"
        return Array(head.utf8) + body
    }
}
