#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What an object is to carry beside its bytes. Nil, empty and false mean "not asked for".
///
/// Inputs that write an object offer these fields as their own: `input.contentType` is `input.attributes.contentType`.
/// OSS: "PutObject", "InitiateMultipartUpload".
public struct OSSObjectAttributes: Sendable, Hashable {
    /// Nil for the type that the key's extension stands for, `application/octet-stream` where it stands for none.
    public var contentType: String?
    /// The `Cache-Control` that is stored with the object.
    public var cacheControl: String?
    /// Characters outside ASCII, as in a file name, are sent percent-encoded.
    public var contentDisposition: String?
    /// The `Content-Encoding` that is stored with the object.
    public var contentEncoding: String?
    /// The `Content-Language` that is stored with the object.
    public var contentLanguage: String?
    /// The `Expires` header, which caches read.
    public var expires: Date?
    /// User metadata, names without `x-oss-meta-`. A name has letters, digits and hyphens, and comes back in lower case; any
    /// that no header can have is refused. A value may be any text: what is not printable ASCII is sent percent-encoded,
    /// and read back decoded. Blanks around a value are dropped.
    public var metadata: [String: String] = [:]

    /// Nil for what the bucket's own list says.
    public var acl: OSSACL?
    /// Nil for the bucket's own class.
    public var storageClass: OSSStorageClass?
    /// `AES256` or `SM4` for keys that OSS manages, `KMS` for keys of the key-management service.
    public var serverSideEncryption: String?
    /// The key of the key-management service; only with `KMS`, nil for the account's default key.
    public var serverSideEncryptionKeyID: String?
    /// `SM4` for data keys of that algorithm; only with `KMS`.
    public var serverSideDataEncryption: String?

    /// Object tags.
    public var tagging: [String: String] = [:]
    /// Refuses to replace an object that exists (`.preconditionFailed`). Without effect in a bucket with versions. When the
    /// error tells of more than one attempt, the object may be what an earlier attempt stored, whose answer was lost;
    /// `uploadFile` and `resumableCopyObject` look.
    public var forbidOverwrite = false
    /// A request that OSS makes once the object stands. Not for copies.
    public var callback: OSSCallback?

    /// With nothing asked for.
    public init() {}
}
