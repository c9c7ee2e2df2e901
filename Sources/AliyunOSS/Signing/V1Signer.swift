internal import TransferHTTP
internal import TransferPrimitives

/// The older signature: HMAC-SHA1 over a text that holds the key and the sub-resources as they are, not encoded (spec
/// sections 3.4 and 3.5).
struct V1Signer: Sendable {
    /// Signs a request that has its `Date`.
    func sign(_ request: inout HTTPRequest, with credentials: Credentials) throws(HTTPHeaderError) {
        if let token = credentials.securityToken { try request.headers.set(OSSHeader.securityToken, token) }
        let date = request.headers["x-oss-date"] ?? request.headers["Date"] ?? ""
        let signature = Self.signature(of: Self.stringToSign(request, date: date), credentials)
        try request.headers.set("Authorization", "OSS \(credentials.accessKey):\(signature)")
    }

    /// The request with the signature in its query.
    ///
    /// - Parameter expires: Seconds since 1970.
    func presign(_ request: HTTPRequest, with credentials: Credentials, expires: Int64) -> HTTPRequest {
        var request = request
        if let token = credentials.securityToken { request.query.append(.init("security-token", token)) }
        let text = Self.stringToSign(request, date: String(expires))
        request.query.append(.init("OSSAccessKeyId", credentials.accessKey))
        request.query.append(.init("Expires", String(expires)))
        request.query.append(.init("Signature", Self.signature(of: text, credentials)))
        return request
    }

    /// - Parameter date: What stands in the line of the date: the header, or when a URL expires.
    static func stringToSign(_ request: HTTPRequest, date: String) -> String {
        var text = request.method.rawValue + "\n"
        for line in [request.headers["Content-MD5"] ?? "", request.headers["Content-Type"] ?? "", date] {
            text += line + "\n"
        }
        let headers = request.headers.map { (name: $0.name.lowercased(), value: $0.value) }
            .filter { $0.name.hasPrefix("x-oss-") }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        for header in headers { text += "\(header.name):\(header.value)\n" }
        return text + resource(of: request)
    }

    /// Bucket and key, and those of the parameters that name another resource than the object itself.
    private static func resource(of request: HTTPRequest) -> String {
        let path = request.canonicalPath ?? request.path
        let items = request.query.filter { isSubresource($0.name) }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
            .map { item in
                guard let value = item.value, !value.isEmpty else { return item.name }
                return item.name + "=" + value
            }
        let query = items.isEmpty ? "" : "?" + items.joined(separator: "&")
        return (PercentEncoding.decode(path) ?? path) + query
    }

    private static func signature(of text: String, _ credentials: Credentials) -> String {
        Base64.encode(HMAC.sha1(text.utf8, key: Array(credentials.secretKey.utf8)))
    }

    private static func isSubresource(_ name: String) -> Bool {
        subresources.contains(name) || name.hasPrefix("x-oss-")
    }

    private static let subresources: Set<String> = [
        "acl", "append", "bucketInfo", "callback", "callback-var", "cloudboxes", "continuation-token", "delete",
        "location", "objectMeta", "partNumber", "position", "regionList", "response-cache-control",
        "response-content-disposition", "response-content-encoding", "response-content-language",
        "response-content-type", "response-expires", "restore", "security-token", "sequential", "stat", "symlink",
        "tagging", "uploadId", "uploads", "versionId", "versioning", "versions",
    ]
}
