/// A video that CreateUploadVideo made.
public struct VODVideo: Sendable, Hashable {
    /// The media id: 32 hexadecimal digits.
    public let id: String
    /// As the call said it.
    public let title: String
    /// The parameters of the call by their OpenAPI names, as they came.
    public let parameters: [String: String]
    /// Where the file is to be uploaded to, as last handed out.
    public internal(set) var bucket: String
    /// Where in the bucket, not encoded.
    public let key: String
    /// The endpoint as last handed out.
    public internal(set) var endpoint: String
    /// How often RefreshUploadVideo was answered.
    public internal(set) var refreshCount = 0
    /// The access keys handed out for it, the newest last. ``AccountTable/expire(_:)`` ends them early.
    public internal(set) var accessKeys: [String] = []
}

/// An image that CreateUploadImage made.
public struct VODImage: Sendable, Hashable {
    /// The media id: 32 hexadecimal digits.
    public let id: String
    /// Nil when the call had none.
    public let title: String?
    /// The parameters of the call by their OpenAPI names, as they came.
    public let parameters: [String: String]
    /// Where the file is to be uploaded to.
    public let bucket: String
    /// Where in the bucket, not encoded.
    public let key: String
    /// The endpoint as handed out.
    public let endpoint: String
    /// The address that the answer calls `ImageURL`.
    public let imageURL: String
    /// The access key handed out for it.
    public let accessKey: String
}
