import TransferPrimitives

/// A signer of TOS4 and AWS4 for these tests alone: the third hand beside the library's and the server's.
struct TestSigner {
    /// What the two signatures call things.
    struct Wire: Sendable {
        var algorithm: String
        var headerPrefix: String
        var queryPrefix: String
        var secretPrefix: String
        var service: String
        var terminator: String

        static let tos = Wire(
            algorithm: "TOS4-HMAC-SHA256", headerPrefix: "x-tos-", queryPrefix: "X-Tos-", secretPrefix: "",
            service: "tos", terminator: "request")
        static let s3 = Wire(
            algorithm: "AWS4-HMAC-SHA256", headerPrefix: "x-amz-", queryPrefix: "X-Amz-", secretPrefix: "AWS4",
            service: "s3", terminator: "aws4_request")
    }

    var wire = Wire.tos
    var accessKey = "AKTPEXAMPLE0000000000000001"
    var secretKey = "ExampleSecretKeyForTestVectorsOnly=="
    var token: String?
    var region = "cn-beijing"
    var date = "20250701T080000Z"
    /// What is said of the body, in its header and in the signature.
    var payload = "UNSIGNED-PAYLOAD"

    private var scope: String { "\(date.prefix(8))/\(region)/\(wire.service)/\(wire.terminator)" }

    /// The request as bytes. `path` and `query` are written as they are to stand on the wire, and are signed so.
    func request(
        _ method: String, _ path: String, query: [(String, String)] = [], host: String,
        headers: [(String, String)] = [], body: [UInt8] = [], contentLength: Int? = nil
    ) -> [UInt8] {
        var fields = headers
        fields.append(("Host", host))
        fields.append((wire.headerPrefix + "date", date))
        fields.append((wire.headerPrefix + "content-sha256", payload))
        if let token { fields.append((wire.headerPrefix + "security-token", token)) }
        let signed = fields.map { ($0.0.lowercased(), $0.1) }
            .filter { $0.0 == "host" || $0.0 == "content-type" || $0.0.hasPrefix(wire.headerPrefix) }
            .sorted { $0.0 < $1.0 }
        let names = signed.map(\.0).joined(separator: ";")
        let queryText = query.map { "\($0.0)=\($0.1)" }.sorted().joined(separator: "&")
        let signature = signature(method, path, queryText, signed, payload)
        fields.append(
            (
                "Authorization",
                "\(wire.algorithm) Credential=\(accessKey)/\(scope), SignedHeaders=\(names), Signature=\(signature)"
            ))
        if method == "PUT" || method == "POST" || !body.isEmpty {
            fields.append(("Content-Length", String(contentLength ?? body.count)))
        }
        let target = queryText.isEmpty ? path : path + "?" + queryText
        let head = "\(method) \(target) HTTP/1.1\r\n" + fields.map { "\($0.0): \($0.1)\r\n" }.joined() + "\r\n"
        return Array(head.utf8) + body
    }

    /// The target of a presigned request, of which `headers` beside the host are signed.
    func presignedTarget(
        _ method: String, _ path: String, query: [(String, String)] = [], host: String,
        headers: [(String, String)] = [], expires: Int = 600
    ) -> String {
        let signed = (headers + [("host", host)]).map { ($0.0.lowercased(), $0.1) }.sorted { $0.0 < $1.0 }
        var items = query
        func add(_ name: String, _ value: String) { items.append((wire.queryPrefix + name, value)) }
        add("Algorithm", wire.algorithm)
        add("Credential", "\(accessKey)/\(scope)".replacing("/", with: "%2F"))
        add("Date", date)
        add("Expires", String(expires))
        add("SignedHeaders", signed.map(\.0).joined(separator: "%3B"))
        if let token { add("Security-Token", token) }
        let queryText = items.map { "\($0.0)=\($0.1)" }.sorted().joined(separator: "&")
        let signature = signature(method, path, queryText, signed, "UNSIGNED-PAYLOAD")
        return "\(path)?\(queryText)&\(wire.queryPrefix)Signature=\(signature)"
    }

    private func signature(
        _ method: String, _ path: String, _ query: String, _ signed: [(String, String)], _ payload: String
    ) -> String {
        let lines = signed.map { "\($0.0):\($0.1)\n" }.joined()
        let names = signed.map(\.0).joined(separator: ";")
        let canonical = "\(method)\n\(path)\n\(query)\n\(lines)\n\(names)\n\(payload)"
        let text = "\(wire.algorithm)\n\(date)\n\(scope)\n\(Hex.encode(Digest.sha256(canonical.utf8)))"
        var key = Array((wire.secretPrefix + secretKey).utf8)
        for step in [String(date.prefix(8)), region, wire.service, wire.terminator] {
            key = HMAC.sha256(step.utf8, key: key)
        }
        return Hex.encode(HMAC.sha256(text.utf8, key: key))
    }
}
