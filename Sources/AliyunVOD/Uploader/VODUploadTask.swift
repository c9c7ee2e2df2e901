public import TransferCore

/// A running upload. It goes on whether or not anybody holds it, or the uploader.
public final class VODUploadTask: Sendable {
    /// A UUID of this upload, the same as in its result and its reports.
    public let uploadTaskId: String
    /// Everything that happens, in order. For one reader, which may begin at any time. Empty for an upload that could not begin.
    public let events: TransferEvents
    private let run: UploadRun

    init(_ run: UploadRun, events: TransferEvents) {
        uploadTaskId = run.id
        self.run = run
        self.events = events
    }

    /// Pauses the upload and returns at once: it ends with `FileAlreadyCancel`, what was stored stays recorded, and a later call
    /// for the same file goes on. Late or repeated calls do nothing, save that an abort may follow a pause. Where the object is
    /// being completed, that decides.
    ///
    /// - Parameter abort: Whether the upload is given up instead: what was stored at OSS is removed, and so is the record. The
    ///   video itself stays at VOD, without a file. False by default.
    public func cancel(abort: Bool = false) { run.cancel(abort ? .abort : .pause) }

    /// The result, as soon as the upload has ended. Cancelling the task that waits here pauses the upload.
    ///
    /// - Throws: `VODUploadError`, or `CancellationError` when the surrounding task was cancelled.
    public var value: VODUploadResult {
        get async throws {
            try await withTaskCancellationHandler {
                await run.outcome()
            } onCancel: {
                run.cancelWithTask()
            }.get()
        }
    }
}
