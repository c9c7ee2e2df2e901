/// What distinguishes one signature of the V4 family from the others. The algorithm is the same for all.
package struct V4Dialect: Sendable {
    /// The names of the parameters of a presigned URL.
    package struct QueryNames: Sendable {
        package var algorithm: String
        package var credential: String
        package var date: String
        package var expires: String
        package var securityToken: String
        package var headers: String
        package var signature: String
    }

    /// Which headers are signed when a request has them.
    package struct HeaderRule: Sendable {
        /// Lower-case names; `host` stands for what the transport will send.
        package var names: [String]
        /// Whether those that begin with `headerPrefix` are, too.
        package var includesPrefixed: Bool
    }

    /// Which names a signature lists.
    package enum Listing: Sendable {
        /// All signed ones.
        case signed
        /// Only those that are not signed by rule.
        case additional
    }

    /// The first line of the string to sign.
    package var algorithm: String
    /// What stands before the secret at the root of the key chain.
    package var keyPrefix: String
    /// The product in the credential scope.
    package var service: String
    /// The end of the credential scope.
    package var terminator: String
    /// In lower case, up to and including the last hyphen.
    package var headerPrefix: String
    package var queryNames: QueryNames
    package var signed: HeaderRule
    package var presigned: HeaderRule
    package var listing: Listing
    /// How the list of names is called in `Authorization`.
    package var listName: String
    /// What stands between the parts of `Authorization`.
    package var separator: String
    /// Whether `…content-sha256: UNSIGNED-PAYLOAD` is added to a request that has no such header.
    package var sendsPayloadHeader: Bool
    /// The payload line of a request without that header.
    package var payloadWithoutHeader: String
    /// Whether an empty query value keeps its `=` in the canonical request.
    package var keepsEmptyValues: Bool
    /// Whether inner runs of blanks in header values count as one.
    package var foldsBlanks: Bool

    package static let unsignedPayload = "UNSIGNED-PAYLOAD"
    /// SHA-256 of nothing.
    package static let emptyPayload = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
}

extension V4Dialect {
    /// Volcano Engine TOS, native endpoint (TOS specification, sections 5.1 and 5.2).
    package static let tos4 = V4Dialect(
        algorithm: "TOS4-HMAC-SHA256", keyPrefix: "", service: "tos", terminator: "request", headerPrefix: "x-tos-",
        queryNames: QueryNames(
            algorithm: "X-Tos-Algorithm", credential: "X-Tos-Credential", date: "X-Tos-Date", expires: "X-Tos-Expires",
            securityToken: "X-Tos-Security-Token", headers: "X-Tos-SignedHeaders", signature: "X-Tos-Signature"),
        signed: HeaderRule(names: ["content-type", "host"], includesPrefixed: true),
        presigned: HeaderRule(names: ["host"], includesPrefixed: false),
        listing: .signed, listName: "SignedHeaders", separator: ", ",
        sendsPayloadHeader: true, payloadWithoutHeader: emptyPayload, keepsEmptyValues: true, foldsBlanks: true)

    /// S3 and services that speak it (TOS specification, section 5.4).
    package static let aws4 = V4Dialect(
        algorithm: "AWS4-HMAC-SHA256", keyPrefix: "AWS4", service: "s3", terminator: "aws4_request",
        headerPrefix: "x-amz-",
        queryNames: QueryNames(
            algorithm: "X-Amz-Algorithm", credential: "X-Amz-Credential", date: "X-Amz-Date", expires: "X-Amz-Expires",
            securityToken: "X-Amz-Security-Token", headers: "X-Amz-SignedHeaders", signature: "X-Amz-Signature"),
        signed: HeaderRule(names: ["content-md5", "content-type", "host"], includesPrefixed: true),
        presigned: HeaderRule(names: ["host"], includesPrefixed: true),
        listing: .signed, listName: "SignedHeaders", separator: ", ",
        sendsPayloadHeader: true, payloadWithoutHeader: emptyPayload, keepsEmptyValues: true, foldsBlanks: true)

    /// Aliyun OSS (Aliyun specification, sections 3.2 and 3.3). Requests need `canonicalPath`.
    package static let oss4 = V4Dialect(
        algorithm: "OSS4-HMAC-SHA256", keyPrefix: "aliyun_v4", service: "oss", terminator: "aliyun_v4_request",
        headerPrefix: "x-oss-",
        queryNames: QueryNames(
            algorithm: "x-oss-signature-version", credential: "x-oss-credential", date: "x-oss-date",
            expires: "x-oss-expires", securityToken: "x-oss-security-token", headers: "x-oss-additional-headers",
            signature: "x-oss-signature"),
        signed: HeaderRule(names: ["content-md5", "content-type"], includesPrefixed: true),
        presigned: HeaderRule(names: ["content-md5", "content-type"], includesPrefixed: true),
        listing: .additional, listName: "AdditionalHeaders", separator: ",",
        sendsPayloadHeader: true, payloadWithoutHeader: unsignedPayload, keepsEmptyValues: false, foldsBlanks: false)
}
