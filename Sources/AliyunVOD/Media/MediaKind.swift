/// What a file becomes at VOD.
enum MediaKind: String, Sendable, Hashable {
    case video, image

    /// The extensions that make a file an image (VOD: "Upload files using the iOS SDK").
    static let imageExtensions: Set = ["jpg", "jpeg", "png", "gif", "bmp", "webp", "heic"]

    /// An image by its extension, in any case, or because the caller says so; everything else is a video.
    init(fileName: String, options: VODUploadOptions) {
        let isImage = Self.fileExtension(of: fileName).map(Self.imageExtensions.contains) ?? false
        self = isImage || options.imageMeta != nil ? .image : .video
    }

    /// The last extension in lower case; nil for a name without one, or with a leading dot alone.
    static func fileExtension(of fileName: String) -> String? {
        guard let dot = fileName.lastIndex(of: "."), dot != fileName.startIndex else { return nil }
        let text = fileName[fileName.index(after: dot)...]
        return text.isEmpty ? nil : text.lowercased()
    }
}
