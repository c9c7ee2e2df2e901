/// How one upload began or ended: run-time metrics, without keys, tokens, content, file names or paths.
public struct TransferReport: Sendable, Hashable, Codable {
    /// What happened.
    public enum Event: String, Sendable, Hashable, Codable {
        /// An upload began.
        case started
        /// It succeeded.
        case succeeded
        /// It failed; see `errorCode`.
        case failed
        /// It was cancelled, or its uploader disposed of.
        case cancelled
    }

    /// What this report is about.
    public var event: Event
    /// Milliseconds since 1970.
    public var timeMs: Int64
    /// The `uploadTaskId` of the upload; the same in all of its reports.
    public var uploadTaskId: String
    /// `video` or `image`.
    public var media: String?
    /// Lower case, without the dot.
    public var fileExtension: String?
    /// Bytes.
    public var fileSize: UInt64?
    /// Nil for an image, and until `getAuth` has answered.
    public var videoId: String?
    /// Nil for a video, and until `getAuth` has answered.
    public var imageId: String?
    /// The host of the OSS endpoint.
    public var host: String?
    /// The bucket that the credentials name; nil until `getAuth` has answered.
    public var bucket: String?
    /// Bytes; nil where the file goes by one request.
    public var partSize: UInt64?
    /// Parts of the file; nil where it goes by one request.
    public var partCount: Int?
    /// Parts in flight at once, at most.
    public var parallel: Int?
    /// Parts that this upload stored.
    public var partsStored = 0
    /// Parts that an earlier one had stored.
    public var partsResumed = 0
    /// Parts that failed for good.
    public var partsFailed = 0
    /// How often the upload began again.
    public var restarts = 0
    /// Requests to OSS, each attempt counted.
    public var requests = 0
    /// Those of `requests` that failed, each attempt counted.
    public var failedRequests = 0
    /// Bytes in request bodies, those of failed attempts included.
    public var bytesSent: UInt64 = 0
    /// How often `getAuth` was asked.
    public var authCalls = 0
    /// From the call to its end; 0 in a report of a beginning.
    public var durationMs: Int64 = 0
    /// As `VODUploadError.errorCode`; nil unless the upload failed or was cancelled.
    public var errorCode: String?
    /// What failed, in a few words of bounded variety.
    public var errorSummary: String?
    /// The request that made the object, or that failed.
    public var requestId: String?

    init(_ event: Event, timeMs: Int64, uploadTaskId: String) {
        self.event = event
        self.timeMs = timeMs
        self.uploadTaskId = uploadTaskId
    }
}
