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
    public var contentType: String?
    public var cacheControl: String?
    /// Characters outside ASCII, as in a file name, are sent percent-encoded.
    public var contentDisposition: String?
    public var contentEncoding: String?
    public var contentLanguage: String?
    /// The `Expires` header, which caches read.
    public var expires: Date?
    /// User metadata, names without `x-tos-meta-`. Names and values may hold any Unicode text and are sent
    /// percent-encoded; names come back in lower case.
    public var meta: [String: String] = [:]

    public var acl: TOSACL?
    /// Grantees by the service's own syntax, as in the three below.
    public var grantFullControl: String?
    public var grantRead: String?
    public var grantReadAcp: String?
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
    public var websiteRedirectLocation: String?
    /// Days until TOS deletes the object, at least 1.
    public var objectExpires: Int?

    public init() {}
}
