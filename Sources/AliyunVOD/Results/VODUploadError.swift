public import TransferCore

/// Why an upload did not succeed.
public struct VODUploadError: Error, Sendable {
    /// What happened, in the codes of the upload SDKs: those of OSS and of the VOD OpenAPI unchanged, such as
    /// `SecurityTokenExpired` or `InvalidVideo.NotFound`; `FileAlreadyCancel`, `FileNotExist`, `ReadFileError`,
    /// `InvalidArgument`, `GetUploadAuthFailed`, `InvalidParameter.TokenInvalid`, `UploadTokenExpired`, `PermissionDenied`,
    /// `RequestTimeOut`, `ClientException` and others for what happened here. An open set.
    public var errorCode: String
    /// One sentence for people, without secrets.
    public var errorMessage: String
    /// The service's id of the request that failed, for its support.
    public var requestId: String?
    /// The video that was begun. A later call for the same file goes on with it where `pendingUploads()` lists it; a video
    /// whose upload could not be opened is not used again.
    public var videoId: String?
    /// Everything that is known: part, upload id, attempts, HTTP status, cause.
    public var underlying: TransferError

    init(_ error: TransferError, videoId: String? = nil) {
        errorCode = error.vodCode
        errorMessage = error.messageWithoutServiceCode
        requestId = error.service?.requestID ?? error.receipt?.requestID
        self.videoId = videoId
        underlying = error
    }

    /// Whether the upload was stopped on purpose.
    public var isCancellation: Bool { underlying.isLifecycleEnd }
}

extension VODUploadError: CustomStringConvertible, CustomDebugStringConvertible {
    /// One line without secrets.
    public var description: String {
        var text = "\(errorCode): \(underlying.line(under: errorCode))"
        if let videoId { text += " [videoId=\(videoId)]" }
        return text
    }

    public var debugDescription: String { "\(errorCode)\n\(String(reflecting: underlying))" }
}
