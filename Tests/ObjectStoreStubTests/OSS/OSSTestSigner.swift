import TransferPrimitives

/// A signer of OSS for these tests alone: the third hand beside the library's and the server's.
struct OSSTestSigner {
    enum Version { case v4, v1 }

    var version = Version.v4
    var accessKey = "TESTAKID0001"
    var secretKey = "TestSecret/With+Chars=0001"
    var token: String?
    var region = "cn-shanghai"
    var date = "20250115T083000Z"
    var httpDate = "Wed, 15 Jan 2025 08:30:00 GMT"
    /// What stands before the secret of V4.
    var secretPrefix = "aliyun_v4"
    var signsBucket = true

    /// Where a request goes, before anything is encoded.
    struct Target {
        var method: String
        var bucket: String
        var key: String
        var query: [(String, String)] = []
        /// The path on the wire when it is not `/bucket/key`.
        var path: String?
    }

    /// The request as bytes, signed in its headers.
    func request(_ target: Target, host: String, headers: [(String, String)], body: [UInt8]) -> [UInt8] {
        var fields = headers + [("Host", host), ("Date", httpDate)]
        if let token { fields.append(("x-oss-security-token", token)) }
        if version == .v4 {
            fields += [("x-oss-date", date), ("x-oss-content-sha256", "UNSIGNED-PAYLOAD")]
            let scope = "\(date.prefix(8))/\(region)/oss/aliyun_v4_request"
            let signature = signatureV4(target, query: target.query, fields)
            fields.append(
                ("Authorization", "OSS4-HMAC-SHA256 Credential=\(accessKey)/\(scope),Signature=\(signature)"))
        } else {
            fields.append(("Authorization", "OSS \(accessKey):\(signatureV1(target, fields, date: httpDate))"))
        }
        return bytes(target, query: target.query, fields, body)
    }

    /// The request as bytes, signed in its URL.
    func presigned(
        _ target: Target, host: String, lifetime: String = "600", expires: Int = 1_736_930_400,
        headers: [(String, String)] = []
    ) -> [UInt8] {
        let fields = headers + [("Host", host)]
        var query = target.query
        if version == .v4 {
            query += [
                ("x-oss-signature-version", "OSS4-HMAC-SHA256"), ("x-oss-date", date), ("x-oss-expires", lifetime),
                ("x-oss-credential", "\(accessKey)/\(date.prefix(8))/\(region)/oss/aliyun_v4_request"),
            ]
            if let token { query.append(("x-oss-security-token", token)) }
            query.append(("x-oss-signature", signatureV4(target, query: query, fields)))
        } else {
            if let token { query.append(("security-token", token)) }
            var signed = target
            signed.query = query
            query += [
                ("OSSAccessKeyId", accessKey), ("Expires", String(expires)),
                ("Signature", signatureV1(signed, fields, date: String(expires))),
            ]
        }
        return bytes(target, query: query, fields, [])
    }

    private func signatureV4(_ target: Target, query: [(String, String)], _ fields: [(String, String)]) -> String {
        let signed = fields.map { ($0.0.lowercased(), $0.1) }
            .filter { ["content-type", "content-md5"].contains($0.0) || $0.0.hasPrefix("x-oss-") }
            .sorted { $0.0 < $1.0 }
        let items = query.map { $0.1.isEmpty ? Self.encode($0.0) : "\(Self.encode($0.0))=\(Self.encode($0.1))" }
        let lines = signed.map { "\($0.0):\($0.1)\n" }.joined()
        let canonical = """
            \(target.method)
            \(signsBucket ? "/" + target.bucket : "")/\(Self.encode(target.key, keeping: "/"))
            \(items.sorted().joined(separator: "&"))
            \(lines)

            UNSIGNED-PAYLOAD
            """
        let day = String(date.prefix(8))
        let text = """
            OSS4-HMAC-SHA256
            \(date)
            \(day)/\(region)/oss/aliyun_v4_request
            \(Hex.encode(Digest.sha256(canonical.utf8)))
            """
        var key = Array((secretPrefix + secretKey).utf8)
        for step in [day, region, "oss", "aliyun_v4_request"] { key = HMAC.sha256(step.utf8, key: key) }
        return Hex.encode(HMAC.sha256(text.utf8, key: key))
    }

    private func signatureV1(_ target: Target, _ fields: [(String, String)], date: String) -> String {
        func value(_ name: String) -> String { fields.first { $0.0.lowercased() == name }?.1 ?? "" }
        let lines = fields.map { ($0.0.lowercased(), $0.1) }.filter { $0.0.hasPrefix("x-oss-") }
            .sorted { $0.0 < $1.0 }.map { "\($0.0):\($0.1)\n" }.joined()
        let signed = ["uploads", "uploadId", "partNumber", "versionId", "tagging", "security-token"]
        let items = target.query.filter { signed.contains($0.0) || $0.0.hasPrefix("response-") }
            .sorted { $0.0 < $1.0 }.map { $0.1.isEmpty ? $0.0 : "\($0.0)=\($0.1)" }.joined(separator: "&")
        let text = """
            \(target.method)
            \(value("content-md5"))
            \(value("content-type"))
            \(date)
            \(lines)\(signsBucket ? "/" + target.bucket : "")/\(target.key)\(items.isEmpty ? "" : "?" + items)
            """
        return Base64.encode(HMAC.sha1(text.utf8, key: Array(secretKey.utf8)))
    }

    private func bytes(
        _ target: Target, query: [(String, String)], _ fields: [(String, String)], _ body: [UInt8]
    ) -> [UInt8] {
        var fields = fields
        if target.method == "PUT" || target.method == "POST" { fields.append(("Content-Length", String(body.count))) }
        let path = target.path ?? "/\(target.bucket)/\(Self.encode(target.key, keeping: "/"))"
        let items = query.map { "\(Self.encode($0.0))=\(Self.encode($0.1))" }.joined(separator: "&")
        let head = "\(target.method) \(items.isEmpty ? path : path + "?" + items) HTTP/1.1\r\n"
        return Array((head + fields.map { "\($0.0): \($0.1)\r\n" }.joined() + "\r\n").utf8) + body
    }

    static func encode(_ text: String, keeping kept: String = "") -> String {
        let plain = Set(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~".utf8 + Array(kept.utf8))
        return text.utf8.map { byte in
            plain.contains(byte)
                ? String(Character(Unicode.Scalar(byte))) : "%" + Hex.encode(CollectionOfOne(byte)).uppercased()
        }.joined()
    }
}
