import ObjectTransfer

/// Uploads a file to S3, continuing where an earlier call stopped. Keys come from `AWS_ACCESS_KEY_ID` and its kin.
func uploadToS3(_ path: String, _ endpoint: S3Endpoint) async throws -> TransferReceipt.Verification {
    let client = try S3Client(configuration: S3ClientConfiguration(endpoint: endpoint))
    let receipt = try await client.uploadFile(
        path, to: ObjectLocation(bucket: "films", key: "a.mov"),
        options: TransferOptions(checkpoint: .store(FileCheckpointStore(path: "a.mov.checkpoint"))))
    await client.shutdown()
    return receipt.verification
}
