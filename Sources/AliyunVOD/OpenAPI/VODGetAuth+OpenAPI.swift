extension VODGetAuth {
    /// Calls the OpenAPI by itself, with the access key of `client`: for trusted servers.
    public static func openAPI(_ client: VODOpenAPIClient) -> VODGetAuth {
        VODGetAuth { context in
            switch context.kind {
            case .createVideo:
                return try await client.createUploadVideo(
                    fileName: context.fileName, fileSize: context.fileSize, meta: context.videoMeta ?? VODVideoMeta())
            case .refreshVideo:
                return try await client.refreshUploadVideo(videoId: context.videoId ?? "")
            case .createImage:
                return try await client.createUploadImage(
                    fileName: context.fileName, meta: context.imageMeta ?? VODImageMeta())
            }
        }
    }
}
