internal import TransferCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A video whose upload stopped, as it is recorded.
public struct VODPendingUpload: Sendable, Hashable {
    /// The video that was begun.
    public let videoId: String
    /// The last path component.
    public let fileName: String
    /// Where the file was.
    public let path: String?
    /// Bytes.
    public let fileSize: UInt64
    /// When the file was last modified, as of the upload's beginning.
    public let lastModified: Date?
    /// OSS's id of the multipart upload.
    public let uploadId: String
    /// Parts, and their bytes, that are stored.
    public let partsDone: Int
    /// Parts of the file; nil when the record does not tell.
    public let partCount: Int?
    /// Bytes of the parts that are stored.
    public let bytesDone: UInt64
    /// Where the record is, for people.
    public let location: String

    let source: SourceIdentity

    /// Nil for a record of something else.
    init?(_ summary: CheckpointSummary) {
        guard summary.provider == VODProvider.name, let videoID = summary.extras[VODProvider.videoID],
            let fileName = summary.source.fileName
        else { return nil }
        videoId = videoID
        self.fileName = fileName
        path = summary.source.path
        fileSize = summary.source.size
        lastModified = summary.source.lastModified
        uploadId = summary.uploadID
        partsDone = summary.partsDone
        partCount = summary.partCount
        bytesDone = summary.bytesDone
        location = summary.location
        source = summary.source
    }
}
