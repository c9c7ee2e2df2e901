#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What a source was when its transfer was planned. A resume continues only on the very same source.
public struct SourceIdentity: Sendable, Hashable, Codable {
    /// Bytes.
    public var size: UInt64
    /// The object that is copied; nil for a local source.
    public var object: ObjectLocation?
    /// The object's tag.
    public var etag: ETag?
    /// Seconds since 1970, to the precision that the source tells.
    public var lastModified: Date?
    /// The object's checksums.
    public var checksums: Checksums?
    /// The last path component of a local file.
    public var fileName: String?
    /// The full path of a local file. Advice for people and for stricter checks; no part of the identity.
    public var path: String?

    /// Fields that are not known are left out, and take no part in comparisons.
    public init(
        size: UInt64, object: ObjectLocation? = nil, etag: ETag? = nil, lastModified: Date? = nil,
        checksums: Checksums? = nil, fileName: String? = nil, path: String? = nil
    ) {
        self.size = size
        self.object = object
        self.etag = etag
        self.lastModified = lastModified
        self.checksums = checksums
        self.fileName = fileName
        self.path = path
    }

    /// Whether both are the same source with the same content, as far as either can tell.
    public func isSame(as other: SourceIdentity) -> Bool {
        size == other.size && object == other.object && etag == other.etag && fileName == other.fileName
            && lastModified.map(Self.milliseconds) == other.lastModified.map(Self.milliseconds)
            && hasSameChecksums(as: other)
    }

    /// Where both have the same tag a checksum may be missing: one service tells of it over one wire and not over another.
    private func hasSameChecksums(as other: SourceIdentity) -> Bool {
        let (mine, theirs) = (checksums ?? [:], other.checksums ?? [:])
        return etag == nil ? mine == theirs : mine.agrees(with: theirs)
    }

    /// Dates pass through text in a checkpoint; compare what survives that.
    private static func milliseconds(_ date: Date) -> Int64 {
        Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()) ?? .min
    }
}
