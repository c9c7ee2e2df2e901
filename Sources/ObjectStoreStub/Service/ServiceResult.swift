#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What answers say of how an object is encrypted.
struct EncryptionNote: Sendable {
    var algorithm: String?
    var dataAlgorithm: String?
    var keyID: String?
    var customerKeyMD5: String?

    init() {}

    init(_ attributes: ObjectAttributes, customerKeyMD5: String?) {
        algorithm = attributes.serverSideEncryption
        dataAlgorithm = attributes.dataEncryption
        keyID = attributes.encryptionKeyID
        self.customerKeyMD5 = customerKeyMD5
    }
}

/// What came of a call; each operation fills in what it has, and the dialect writes what its answer carries.
struct ServiceResult: Sendable {
    struct UploadsPage: Sendable {
        var uploads: [StoredUpload] = []
        var commonPrefixes: [String] = []
        var limit = 1000
        var isTruncated = false
        var nextKeyMarker = ""
        var nextUploadIDMarker = ""
    }

    struct PartsPage: Sendable {
        var upload: StoredUpload
        var parts: [StoredPart] = []
        var limit = 1000
        var isTruncated = false
        var nextMarker = 0
    }

    /// Without quotes; the dialect adds them.
    var etag: String?
    var crc64: UInt64?
    var lastModified: Date?
    var versionID: String?
    var sourceVersionID: String?
    var isDeleteMarker = false
    var encryption = EncryptionNote()
    /// The MD5 of the body that was stored, when it is known.
    var contentMD5: [UInt8]?
    var uploadID: String?
    var object: StoredObject?
    /// The bytes to send, when they are not the whole object.
    var range: Range<UInt64>?
    var completedParts: [StoredPart] = []
    var parts: PartsPage?
    var uploads: UploadsPage?
    var tagging: String?
}
