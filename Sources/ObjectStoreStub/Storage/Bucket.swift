/// One bucket with what is in it.
struct Bucket: Sendable {
    let name: String
    /// Nil stands for the server's own.
    var region: String?
    var keepsVersions = false
    var isPublicRead = false
    var discardsUploads = false
    /// The versions of each key, the newest last.
    var versions: [ExactKey: [StoredObject]] = [:]
    var uploads: [String: StoredUpload] = [:]
    /// Uploads in the order in which they were created.
    var uploadOrder: [String] = []

    /// The newest version of a key, a delete marker included.
    func newest(_ key: String) -> StoredObject? { versions[ExactKey(key)]?.last }

    func version(_ id: String, of key: String) -> StoredObject? {
        versions[ExactKey(key)]?.first { $0.versionID == id || ($0.versionID == nil && id == "null") }
    }

    /// Adds a version, or replaces the only one; the new version's id is `versionID` when versions are kept.
    mutating func store(_ object: StoredObject, versionID: String) -> StoredObject {
        var object = object
        let key = ExactKey(object.key)
        object.versionID = keepsVersions ? versionID : nil
        if !keepsVersions { versions[key]?.removeAll { $0.versionID == nil } }
        versions[key, default: []].append(object)
        return object
    }

    mutating func removeUpload(_ id: String) -> StoredUpload? {
        uploadOrder.removeAll { $0 == id }
        return uploads.removeValue(forKey: id)
    }
}

extension Bucket {
    /// Whether every service would take the name: 3 to 63 of small letters, digits and hyphens, none of these at an end.
    static func isName(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        func isLetterOrDigit(_ byte: UInt8?) -> Bool {
            guard let byte else { return false }
            return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        return (3...63).contains(bytes.count) && isLetterOrDigit(bytes.first) && isLetterOrDigit(bytes.last)
            && bytes.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
    }
}

/// A key compared byte by byte. Two texts that Unicode calls equivalent are two keys to every service.
struct ExactKey: Hashable, Comparable, Sendable {
    let text: String
    private let bytes: [UInt8]

    init(_ text: String) {
        self.text = text
        bytes = Array(text.utf8)
    }

    static func == (a: ExactKey, b: ExactKey) -> Bool { a.bytes == b.bytes }
    static func < (a: ExactKey, b: ExactKey) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }
    func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
