import ObjectTransfer

/// Uploads a file to any backend in parts of 1 MiB, tells what happens, and pauses after part `limit`.
func upload(
    _ path: String, to target: ObjectLocation, pausingAfter limit: Int?, keeping records: any CheckpointStore,
    using backend: some TransferBackend
) async throws -> TransferReceipt {
    let hook = TransferCancelHook()
    var options = TransferOptions(partSize: 1 << 20, checkpoint: .store(records), cancelHook: hook)
    options.onEvent = { event in
        switch event {
        case .uploadCreated(let id): print("  opened upload \(id)")
        case .resumed(_, let parts, let bytes): print("  goes on: \(parts) parts, \(bytes) bytes are there")
        case .partCompleted(let part, _):
            print("  part \(part.number) stored")
            if part.number == limit { hook.cancel() }
        default: break
        }
    }
    let attributes = ObjectAttributes(contentType: "video/quicktime")
    return try await TransferEngine().upload(
        .file(path), to: target, using: backend, objectOptions: ObjectOptions(attributes: attributes),
        options: options
    ).value
}
