import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The leave to upload one file, before it is written as an answer.
struct VODPermit: Sendable {
    /// The members that name the medium, such as `VideoId`.
    let medium: [(name: String, value: String)]
    let endpoint: String
    let bucket: String
    let key: String
    let keys: StubAccount
    let region: String
    let now: Date

    /// The answer's document. Both blobs are base64 of JSON (VOD: upload URLs and credentials).
    func document(requestID: String) -> JSONText {
        let medium = medium.map { ($0.name, JSONText.string($0.value)) }
        return .object(
            [("RequestId", .string(requestID))] + medium + [
                ("UploadAddress", .string(Base64.encode(address.bytes))),
                ("UploadAuth", .string(Base64.encode(auth.bytes))),
            ])
    }

    private var address: JSONText {
        .object([("Endpoint", .string(endpoint)), ("Bucket", .string(bucket)), ("FileName", .string(key))])
    }

    /// `Expiration` counts seconds as text, and `ExpireUTCTime` is the moment.
    private var auth: JSONText {
        let expires = keys.expires ?? now
        let seconds = Int64(max(0, expires.timeIntervalSince(now).rounded(.down)))
        return .object([
            ("SecurityToken", .string(keys.sessionToken ?? "")), ("AccessKeyId", .string(keys.accessKey)),
            ("ExpireUTCTime", .string(WireDate.wholeSeconds(expires))), ("AccessKeySecret", .string(keys.secretKey)),
            ("Expiration", .string(String(seconds))), ("Region", .string(region)),
        ])
    }
}
