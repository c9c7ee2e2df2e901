public import TransferCore

/// A file that VOD has.
public struct VODUploadResult: Sendable, Hashable {
    /// The same as the task's.
    public var uploadTaskId: String
    /// The video; nil for an image.
    public var videoId: String?
    /// The image; nil for a video.
    public var imageId: String?
    /// The address of the image; nil for a video, and where the credentials did not name it.
    public var imageUrl: String?
    /// The object's entity tag without quotes. No MD5 of the content where the object was made of parts.
    public var etag: String
    /// OSS's id of the request that made the object; nil where its answer was lost and a look at the object told.
    public var requestId: String?
    /// Milliseconds from the call to its success, on a clock that does not jump.
    public var durationMs: Int64
    /// Bytes.
    public var size: UInt64
    /// How far the object is known to equal the file.
    public var verification: TransferReceipt.Verification
}
