internal import TransferCore
internal import TransferPrimitives

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// One upload, checked as far as it can be before anybody is asked for credentials.
struct UploadRequest: Sendable {
    let source: UploadSource
    let media: MediaKind
    let options: VODUploadOptions
    /// Bytes; nil when the caller asked for none.
    let partSize: UInt64?
    let parallel: Int

    /// Throws `.fileUnreadable`, or `.invalidArgument` naming the field.
    init(_ path: String, _ options: VODUploadOptions, _ config: VODUploadConfig) throws {
        try options.check()
        source = try UploadSource.file(path)
        media = MediaKind(fileName: source.name, options: options)
        self.options = options
        partSize = (options.partSize ?? config.partSize).flatMap { $0 == 0 ? nil : UInt64(exactly: $0) }
        parallel = options.parallel ?? config.parallel
        if media == .video {
            // A size that was asked for and cannot fit is refused now; the default grows instead.
            _ = try PartPlan(size: source.source.length, requested: partSize, limits: PartRules.limits)
        }
    }

    var file: UploadSession.File {
        UploadSession.File(
            name: source.name, size: source.source.length, videoMeta: media == .video ? options.videoMeta : nil,
            imageMeta: media == .image ? options.imageMeta ?? options.videoMeta.map { VODImageMeta($0) } : nil)
    }

    /// Bytes up to which one request makes the object: one part for a video, anything for an image.
    var singleRequestLimit: UInt64 {
        media == .image ? .max : partSize ?? PartRules.limits.defaultSize
    }
}

extension CheckpointID {
    /// Under which the upload of a video is recorded: modification time in milliseconds, last path component, size (spec
    /// section 5.4). The same file under another path is the same upload.
    init(video source: SourceIdentity) {
        let milliseconds = source.lastModified.flatMap {
            Int64(exactly: ($0.timeIntervalSince1970 * 1000).rounded())
        }
        self.init(
            kind: .upload,
            [
                VODProvider.name, milliseconds.map(String.init) ?? "", source.fileName ?? "", String(source.size),
            ])
    }
}
