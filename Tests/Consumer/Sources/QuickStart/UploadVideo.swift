import ObjectTransfer

/// Uploads a video to ApsaraVideo VOD with credentials of the application's own backend, and goes on where an earlier call
/// for the same file stopped.
func uploadVideo(_ path: String, backend: VODAppServerClient) async throws -> String {
    var config = VODUploadConfig(getAuth: .appServer(backend))
    config.parallel = 6
    let uploader = try VODUploader(config)
    let result = try await uploader.uploadFile(
        path,
        options: VODUploadOptions(
            videoMeta: VODVideoMeta(title: "Holiday", tags: "sea,sun"),
            onProgress: { fraction, uploaded, total in print(fraction, uploaded, total) }))
    await uploader.shutdown()
    return "\(result.videoId ?? ""), verified by \(result.verification)"
}
