internal import TransferCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A part that the service holds.
public struct OSSUploadedPart: Sendable, Hashable {
    /// 1 to 10,000.
    public var partNumber: Int
    /// With or without quotes: both forms are taken everywhere.
    public var eTag: String
    /// Bytes; nil where it is not known.
    public var size: UInt64?
    /// CRC-64/XZ as the service computed it; nil where it is not known.
    public var hashCrc64ecma: UInt64?
    /// Nil when the service does not tell.
    public var lastModified: Date?

    /// A part by its number and ETag, which are all that completing an upload needs.
    public init(
        partNumber: Int, eTag: String, size: UInt64? = nil, hashCrc64ecma: UInt64? = nil, lastModified: Date? = nil
    ) {
        self.partNumber = partNumber
        self.eTag = eTag
        self.size = size
        self.hashCrc64ecma = hashCrc64ecma
        self.lastModified = lastModified
    }

    var completed: CompletedPart {
        CompletedPart(
            number: partNumber, etag: ETag(eTag), size: size, checksums: Checksums(crc64: hashCrc64ecma),
            isConfirmed: hashCrc64ecma != nil)
    }
}
