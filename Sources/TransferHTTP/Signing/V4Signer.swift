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
///
/// A reference: every request meets the signer, whose dialect alone has twenty texts.
package final class V4Signer: RequestSigner {
    package let dialect: V4Dialect
    package let region: String
    /// Lower-case names of headers that are signed besides those the dialect signs by rule.
    package let additionalHeaders: [String]
    let keys = SigningKeys()

    private let signedHeaders: HeaderMatcher
    let presignedHeaders: HeaderMatcher
    private let dateHeader: String
    private let tokenHeader: String
    private let payloadHeader: String

    package init(_ dialect: V4Dialect, region: String, additionalHeaders: [String] = []) {
        self.dialect = dialect
        self.region = region
        let additional = additionalHeaders.map { $0.lowercased() }
        self.additionalHeaders = additional
        signedHeaders = HeaderMatcher(dialect.signed, prefix: dialect.headerPrefix, additional: additional)
        presignedHeaders = HeaderMatcher(dialect.presigned, prefix: dialect.headerPrefix, additional: additional)
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
        value.reserveCapacity(256 + canonical.listedNames.count)
        value.append(utf8: dialect.algorithm)
        value.append(utf8: " Credential=")
        value.append(utf8: credentials.accessKey)
        value.append(UInt8(ascii: "/"))
        appendScope(moment, to: &value)
        if !canonical.listedNames.isEmpty {
            value.append(utf8: dialect.separator)
            value.append(utf8: dialect.listName)
            value.append(UInt8(ascii: "="))
            value.append(contentsOf: canonical.listedNames)
        }
        value.append(utf8: dialect.separator)
        value.append(utf8: "Signature=")
        value.append(hex: signature)
        try request.headers.set("Authorization", bytes: value)
    }

    /// What is signed of a request that has all headers but `Authorization`.
    func canonicalRequest(for request: HTTPRequest) -> CanonicalRequest {
        CanonicalRequest(
            request, dialect, signedHeaders, payload: request.headers[payloadHeader] ?? dialect.payloadWithoutHeader)
    }

    func stringToSign(_ canonicalRequest: [UInt8], _ moment: SigningKeys.Moment) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(192)
        text.append(utf8: dialect.algorithm)
        text.append(UInt8(ascii: "\n"))
        text.append(utf8: moment.date)
        text.append(UInt8(ascii: "\n"))
        appendScope(moment, to: &text)
        text.append(UInt8(ascii: "\n"))
        text.append(hex: canonicalRequest.withUnsafeBytes { Digest.sha256($0) })
        return text
    }

    /// The 32 bytes of the signature.
    func signature(of text: [UInt8], _ credentials: Credentials, _ moment: SigningKeys.Moment) -> [UInt8] {
        let key = keys.key(secret: credentials.secretKey, day: moment.day) {
            keyChain(secret: credentials.secretKey, day: moment.day).last ?? []
        }
        return text.withUnsafeBytes { HMAC.sha256($0, key: key) }
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
        text.append(utf8: moment.day)
        text.append(UInt8(ascii: "/"))
        text.append(utf8: region)
        text.append(UInt8(ascii: "/"))
        text.append(utf8: dialect.service)
        text.append(UInt8(ascii: "/"))
        text.append(utf8: dialect.terminator)
    }
}
