/// What is kept with an object beside its bytes, as the request that made it said it.
public struct ObjectAttributes: Sendable, Hashable {
    public var contentType: String?
    public var cacheControl: String?
    public var contentDisposition: String?
    public var contentEncoding: String?
    public var contentLanguage: String?
    /// The `Expires` header, an HTTP date, unread.
    public var expires: String?
    /// User metadata under lower-case names without the provider's prefix; values as on the wire, still encoded.
    public var metadata: [String: String] = [:]
    /// Absent means the service's standard class.
    public var storageClass: String?
    public var acl: String?
    /// Grants under their header name without the provider's prefix, such as `grant-read`.
    public var grants: [String: String] = [:]
    /// `k1=v1&k2=v2`, each part percent-encoded.
    public var tagging: String?
    public var websiteRedirectLocation: String?
    /// `AES256` or `kms`; not for keys of the customer's own, of which only the MD5 is kept.
    public var serverSideEncryption: String?
    public var encryptionKeyID: String?
    /// The algorithm for the data when the service's key is KMS's, such as `SM4`; OSS alone has it.
    public var dataEncryption: String?

    public init() {}

    /// The number of tags.
    public var taggingCount: Int { tagging?.split(separator: "&").count ?? 0 }
}
