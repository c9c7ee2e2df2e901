#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
    var customerKeyMD5: String?
    var uploadID: String?
    var object: StoredObject?
    /// The bytes to send, when they are not the whole object.
    var range: Range<UInt64>?
    var completedParts: [StoredPart] = []
    var parts: PartsPage?
    var uploads: UploadsPage?
    var tagging: String?
}
