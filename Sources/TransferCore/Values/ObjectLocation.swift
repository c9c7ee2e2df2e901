/// Where an object is: bucket, key and, for a source, its version. The key is kept byte for byte, never normalised.
public struct ObjectLocation: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The name of the bucket, or of whatever holds objects at the backend.
    public var bucket: String
    /// The key, not encoded.
    public var key: String
    /// The version to read; nil for the current one. Ignored where an object is written.
    public var versionID: String?

    /// Any text; the backend says which names it takes.
    public init(bucket: String, key: String, versionID: String? = nil) {
        self.bucket = bucket
        self.key = key
        self.versionID = versionID
    }

    public var description: String { "\(bucket)/\(key)" + (versionID.map { "?versionId=\($0)" } ?? "") }

    /// Swift compares strings by canonical equivalence; two keys that differ only in Unicode form are two objects.
    public static func == (a: ObjectLocation, b: ObjectLocation) -> Bool {
        a.bucket.utf8.elementsEqual(b.bucket.utf8) && a.key.utf8.elementsEqual(b.key.utf8)
            && (a.versionID ?? "").utf8.elementsEqual((b.versionID ?? "").utf8)
    }

    /// No version and an empty one are the same, here too.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bucket)
        hasher.combine(key)
        hasher.combine(versionID ?? "")
    }
}
