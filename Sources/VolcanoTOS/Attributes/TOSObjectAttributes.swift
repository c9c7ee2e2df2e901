public import TransferCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What an object is to carry beside its bytes. Nil, empty and false mean "not asked for".
///
/// Inputs that write an object offer these fields as their own: `input.contentType` is `input.attributes.contentType`.
public struct TOSObjectAttributes: Sendable, Hashable {
    /// The `Content-Type` that is stored with the object. Nil for the type that the key's extension stands for; where it stands
    /// for none, the service names one.
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
    /// User metadata, names without `x-tos-meta-`. Names and values may hold any Unicode text and are sent percent-encoded, by
    /// the S3-compatible wire only where a header needs it; names come back in lower case.
    public var meta: [String: String] = [:]

    /// Nil for what the bucket's own list says.
    public var acl: TOSACL?
    /// Grantees by the service's own syntax, as in the three below.
    public var grantFullControl: String?
    /// Who may read the object.
    public var grantRead: String?
    /// Who may read the object's access-control list.
    public var grantReadAcp: String?
    /// Who may write the object's access-control list.
    public var grantWriteAcp: String?

    /// Nil for the bucket's own class.
    public var storageClass: TOSStorageClass?
    /// `AES256` for keys that TOS manages, `kms` for keys of the key-management service.
    public var serverSideEncryption: String?
    /// The key of the key-management service; only with `kms`, nil for the account's default key.
    public var serverSideEncryptionKeyID: String?
    /// 32 bytes: encryption with a key of the caller's own (SSE-C). The service keeps no copy.
    public var ssecKey: EncryptionKey?

    /// Object tags.
    public var tagging: [String: String] = [:]
    /// Refuses to replace an object that exists (`.preconditionFailed` or `.conflict`, as the service puts it).
    public var forbidOverwrite = false
    /// Where a bucket that is a website sends readers of the object: a path, or an `http` or `https` URL.
    public var websiteRedirectLocation: String?
    /// Days until TOS deletes the object, at least 1.
    public var objectExpires: Int?

    /// With nothing asked for.
    public init() {}
}
