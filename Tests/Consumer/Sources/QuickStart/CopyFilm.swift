import ObjectTransfer

/// Copies `films/a.mov` to another bucket, four parts at a time, and continues where an earlier call stopped.
func copyFilm(endpoint: TOSEndpoint, credential: TOSCredential) async throws -> String {
    let client = try TOSClient(
        configuration: TOSClientConfiguration(endpoint: endpoint, credential: credential))
    var input = TOSResumableCopyObjectInput(
        srcBucket: "films", srcKey: "films/a.mov", bucket: "archive", key: "films/a.mov")
    input.taskNum = 4
    input.enableCheckpoint = true
    input.copyEventListener = { event in
        if let part = event.copyPartInfo { print(event.type, part.partNumber) }
    }
    let output = try await client.resumableCopyObject(input)
    await client.shutdown()
    return "\(output.eTag), verified by \(output.verification)"
}
