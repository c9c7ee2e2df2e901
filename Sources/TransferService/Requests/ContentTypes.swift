/// The content type that a key's extension stands for, for objects whose type is not given, as the services' own clients do
/// (OSS: spec section 2.2; TOS: spec section 4.1).
package enum ContentTypes {
    /// Nil for an extension that is not known, and for none.
    package static func type(ofKey key: String) -> String? {
        let name = key.utf8.lastIndex(of: UInt8(ascii: "/")).map { key[key.utf8.index(after: $0)...] } ?? key[...]
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        return byExtension[name[name.utf8.index(after: dot)...].lowercased()]
    }

    private static let byExtension = [
        "mp4": "video/mp4", "m4v": "video/x-m4v", "mov": "video/quicktime", "flv": "video/x-flv",
        "avi": "video/x-msvideo", "wmv": "video/x-ms-wmv", "asf": "video/x-ms-asf", "mpg": "video/mpeg",
        "mpeg": "video/mpeg", "3gp": "video/3gpp", "webm": "video/webm", "mkv": "video/x-matroska",
        "ts": "video/mp2t", "m3u8": "application/vnd.apple.mpegurl",
        "mp3": "audio/mpeg", "wav": "audio/x-wav", "wma": "audio/x-ms-wma", "m4a": "audio/mp4", "aac": "audio/aac",
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif", "bmp": "image/bmp",
        "webp": "image/webp", "svg": "image/svg+xml", "tif": "image/tiff", "heic": "image/heic",
    ]
}
