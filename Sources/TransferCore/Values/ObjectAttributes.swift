#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What an object carries beside its bytes. Nil and empty mean "not given".
public struct ObjectAttributes: Sendable, Hashable {
    /// The `Content-Type` header.
    public var contentType: String?
    /// The `Cache-Control` header.
    public var cacheControl: String?
    /// The `Content-Disposition` header.
    public var contentDisposition: String?
    /// The `Content-Encoding` header.
    public var contentEncoding: String?
    /// The `Content-Language` header.
    public var contentLanguage: String?
    /// The `Expires` header, which caches read; not the life of the object.
    public var expires: Date?
    /// User metadata, names without the service's prefix. Values may hold any Unicode text; services that take only
    /// ASCII get them percent-encoded.
    public var metadata: [String: String]
    /// A storage class by the service's own name, such as `IA`.
    public var storageClass: String?
    /// A canned access-control list by the service's own name, such as `private`.
    public var acl: String?
    /// Object tags.
    public var tags: [String: String]
    /// Encryption at rest.
    public var encryption: ServerSideEncryption?

    /// Attributes of which those that are left out are not given.
    public init(
        contentType: String? = nil, cacheControl: String? = nil, contentDisposition: String? = nil,
        contentEncoding: String? = nil, contentLanguage: String? = nil, expires: Date? = nil,
        metadata: [String: String] = [:], storageClass: String? = nil, acl: String? = nil, tags: [String: String] = [:],
        encryption: ServerSideEncryption? = nil
    ) {
        self.contentType = contentType
        self.cacheControl = cacheControl
        self.contentDisposition = contentDisposition
        self.contentEncoding = contentEncoding
        self.contentLanguage = contentLanguage
        self.expires = expires
        self.metadata = metadata
        self.storageClass = storageClass
        self.acl = acl
        self.tags = tags
        self.encryption = encryption
    }
}

/// How a service encrypts an object at rest.
public enum ServerSideEncryption: Sendable, Hashable {
    /// By a key that the service manages, named by its algorithm, such as `AES256`.
    case managed(algorithm: String)
    /// By a key of the key-management service; nil for the account's default key.
    case keyManagement(keyID: String?)
    /// By a key that the caller sends with every request (SSE-C).
    case customerKey(EncryptionKey)
}

/// A key for encryption with customer-provided keys. Never printed, never stored: a checkpoint knows it only within the digest of the options.
public struct EncryptionKey: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The 32 bytes of an AES-256 key.
    public let bytes: [UInt8]

    /// Takes any number of bytes; a backend refuses what is no key before the first request.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    public var description: String { "EncryptionKey(\(bytes.count) bytes)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
