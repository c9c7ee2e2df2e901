import ObjectTransfer

/// Copies `a.mov` from bucket `films` to `archive`, four parts at a time, and continues where an earlier call stopped.
func copyFilm(endpoint: TOSEndpoint, credential: TOSCredential) async throws -> String {
    let client = try TOSClient(
        configuration: TOSClientConfiguration(endpoint: endpoint, credential: credential))
    var input = TOSResumableCopyObjectInput(
        srcBucket: "films", srcKey: "a.mov", bucket: "archive", key: "a.mov")
    input.taskNum = 4
    input.enableCheckpoint = true
    input.copyEventListener = { event in
        if let part = event.copyPartInfo { print(event.type, part.partNumber) }
    }
    let output = try await client.resumableCopyObject(input)
    await client.shutdown()
    return "\(output.eTag), verified by \(output.verification)"
}
