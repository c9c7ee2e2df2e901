#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Which OpenAPI operation `getAuth` is to call.
public enum VODAuthKind: String, Sendable, Hashable, Codable, CaseIterable {
    /// CreateUploadVideo: a new video.
    case createVideo = "create-video"
    /// RefreshUploadVideo: fresh credentials for a video that exists.
    case refreshVideo = "refresh-video"
    /// CreateUploadImage: a new image.
    case createImage = "create-image"
}

/// What `getAuth` needs to know to build its request.
///
/// Encoded, it is one flat object: `kind`, `fileName`, `fileSize`, `videoId` and the fields of the meta object, each where it has
/// a value.
public struct VODAuthContext: Sendable, Hashable {
    /// The operation to call.
    public let kind: VODAuthKind
    /// The last path component; its extension decides the format at VOD.
    public let fileName: String
    /// Bytes.
    public let fileSize: UInt64
    /// The video whose credentials are asked for again; nil unless `kind` is `.refreshVideo`.
    public let videoId: String?
    /// What the video is to carry, as `VODUploadOptions` gave it.
    public let videoMeta: VODVideoMeta?
    /// What the image is to carry, as `VODUploadOptions` gave it.
    public let imageMeta: VODImageMeta?

    /// A context, for tests of a backend; an uploader makes its own.
    public init(
        kind: VODAuthKind, fileName: String, fileSize: UInt64, videoId: String? = nil, videoMeta: VODVideoMeta? = nil,
        imageMeta: VODImageMeta? = nil
    ) {
        self.kind = kind
        self.fileName = fileName
        self.fileSize = fileSize
        self.videoId = videoId
        self.videoMeta = videoMeta
        self.imageMeta = imageMeta
    }

    /// The context as JSON, as the body of a request to the application's own backend.
    public func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }
}

extension VODAuthContext: Encodable {
    private enum CodingKeys: String, CodingKey {
        case kind, fileName, fileSize, videoId
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .kind)
        try container.encode(fileName, forKey: .fileName)
        try container.encode(fileSize, forKey: .fileSize)
        try container.encodeIfPresent(videoId, forKey: .videoId)
        try videoMeta?.encode(to: encoder)
        try imageMeta?.encode(to: encoder)
    }
}
