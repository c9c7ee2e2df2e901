import ObjectTransfer

/// The guide's upload, with callbacks: `askBackend` is the application's own call of its backend, which answers with the raw
/// JSON of the OpenAPI.
func uploadWithCallbacks(
    _ path: String,
    askBackend: @escaping @Sendable (VODAuthContext, @escaping @Sendable (Result<String, any Error>) -> Void) -> Void,
    done: @escaping @Sendable (Result<VODUploadResult, VODUploadError>) -> Void
) throws -> VODUploader {
    var config = VODUploadConfig { context, completion in
        askBackend(context) { answer in completion(answer.map { $0 as any VODAuthAnswer }) }
    }
    config.partSize = 1 << 20
    config.parallel = 4
    let uploader = try VODUploader(config)
    let task = uploader.uploadFile(
        path,
        options: VODUploadOptions(
            videoMeta: VODVideoMeta(title: "Holiday", desc: "At the sea"),
            onProgress: { percent, uploaded, total in print(percent * 100, uploaded, total) }),
        callback: done)
    print(task.uploadTaskId)
    return uploader
}
