import ObjectTransfer

/// Uploads a film for as long as `window` lasts. False when that was not enough: the same call then goes on.
func uploadFilm(_ path: String, within window: Duration, using client: TOSClient) async throws -> Bool {
    var input = TOSUploadFileInput(bucket: "archive", key: "films/c.mov", filePath: path)
    input.enableCheckpoint = true
    let upload = try client.startUploadFile(input)
    let timer = Task {
        try await Task.sleep(for: window)
        upload.cancel()
    }
    defer { timer.cancel() }
    do {
        print(try await upload.value.eTag)
        return true
    } catch let error as TransferError where error.code == .paused {
        return false
    }
}
