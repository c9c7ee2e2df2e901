#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What a service says of an object it holds.
public struct ObjectInfo: Sendable, Hashable {
    /// The kind of object, where a service has more than one.
    public enum Kind: Sendable, Hashable {
        /// An object that was put, or made of parts.
        case normal
        /// A link to another object; copied by one request, never in parts.
        case symlink
        /// An object that grows by appending; its data cannot be copied in parts.
        case appendable
    }

    /// Bytes.
    public var size: UInt64
    /// Nil when the service does not tell.
    public var etag: ETag?
    /// Nil when the service does not tell.
    public var lastModified: Date?
    /// Nil in a bucket without versions.
    public var versionID: String?
    /// Those of the whole object that the service tells.
    public var checksums: Checksums
    /// `.normal` where the service does not tell.
    public var kind: Kind
    /// The attributes that the service tells; the access-control list and tags are not among them.
    public var attributes: ObjectAttributes
    /// The number of tags, where the service tells it.
    public var tagCount: Int?

    /// What is left out is not known.
    public init(
        size: UInt64, etag: ETag? = nil, lastModified: Date? = nil, versionID: String? = nil,
        checksums: Checksums = [:], kind: Kind = .normal, attributes: ObjectAttributes = ObjectAttributes(),
        tagCount: Int? = nil
    ) {
        self.size = size
        self.etag = etag
        self.lastModified = lastModified
        self.versionID = versionID
        self.checksums = checksums
        self.kind = kind
        self.attributes = attributes
        self.tagCount = tagCount
    }
}
