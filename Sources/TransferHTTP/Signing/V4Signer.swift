import TransferPrimitives

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Signs requests for one service and region in one dialect of the V4 family.
///
///     HMAC(HMAC(HMAC(HMAC(HMAC(prefix + secret, day), region), service), terminator), string to sign)
///
/// The string to sign names the algorithm, the moment, the scope and the SHA-256 of the canonical request.
package struct V4Signer: RequestSigner {
    package let dialect: V4Dialect
    package let region: String
    /// Lower-case names of headers that are signed besides those the dialect signs by rule.
    package let additionalHeaders: [String]
    let keys = SigningKeys()

    private let dateHeader: String
    private let tokenHeader: String
    private let payloadHeader: String

    package init(_ dialect: V4Dialect, region: String, additionalHeaders: [String] = []) {
        self.dialect = dialect
        self.region = region
        self.additionalHeaders = additionalHeaders.map { $0.lowercased() }
        dateHeader = dialect.headerPrefix + "date"
        tokenHeader = dialect.headerPrefix + "security-token"
        payloadHeader = dialect.headerPrefix + "content-sha256"
    }

    package func sign(_ request: inout HTTPRequest, with credentials: Credentials, at date: Date) throws {
        let moment = keys.moment(date)
        try request.headers.set(dateHeader, moment.date)
        if let token = credentials.securityToken { try request.headers.set(tokenHeader, token) }
        if dialect.sendsPayloadHeader, !request.headers.contains(payloadHeader) {
            try request.headers.append(payloadHeader, V4Dialect.unsignedPayload)
        }
        let canonical = canonicalRequest(for: request)
        let signature = signature(of: stringToSign(canonical.bytes, moment), credentials, moment)

        var value: [UInt8] = []
        value.reserveCapacity(256)
        value.append(contentsOf: dialect.algorithm.utf8)
        value.append(contentsOf: " Credential=".utf8)
        value.append(contentsOf: credentials.accessKey.utf8)
        value.append(UInt8(ascii: "/"))
        appendScope(moment, to: &value)
        if !canonical.listedNames.isEmpty {
            value.append(contentsOf: dialect.separator.utf8)
            value.append(contentsOf: dialect.listName.utf8)
            value.append(UInt8(ascii: "="))
            value.append(contentsOf: canonical.listedNames)
        }
        value.append(contentsOf: dialect.separator.utf8)
        value.append(contentsOf: "Signature=".utf8)
        value.append(contentsOf: signature.utf8)
        try request.headers.set("Authorization", String(decoding: value, as: UTF8.self))
    }

    /// What is signed of a request that has all headers but `Authorization`.
    func canonicalRequest(for request: HTTPRequest) -> CanonicalRequest {
        CanonicalRequest(
            request, query: request.query, dialect: dialect, rule: dialect.signed, additional: additionalHeaders,
            payload: request.headers[payloadHeader] ?? dialect.payloadWithoutHeader)
    }

    func stringToSign(_ canonicalRequest: [UInt8], _ moment: SigningKeys.Moment) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(192)
        text.append(contentsOf: dialect.algorithm.utf8)
        text.append(UInt8(ascii: "\n"))
        text.append(contentsOf: moment.date.utf8)
        text.append(UInt8(ascii: "\n"))
        appendScope(moment, to: &text)
        text.append(UInt8(ascii: "\n"))
        text.append(contentsOf: Hex.encode(Digest.sha256(canonicalRequest)).utf8)
        return text
    }

    /// Lower-case hexadecimal.
    func signature(of text: [UInt8], _ credentials: Credentials, _ moment: SigningKeys.Moment) -> String {
        let key = keys.key(secret: credentials.secretKey, day: moment.day) {
            keyChain(secret: credentials.secretKey, day: moment.day).last ?? []
        }
        return Hex.encode(HMAC.sha256(text, key: key))
    }

    /// The four keys that lead from the secret to the signing key, which is the last.
    func keyChain(secret: String, day: String) -> [[UInt8]] {
        var chain: [[UInt8]] = []
        var key = Array((dialect.keyPrefix + secret).utf8)
        for step in [day, region, dialect.service, dialect.terminator] {
            key = HMAC.sha256(step.utf8, key: key)
            chain.append(key)
        }
        return chain
    }

    func appendScope(_ moment: SigningKeys.Moment, to text: inout [UInt8]) {
        var isFirst = true
        for step in [moment.day, region, dialect.service, dialect.terminator] {
            if !isFirst { text.append(UInt8(ascii: "/")) }
            isFirst = false
            text.append(contentsOf: step.utf8)
        }
    }
}
