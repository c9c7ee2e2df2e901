import ObjectTransfer

/// Downloads a film, and tells every part.
func downloadFilm(_ client: TOSClient, to path: String) async throws -> UInt64 {
    var input = TOSDownloadFileInput(bucket: "films", key: "a.mov", filePath: path)
    input.taskNum = 4
    input.enableCheckpoint = true
    input.downloadEventListener = { event in
        if let part = event.downloadPartInfo { print(event.type, part.partNumber, part.rangeStart, part.rangeEnd) }
    }
    input.onProgress = { progress in print(progress.completedBytes, progress.totalBytes) }
    return try await client.downloadFile(input).size
}
