#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// One version of an object, or the delete marker that hides the versions before it.
public struct StoredObject: Sendable {
    /// The kinds that services report in `x-tos-object-type`; nil stands for an ordinary object.
    public enum Kind: String, Sendable {
        case symlink = "Symlink"
        case appendable = "Appendable"
    }

    public let bucket: String
    public let key: String
    public var content: ObjectContent
    /// Without quotes.
    public var etag: String
    /// The checksum the server reports; nil when it cannot know it.
    public var crc64: UInt64?
    public var attributes = ObjectAttributes()
    public var lastModified: Date
    /// Nil in a bucket without versions.
    public var versionID: String?
    public var isDeleteMarker = false
    public var kind: Kind?
    /// Whether the object must be restored before it can be read or copied.
    public var isArchived = false
    /// Base64 of the MD5 of the customer's key that encrypts it. The key itself is never kept.
    public var customerKeyMD5: String?

    public var length: UInt64 { content.length }
}

/// One part of an open multipart upload.
public struct StoredPart: Sendable {
    public let number: Int
    public var content: ObjectContent
    /// Without quotes.
    public var etag: String
    public var crc64: UInt64?
    public var lastModified: Date

    public var length: UInt64 { content.length }
}

/// An open multipart upload.
public struct StoredUpload: Sendable {
    public let id: String
    public let bucket: String
    public let key: String
    public let initiated: Date
    public var attributes = ObjectAttributes()
    public var customerKeyMD5: String?
    public var forbidsOverwrite = false
    public internal(set) var partsByNumber: [Int: StoredPart] = [:]

    /// The parts by rising number.
    public var parts: [StoredPart] { partsByNumber.values.sorted { $0.number < $1.number } }
}
