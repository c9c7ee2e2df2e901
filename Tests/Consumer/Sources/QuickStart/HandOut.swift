import ObjectTransfer

/// Asks the application's own backend for upload credentials, and hands its answers on as they are.
func handOut(_ backend: Backend) -> VODUploadConfig {
    VODUploadConfig { context in
        switch context.kind {
        case .createVideo: try await backend.post("/videos", body: context.json())
        // The video that is there already: without this, no upload is resumed or given up.
        case .refreshVideo: try await backend.post("/videos/\(context.videoId ?? "")/refresh", body: context.json())
        case .createImage: try await backend.post("/images", body: context.json())
        }
    }
}
