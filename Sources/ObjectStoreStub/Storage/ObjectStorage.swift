import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Everything the server holds. Tests put objects in and look at what came of requests, past HTTP and signatures.
///
/// All of it is in memory, shared by reference where requests copy, and gone when the server is.
public final class ObjectStorage: Sendable {
    /// Why the storage refuses a call of a test.
    public enum Failure: Error, Hashable {
        /// There is no bucket of this name.
        case noSuchBucket(String)
        /// There is no object of this key, or its newest version is a delete marker.
        case noSuchObject(String)
        /// The byte lies outside the object, or only length and checksum are kept.
        case outOfRange
    }

    struct State: Sendable {
        var buckets: [String: Bucket] = [:]
        var nextID: UInt64 = 0
        /// How often each part was stored, by `bucket/key` and number; kept when the upload has ended.
        var storedParts: [String: [Int: Int]] = [:]
    }

    let state = LockBox(State())
    private let salt: UInt64
    private let digestLimit: UInt64
    private let clock: any TransferClock

    init(salt: UInt64, digestLimit: UInt64, clock: any TransferClock) {
        self.salt = salt
        self.digestLimit = digestLimit
        self.clock = clock
    }

    // MARK: Buckets

    /// Creates a bucket, or changes the settings of one that exists and keeps its objects.
    ///
    /// - Parameters:
    ///   - name: what it is called; any text.
    ///   - region: the region it lies in; a copy between buckets of two regions is refused. Default: the server's region.
    ///   - keepsVersions: whether each write adds a version with an id of its own. Default: false.
    ///   - isPublicRead: whether GET and HEAD of objects need no signature. Default: false.
    ///   - discardsUploads: whether only length and CRC-64 of uploaded bytes are kept. Default: false.
    public func createBucket(
        _ name: String, region: String? = nil, keepsVersions: Bool = false, isPublicRead: Bool = false,
        discardsUploads: Bool = false
    ) {
        state.withLock { state in
            var bucket = state.buckets[name] ?? Bucket(name: name)
            bucket.region = region
            bucket.keepsVersions = keepsVersions
            bucket.isPublicRead = isPublicRead
            bucket.discardsUploads = discardsUploads
            state.buckets[name] = bucket
        }
    }

    /// The names of all buckets, sorted.
    public var bucketNames: [String] { state.withLock { $0.buckets.keys.sorted() } }

    // MARK: Objects

    /// Stores an object as a PutObject would, and returns what was stored.
    ///
    /// - Throws: ``Failure/noSuchBucket(_:)``.
    @discardableResult
    public func putObject(
        _ key: String, in bucket: String, _ content: ObjectContent, attributes: ObjectAttributes = ObjectAttributes()
    ) throws -> StoredObject {
        let crc64 = content.crc64
        var object = StoredObject(
            bucket: bucket, key: key, content: content, etag: content.etag(digestLimit: digestLimit, crc64: crc64),
            crc64: crc64, lastModified: clock.now)
        object.attributes = attributes
        let versionID = newID()
        return try state.withLock { state in
            guard state.buckets[bucket] != nil else { throw Failure.noSuchBucket(bucket) }
            return state.buckets[bucket]?.store(object, versionID: versionID) ?? object
        }
    }

    /// The newest version of an object, or the named one; nil when there is none or a delete marker hides it.
    public func object(_ key: String, in bucket: String, versionID: String? = nil) -> StoredObject? {
        let found = state.withLock { state -> StoredObject? in
            guard let bucket = state.buckets[bucket] else { return nil }
            if let versionID { return bucket.version(versionID, of: key) }
            return bucket.newest(key)
        }
        return found?.isDeleteMarker == true ? nil : found
    }

    /// Every version of a key, the oldest first, delete markers included.
    public func versions(of key: String, in bucket: String) -> [StoredObject] {
        state.withLock { $0.buckets[bucket]?.versions[ExactKey(key)] ?? [] }
    }

    /// The keys of a bucket that have a visible object, sorted.
    public func keys(in bucket: String) -> [String] {
        state.withLock { state in
            (state.buckets[bucket]?.versions ?? [:]).compactMap { key, versions in
                versions.last?.isDeleteMarker == false ? key : nil
            }.sorted().map(\.text)
        }
    }

    /// Changes the newest version of an object in place: its kind, whether it is archived, its reported checksum.
    ///
    /// - Throws: ``Failure/noSuchObject(_:)``, and what `change` throws.
    public func updateObject(
        _ key: String, in bucket: String, _ change: (inout StoredObject) throws -> Void
    ) throws {
        guard var object = object(key, in: bucket) else { throw Failure.noSuchObject(key) }
        try change(&object)
        let changed = object
        state.withLock { state in
            guard let count = state.buckets[bucket]?.versions[ExactKey(key)]?.count, count > 0 else { return }
            state.buckets[bucket]?.versions[ExactKey(key)]?[count - 1] = changed
        }
    }

    /// Removes every version of an object.
    public func removeObject(_ key: String, in bucket: String) {
        state.withLock { state in
            _ = state.buckets[bucket]?.versions.removeValue(forKey: ExactKey(key))
        }
    }

    /// Inverts one stored byte, as a failing disk does: the reported checksum and ETag stay what they were.
    ///
    /// - Throws: ``Failure/noSuchObject(_:)``; ``Failure/outOfRange`` when the byte is outside or not kept.
    public func flipByte(at offset: UInt64, of key: String, in bucket: String) throws {
        try updateObject(key, in: bucket) { object in
            guard let content = object.content.flippingByte(at: offset) else { throw Failure.outOfRange }
            object.content = content
        }
    }

    // MARK: Uploads

    /// The open multipart uploads of a bucket in the order of their creation.
    public func uploads(in bucket: String) -> [StoredUpload] {
        state.withLock { state in
            guard let bucket = state.buckets[bucket] else { return [] }
            return bucket.uploadOrder.compactMap { bucket.uploads[$0] }
        }
    }

    /// Every open multipart upload of every bucket.
    public var uploads: [StoredUpload] { bucketNames.flatMap { uploads(in: $0) } }

    /// An open upload by its id.
    public func upload(_ id: String) -> StoredUpload? {
        state.withLock { state in
            state.buckets.values.lazy.compactMap { $0.uploads[id] }.first
        }
    }

    /// Removes an upload, as a life-cycle rule does: requests that name it are answered with NoSuchUpload from now on.
    @discardableResult
    public func expireUpload(_ id: String) -> Bool {
        state.withLock { state in
            for name in state.buckets.keys where state.buckets[name]?.uploads[id] != nil {
                return state.buckets[name]?.removeUpload(id) != nil
            }
            return false
        }
    }

    /// How often each part was stored with success, by `bucket/key` and part number, over all uploads to that key.
    ///
    /// A number above 1 is a part that was sent or copied again.
    public var storedPartCounts: [String: [Int: Int]] { state.withLock { $0.storedParts } }

    /// Removes one part of an open upload, as if it had never arrived.
    public func removePart(_ number: Int, of uploadID: String) {
        state.withLock { state in
            for name in state.buckets.keys {
                state.buckets[name]?.uploads[uploadID]?.partsByNumber[number] = nil
            }
        }
    }

    /// Puts other content in the place of one part of an open upload, as another client of it does.
    public func replacePart(_ number: Int, of uploadID: String, with content: ObjectContent) {
        let crc64 = content.crc64
        let part = StoredPart(
            number: number, content: content, etag: content.etag(digestLimit: digestLimit, crc64: crc64), crc64: crc64,
            lastModified: clock.now)
        state.withLock { state in
            for name in state.buckets.keys {
                state.buckets[name]?.uploads[uploadID]?.partsByNumber[number] = part
            }
        }
    }

    // MARK: Identities

    /// An id that no other object, upload or request of this server has: 24 hexadecimal digits.
    func newID() -> String {
        let number = state.withLock { state in
            state.nextID &+= 1
            return state.nextID
        }
        let digest = Digest.sha256("\(salt) \(number)".utf8)
        return Hex.encode(digest.prefix(12))
    }
}

extension ObjectStorage {
    func discardsUploads(to bucket: String) -> Bool { state.withLock { $0.buckets[bucket]?.discardsUploads ?? false } }

    /// The region a bucket was given; nil when there is none, or no such bucket.
    func region(of bucket: String) -> String? { state.withLock { $0.buckets[bucket]?.region } }

    /// Whether anybody may read an object: by its bucket's setting or its own access control list.
    func isPublicRead(_ bucket: String, _ key: String) -> Bool {
        state.withLock { state in
            guard let bucket = state.buckets[bucket] else { return false }
            return bucket.isPublicRead || bucket.newest(key)?.attributes.acl?.hasPrefix("public-read") == true
        }
    }
}
