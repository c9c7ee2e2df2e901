import ObjectTransfer

/// Gives up all that stopped on its way to a bucket, and says how many transfers that were.
func giveUpTransfers(to bucket: String, in store: any CheckpointStore, using client: TOSClient) async throws -> Int {
    var count = 0
    for transfer in try await client.pendingTransfers(in: store) where transfer.target.bucket == bucket {
        print("\(transfer.target): \(transfer.partsDone) of \(transfer.partCount ?? 0) parts are given up")
        try await client.discard(transfer, in: store)
        count += 1
    }
    return count
}
