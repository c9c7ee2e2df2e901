/// How an upload ended.
enum UploadOutcome: Sendable {
    case success(VODUploadResult)
    case failure(VODUploadError)
    /// The task that waited for it was cancelled.
    case cancelled(VODUploadError)

    /// As a callback is told.
    var result: Result<VODUploadResult, VODUploadError> {
        switch self {
        case .success(let result): .success(result)
        case .failure(let error), .cancelled(let error): .failure(error)
        }
    }

    /// As one who waits is told: the result, or what it throws.
    func get() throws -> VODUploadResult {
        switch self {
        case .success(let result): return result
        case .failure(let error): throw error
        case .cancelled: throw CancellationError()
        }
    }
}
