import ObjectTransfer

/// Copies, and tells what is done and what was kept of an earlier call.
func followCopy(_ input: TOSResumableCopyObjectInput, using client: TOSClient) async throws -> String {
    let copy = try client.startResumableCopyObject(input)
    for await event in copy.events {
        switch event {
        case .resumed(_, let parts, let bytes): print("goes on: \(parts) parts, \(bytes) bytes are there")
        case .restarted(let reason): print("begins again: \(reason)")
        case .progress(let progress): print("\(progress.completedBytes) of \(progress.totalBytes) bytes")
        case .stopping(let error): print("stops: \(error)")
        default: break
        }
    }
    return try await copy.value.eTag
}
