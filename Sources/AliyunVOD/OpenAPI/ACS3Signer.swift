internal import TransferHTTP
internal import TransferPrimitives

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The signature of Alibaba Cloud's OpenAPI, `ACS3-HMAC-SHA256` (spec section 1.8). Requests need `x-acs-action` and
/// `x-acs-version`.
struct ACS3Signer: RequestSigner {
    static let algorithm = "ACS3-HMAC-SHA256"

    /// A text that no other request has.
    let nonce: @Sendable () -> String

    func sign(_ request: inout HTTPRequest, with credentials: Credentials, at date: Date) throws {
        let payload = Hex.encode(Digest.sha256(try Self.body(of: request)))
        try request.headers.set("x-acs-date", HTTPDate.formatISO8601(date))
        try request.headers.set("x-acs-signature-nonce", nonce())
        try request.headers.set("x-acs-content-sha256", payload)
        if let token = credentials.securityToken { try request.headers.set("x-acs-security-token", token) }

        let (canonical, names) = Self.canonicalRequest(request, payload: payload)
        let stringToSign = Self.algorithm + "\n" + Hex.encode(Digest.sha256(canonical.utf8))
        let signature = Hex.encode(HMAC.sha256(stringToSign.utf8, key: Array(credentials.secretKey.utf8)))
        try request.headers.set(
            "Authorization",
            "\(Self.algorithm) Credential=\(credentials.accessKey),SignedHeaders=\(names),Signature=\(signature)")
    }

    /// The text whose digest is signed, and the names of the headers in it.
    static func canonicalRequest(_ request: HTTPRequest, payload: String) -> (text: String, names: String) {
        var headers = [(name: "host", value: request.endpoint.authority)]
        for (name, value) in request.headers {
            let name = name.lowercased()
            if name == "content-type" || name.hasPrefix("x-acs-") { headers.append((name, value)) }
        }
        headers.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        let names = headers.map(\.name).joined(separator: ";")
        let query = request.query.map {
            (PercentEncoding.component($0.name), PercentEncoding.component($0.value ?? ""))
        }
        .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
        .map { "\($0)=\($1)" }.joined(separator: "&")
        let lines = headers.map { "\($0.name):\($0.value)\n" }.joined()
        return ([request.method.rawValue, request.path, query, lines, names, payload].joined(separator: "\n"), names)
    }

    private static func body(of request: HTTPRequest) throws -> [UInt8] {
        guard request.body.length > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: Int(clamping: request.body.length))
        let count = try bytes.withUnsafeMutableBytes { try request.body.read(at: 0, into: $0) }
        return Array(bytes.prefix(count))
    }
}
