/// The parameters of a VOD operation by their OpenAPI names, and the rules they obey (VOD: CreateUploadVideo,
/// CreateUploadImage).
struct VODParameters: Sendable {
    let values: [String: String]

    /// The value of a parameter; one that is empty counts as absent.
    subscript(_ name: String) -> String? {
        values[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    func checkVideo() throws(ServiceFailure) {
        _ = try required("Title")
        let fileName = try required("FileName")
        guard let fileExtension, Self.mediaExtensions.contains(fileExtension) else {
            throw ServiceFailure(
                400, "InvalidParameter.FileName", "The specified parameter FileName is invalid: \(fileName).")
        }
        if let size = self["FileSize"], UInt64(size) == nil {
            throw .invalidParameter("FileSize", "it is no number of bytes")
        }
        try checkMeta()
    }

    func checkImage() throws(ServiceFailure) {
        let type = try required("ImageType")
        guard type == "default" || type == "cover" else {
            throw .invalidParameter("ImageType", "it is default or cover")
        }
        guard Self.imageExtensions.contains(imageExtension) else {
            throw .invalidParameter("ImageExt", "it is one of \(Self.imageExtensions.sorted().joined(separator: ", "))")
        }
        try checkMeta()
    }

    private func checkMeta() throws(ServiceFailure) {
        if let title = self["Title"], title.count > 128 {
            throw .invalidParameter("Title", "it has more than 128 characters")
        }
        if let description = self["Description"], description.count > 1_024 {
            throw .invalidParameter("Description", "it has more than 1024 characters")
        }
        if let tags = self["Tags"]?.split(separator: ",", omittingEmptySubsequences: false) {
            guard tags.count <= 16 else { throw .invalidParameter("Tags", "there are more than 16") }
            guard tags.allSatisfy({ $0.count <= 32 }) else {
                throw .invalidParameter("Tags", "one has more than 32 characters")
            }
        }
        if let category = self["CateId"], Int64(category) == nil {
            throw .invalidParameter("CateId", "it is no number")
        }
        if let userData = self["UserData"], JSONMembers(Array(userData.utf8)) == nil {
            throw .invalidParameter("UserData", "it is no JSON object")
        }
        if let reference = self["ReferenceId"] {
            let isPlain = reference.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
            guard isPlain, (6...64).contains(reference.utf8.count) else {
                throw .invalidParameter("ReferenceId", "it has 6 to 64 letters, digits, hyphens and underscores")
            }
        }
    }

    private func required(_ name: String) throws(ServiceFailure) -> String {
        guard let value = self[name] else { throw .missingParameter(name) }
        return value
    }

    // MARK: What they mean

    /// The extension of `FileName` in lower case.
    var fileExtension: String? {
        guard let name = self["FileName"]?.split(separator: "/", omittingEmptySubsequences: false).last,
            let dot = name.lastIndex(of: ".")
        else { return nil }
        return name[name.index(after: dot)...].lowercased()
    }

    /// `ImageExt`, or `png` without one: the extension of `OriginalFileName` decides nothing (VOD: CreateUploadImage).
    var imageExtension: String { self["ImageExt"] ?? "png" }

    /// The bucket of a `StorageLocation` such as `outin-0123.oss-cn-shanghai.aliyuncs.com`.
    var storageBucket: String? {
        self["StorageLocation"]?.split(separator: ".").first.map { String($0) }
    }

    /// Whether `UserData` asks for transfer acceleration, flat or in an `AccelerateConfig`.
    var asksForAcceleration: Bool {
        guard let members = self["UserData"].flatMap({ JSONMembers(Array($0.utf8)) }) else { return false }
        return [members, members.object("AccelerateConfig")].contains { members in
            members?["Type"] == "oss" && members?["Domain"]?.hasPrefix("oss-accelerate") == true
        }
    }

    static let imageExtensions: Set = ["png", "jpg", "jpeg", "gif", "heic", "webp"]

    private static let mediaExtensions: Set = [
        // Video
        "3gp", "asf", "avi", "dat", "dv", "flv", "f4v", "gif", "m2t", "m4v", "mj2", "mjpeg", "mkv", "mov", "mp4", "mpe",
        "mpg", "mpeg", "mts", "mxf", "ogg", "qt", "rm", "rmvb", "swf", "ts", "vob", "webm", "wmv", "m3u8",
        // Audio
        "aac", "ac3", "acm", "amr", "ape", "caf", "flac", "m4a", "mp3", "ra", "wav", "wma", "aiff",
    ]
}
