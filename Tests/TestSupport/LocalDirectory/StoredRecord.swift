import TransferCore
import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a directory keeps of an object beside its bytes.
struct StoredObjectRecord: Codable, Sendable {
    var bytes: StoredBytes
    var etag: String
    var modified: Date
    var attributes: StoredAttributes

    var info: ObjectInfo {
        ObjectInfo(
            size: bytes.size, etag: ETag(etag), lastModified: modified, checksums: Checksums(crc64: bytes.crc64),
            attributes: attributes.value, tagCount: attributes.tags.count)
    }

    var receipt: TransferReceipt {
        TransferReceipt(etag: ETag(etag), size: bytes.size, checksums: Checksums(crc64: bytes.crc64))
    }
}

/// What it keeps of an upload.
struct StoredUploadRecord: Codable {
    var key: String
    var attributes: StoredAttributes
}

/// And of a part.
struct StoredPartRecord: Codable {
    var number: Int
    var bytes: StoredBytes

    var part: CompletedPart {
        CompletedPart(
            number: number, etag: ETag(bytes.md5), size: bytes.size, checksums: Checksums(crc64: bytes.crc64),
            isConfirmed: true)
    }
}

/// A file of bytes that never change.
struct StoredBytes: Codable, Sendable {
    /// The file's name.
    var name: String
    var size: UInt64
    var crc64: UInt64
    /// In hexadecimal digits.
    var md5: String
}

/// Attributes in a form that a file can hold. Rights and encryption are no affair of a directory.
struct StoredAttributes: Codable {
    var contentType: String?
    var cacheControl: String?
    var contentDisposition: String?
    var contentEncoding: String?
    var contentLanguage: String?
    var expires: Date?
    var metadata: [String: String]
    var tags: [String: String]

    init(_ value: ObjectAttributes) {
        contentType = value.contentType
        cacheControl = value.cacheControl
        contentDisposition = value.contentDisposition
        contentEncoding = value.contentEncoding
        contentLanguage = value.contentLanguage
        expires = value.expires
        metadata = value.metadata
        tags = value.tags
    }

    /// Without the tags, which no service tells with the rest.
    var value: ObjectAttributes {
        ObjectAttributes(
            contentType: contentType, cacheControl: cacheControl, contentDisposition: contentDisposition,
            contentEncoding: contentEncoding, contentLanguage: contentLanguage, expires: expires, metadata: metadata)
    }
}
