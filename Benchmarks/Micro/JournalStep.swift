internal import TransferCore
internal import TransferPrimitives

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Records parts in a journal on the disk.
struct JournalStep {
    private let claim: any CheckpointClaim
    private let directory: String

    init() async throws {
        directory = FileManager.default.temporaryDirectory.path + "/bench-micro-\(UUID().uuidString)"
        let store = FileCheckpointStore(path: directory + "/")
        let target = ObjectLocation(bucket: "films", key: "a.mov")
        claim = try await store.claim(CheckpointID(kind: .upload, ["bench", target.bucket, target.key, "a.mov"]))
        try await claim.begin(
            TransferCheckpoint(
                kind: .upload, provider: "bench", target: target, source: SourceIdentity(size: 80_000 << 20),
                partSize: 8 << 20, partCount: 10_000, uploadID: "0123456789ABCDEF", optionsDigest: ""))
    }

    func record(_ number: Int) async throws {
        try await claim.record([
            CompletedPart(
                number: number, etag: ETag("0123456789abcdef0123456789abcdef"), size: 8 << 20,
                checksums: Checksums(crc64: UInt64(number)), isConfirmed: true)
        ])
    }

    func flush() async throws { try await claim.flush() }

    func remove() async throws {
        try await claim.remove()
        await claim.release()
        try FileManager.default.removeItem(atPath: directory)
    }
}
