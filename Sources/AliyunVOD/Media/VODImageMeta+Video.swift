extension VODImageMeta {
    /// What an image can carry of what was meant for a video.
    init(_ video: VODVideoMeta) {
        self.init(
            title: video.title, desc: video.desc, tags: video.tags, cateId: video.cateId, userData: video.userData,
            storageLocation: video.storageLocation, appId: video.appId)
    }
}
