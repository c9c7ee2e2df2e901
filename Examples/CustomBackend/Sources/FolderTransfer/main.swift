import FolderStore
import Foundation
import ObjectTransfer

// Uploads a file to a folder in parts, pauses half-way, goes on, downloads the object and compares. What the engine does here,
// it does for any backend.
let folder = FileManager.default.temporaryDirectory.appendingPathComponent("folder-transfer-\(UUID().uuidString)")
let store = try FolderStore(folder.appendingPathComponent("store").path, buckets: ["films"])
let backend = FolderBackend(store)
let records = FileCheckpointStore(path: folder.appendingPathComponent("records").path + "/")
let film = ObjectLocation(bucket: "films", key: "holiday/a.mov")
let (original, copy) = (folder.appendingPathComponent("a.mov"), folder.appendingPathComponent("b.mov"))
let (partSize, partCount) = (1 << 20, 48)
let content = (1...partCount).reduce(into: Data()) { $0.append(Data(repeating: UInt8($1), count: partSize)) }
try content.write(to: original)

/// One call, which tells what happens.
func upload(pausingAfter limit: Int?) async throws -> TransferReceipt {
    let hook = TransferCancelHook()
    var options = TransferOptions(partSize: UInt64(partSize), checkpoint: .store(records), cancelHook: hook)
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
    return try await TransferEngine().upload(
        .file(original.path), to: film, using: backend,
        objectOptions: ObjectOptions(attributes: ObjectAttributes(contentType: "video/quicktime")), options: options
    ).value
}

print("upload, to be paused after part 12:")
do {
    _ = try await upload(pausingAfter: 12)
    print("  it was done before the pause came")
} catch let error as TransferError where error.code == .paused {
    print("  paused; \(try await records.pending().map(\.partsDone).reduce(0, +)) parts are recorded")
}

print("the same call again:")
let receipt = try await upload(pausingAfter: nil)
print("  stored: \(receipt.size ?? 0) bytes, verified by \(receipt.verification)")

print("download:")
let downloaded = try await TransferEngine().download(film, to: copy.path, using: backend).value
print("  \(downloaded.size ?? 0) bytes, verified by \(downloaded.verification)")

guard try Data(contentsOf: copy) == content else {
    throw TransferError(.checksumMismatch, "the bytes that came back are others")
}
print("the same bytes came back")
try FileManager.default.removeItem(at: folder)
