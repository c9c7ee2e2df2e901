/// What is kept with an object beside its bytes, as the request that made it said it.
public struct ObjectAttributes: Sendable, Hashable {
    /// The `Content-Type` header.
    public var contentType: String?
    /// The `Cache-Control` header.
    public var cacheControl: String?
    /// The `Content-Disposition` header, still encoded.
    public var contentDisposition: String?
    /// The `Content-Encoding` header.
    public var contentEncoding: String?
    /// The `Content-Language` header.
    public var contentLanguage: String?
    /// The `Expires` header, an HTTP date, unread.
    public var expires: String?
    /// User metadata under lower-case names without the provider's prefix; values as on the wire, still encoded.
    public var metadata: [String: String] = [:]
    /// Absent means the service's standard class.
    public var storageClass: String?
    /// The canned access-control list, by the service's own name.
    public var acl: String?
    /// Grants under their header name without the provider's prefix, such as `grant-read`.
    public var grants: [String: String] = [:]
    /// `k1=v1&k2=v2`, each part percent-encoded.
    public var tagging: String?
    /// Where a website sends readers of the object; TOS and S3 have it.
    public var websiteRedirectLocation: String?
    /// The days for which the object is kept, which TOS alone has. Nothing is removed when they are over.
    public var expiresAfterDays: Int?
    /// `AES256` or `kms`; not for keys of the customer's own, of which only the MD5 is kept.
    public var serverSideEncryption: String?
    /// The key of the key-management service.
    public var encryptionKeyID: String?
    /// The algorithm for the data when the service's key is KMS's, such as `SM4`; OSS alone has it.
    public var dataEncryption: String?

    /// An object of which nothing was said.
    public init() {}

    /// The number of tags.
    public var taggingCount: Int { tagging?.split(separator: "&").count ?? 0 }
}
