#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// One version of an object, or the delete marker that hides the versions before it.
public struct StoredObject: Sendable {
    /// The kinds that services report in `x-tos-object-type`; nil stands for an ordinary object.
    public enum Kind: String, Sendable {
        /// A link to another object.
        case symlink = "Symlink"
        /// An object that grows by appending; it cannot be copied in parts.
        case appendable = "Appendable"
    }

    /// The bucket it lies in.
    public let bucket: String
    /// Its key, not encoded.
    public let key: String
    /// Its bytes, or their length and checksum.
    public var content: ObjectContent
    /// Without quotes.
    public var etag: String
    /// The checksum the server reports; nil when it cannot know it.
    public var crc64: UInt64?
    /// What the request that made it said of it.
    public var attributes = ObjectAttributes()
    /// When it was stored, by the server's clock.
    public var lastModified: Date
    /// Nil in a bucket without versions.
    public var versionID: String?
    /// Whether it only hides the versions before it.
    public var isDeleteMarker = false
    /// Nil for an ordinary object.
    public var kind: Kind?
    /// Whether the object must be restored before it can be read or copied.
    public var isArchived = false
    /// Base64 of the MD5 of the customer's key that encrypts it. The key itself is never kept.
    public var customerKeyMD5: String?

    /// Bytes.
    public var length: UInt64 { content.length }
}

/// One part of an open multipart upload.
public struct StoredPart: Sendable {
    /// 1 to 10,000, unless a quirk allows more.
    public let number: Int
    /// Its bytes, or their length and checksum.
    public var content: ObjectContent
    /// Without quotes.
    public var etag: String
    /// CRC-64/XZ; nil when the server cannot know it.
    public var crc64: UInt64?
    /// When it was stored, by the server's clock.
    public var lastModified: Date

    /// Bytes.
    public var length: UInt64 { content.length }
}

/// An open multipart upload.
public struct StoredUpload: Sendable {
    /// The id that requests name.
    public let id: String
    /// The bucket of the object that it will make.
    public let bucket: String
    /// The key of the object that it will make, not encoded.
    public let key: String
    /// When it was created, by the server's clock.
    public let initiated: Date
    /// What the request that created it said of the object.
    public var attributes = ObjectAttributes()
    /// Base64 of the MD5 of the customer's key; nil without one.
    public var customerKeyMD5: String?
    /// Whether Complete refuses to replace an object, because the request that created it said so.
    public var forbidsOverwrite = false
    /// The parts that are stored.
    public internal(set) var partsByNumber: [Int: StoredPart] = [:]

    /// The parts by rising number.
    public var parts: [StoredPart] { partsByNumber.values.sorted { $0.number < $1.number } }
}
