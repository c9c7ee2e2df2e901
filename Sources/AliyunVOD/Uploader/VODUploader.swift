internal import TransferCore
internal import TransferCurl
package import TransferHTTP
package import TransferPrimitives
internal import TransferService

/// Uploads files to ApsaraVideo VOD, with credentials that the application hands out.
///
///     let uploader = try VODUploader(VODUploadConfig { context in
///         try await backend.post("/vod/\(context.kind.rawValue)", body: context.json())
///     })
///     let result = try await uploader.uploadFile("/films/a.mp4", options: VODUploadOptions(videoMeta: .init(title: "A")))
///     print(result.videoId ?? "")
///     await uploader.shutdown()
///
/// A video goes to OSS in parts, several at a time, each compared by its CRC-64, and is recorded so that a later call for the same
/// file goes on where this one stopped, under the same video id. An image goes by one request. One uploader serves any number of
/// uploads at once, from any task or thread; each counts for itself, and goes on when the uploader is let go of.
public final class VODUploader: Sendable {
    /// As it was given.
    public var config: VODUploadConfig { core.config }

    let core: UploaderCore

    /// - Throws: `TransferError`: `.invalidArgument` naming the field of the configuration that cannot be, or
    ///   `.checkpointUnusable` when records are to be kept and there is no place for them. Nothing is sent.
    public convenience init(_ config: VODUploadConfig) throws {
        try config.check()
        let transport = try CurlTransport(checking: config.transport, field: "")
        try self.init(config, transport: transport, connectionLimit: transport.connectionLimit)
    }

    /// An uploader over another transport, clock and randomness, for tests.
    package init(
        _ config: VODUploadConfig, transport: any HTTPTransport, connectionLimit: Int = 1024,
        clock: any TransferClock = SystemClock(), random: any RandomSource = SystemRandomSource()
    ) throws {
        try config.check()
        core = try UploaderCore(
            config, transport: transport, connectionLimit: connectionLimit, clock: clock, random: random)
    }

    /// Uploads a file and waits for it.
    ///
    /// - Parameters:
    ///   - path: The file. Whether it is a video or an image its extension says, unless `options.imageMeta` is given. An
    ///     empty file is stored as an empty object.
    ///   - options: What the media carry, and who is told of progress.
    /// - Returns: The media's id, the object that was made, and how far it was verified.
    /// - Throws: `VODUploadError`; or `CancellationError` when the surrounding task was cancelled, which pauses the upload.
    public func uploadFile(
        _ path: String, options: VODUploadOptions = VODUploadOptions()
    ) async throws -> VODUploadResult {
        try Task.checkCancellation()
        let task = uploadTask(path, options: options)
        task.events.ignore()
        return try await task.value
    }

    /// Starts an upload and returns at once. What goes wrong, also with the arguments, `value` throws.
    ///
    /// - Parameters:
    ///   - path: The file, as for the form that waits.
    ///   - options: What the media carry, and who is told of progress.
    /// - Returns: The running upload.
    public func uploadTask(_ path: String, options: VODUploadOptions = VODUploadOptions()) -> VODUploadTask {
        core.start(path, options, callback: nil)
    }

    /// Starts an upload that calls back.
    ///
    /// - Parameters:
    ///   - path: The file, as for the form that waits.
    ///   - options: What the media carry, and who is told of progress.
    ///   - callback: Called exactly once, when the upload has ended, on a queue of the upload's own or, from within
    ///     `dispose`, on the thread that called it; never inside this call. The task and the uploader need not be held.
    /// - Returns: The running upload.
    @discardableResult
    public func uploadFile(
        _ path: String, options: VODUploadOptions = VODUploadOptions(),
        callback: @escaping @Sendable (Result<VODUploadResult, VODUploadError>) -> Void
    ) -> VODUploadTask {
        core.start(path, options, callback: callback)
    }

    /// Ends the uploader at once: every upload that runs ends with `FileAlreadyCancel`, is told so once, and stays recorded. When
    /// this returns, no callback of it runs or will come; later calls fail. May be called from inside a callback, whose own
    /// return it does not wait for, and from two callbacks at once, of which only one waits for the others.
    ///
    /// Requests under way end behind the scenes. An object that was just being completed may still come to stand; to
    /// learn of it, use `shutdown()`.
    public func dispose() { core.dispose() }

    /// Ends the uploader and waits: running uploads are paused and end with `FileAlreadyCancel`, each once. One that is
    /// being completed gets 5 s to learn its outcome, which then counts. Returns when nothing runs any more.
    public func shutdown() async { await core.shutdown() }
}
