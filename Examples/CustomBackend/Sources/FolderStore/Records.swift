import Foundation
import ObjectTransfer

/// Bytes in a file that never changes.
struct StoredBytes: Codable {
    /// The file's name.
    var name: String
    var size: UInt64
    var crc64: UInt64

    /// Not an MD5 and none to look at: any text will do that changes with the bytes.
    var etag: ETag { ETag("\(String(crc64, radix: 16))/\(size)") }
    var checksums: Checksums { Checksums(crc64: crc64) }
}

/// What stands beside the bytes of an object.
struct ObjectRecord: Codable {
    var bytes: StoredBytes
    var modified: Date
    var description: Description

    var info: ObjectInfo {
        ObjectInfo(
            size: bytes.size, etag: bytes.etag, lastModified: modified, checksums: bytes.checksums,
            attributes: description.attributes)
    }
}

/// What an upload will make.
struct UploadRecord: Codable {
    var key: String
    var description: Description
}

/// The attributes that a folder keeps.
struct Description: Codable {
    var contentType: String?
    var cacheControl: String?
    var contentDisposition: String?
    var metadata: [String: String]

    init(_ attributes: ObjectAttributes) {
        contentType = attributes.contentType
        cacheControl = attributes.cacheControl
        contentDisposition = attributes.contentDisposition
        metadata = attributes.metadata
    }

    var attributes: ObjectAttributes {
        ObjectAttributes(
            contentType: contentType, cacheControl: cacheControl, contentDisposition: contentDisposition,
            metadata: metadata)
    }
}
