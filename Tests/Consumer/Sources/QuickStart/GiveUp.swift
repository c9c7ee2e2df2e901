import ObjectTransfer

/// Gives up what stopped and is not wanted any more: its parts at OSS, then its record.
func giveUp(_ uploader: VODUploader, _ isWanted: (VODPendingUpload) -> Bool) async throws {
    for upload in try await uploader.pendingUploads() where !isWanted(upload) {
        print("\(upload.fileName): \(upload.partsDone) of \(upload.partCount ?? 0) parts of video \(upload.videoId)")
        try await uploader.discard(upload)
    }
}
