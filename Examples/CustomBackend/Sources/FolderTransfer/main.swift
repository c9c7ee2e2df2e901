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
let content = (UInt8(1)...48).reduce(into: Data()) { $0.append(Data(repeating: $1, count: 1 << 20)) }
try content.write(to: original)

/// One call for the film.
func upload(pausingAfter limit: Int?) async throws -> TransferReceipt {
    try await upload(original.path, to: film, pausingAfter: limit, keeping: records, using: backend)
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
