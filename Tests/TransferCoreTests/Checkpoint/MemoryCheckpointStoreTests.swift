import TestSupport
import Testing
import TransferCore

@Suite struct MemoryCheckpointStoreTests {
    let store = MemoryCheckpointStore()
    let id = CheckpointID(kind: .copy, ["p", "a", "k"])

    @Test func keepsWhatWasRecorded() async throws {
        let claim = try await store.claim(id)
        #expect(claim.saved == nil)
        try await claim.begin(JournalSample.checkpoint)
        try await claim.record(JournalSample.parts)
        try await claim.record([CompletedPart(number: 1, etag: ETag("again"))])
        try await claim.completing()
        await claim.release()
        let next = try await store.claim(id)
        #expect(next.saved?.isCompleting == true)
        #expect(Set(next.saved?.parts.map(\.number) ?? []) == [1, 2, 4])
        #expect(next.saved?.parts.first { $0.number == 1 }?.etag == ETag("again"))
        #expect(try await store.pending().first?.partsDone == 3)
        try await next.remove()
        await next.release()
        #expect(try await store.pending().isEmpty)
    }

    @Test func oneClaimAtATime() async throws {
        let claim = try await store.claim(id)
        #expect(await transferError { try await store.claim(id) }?.code == .checkpointInUse)
        _ = try await store.claim(CheckpointID(kind: .copy, ["p", "a", "other"]))
        await claim.release()
        let next = try await store.claim(id)
        await next.release()
    }

    /// FR-010: an older owner neither writes over nor releases what a newer one holds.
    @Test func aReleasedClaimIsPowerless() async throws {
        let old = try await store.claim(id)
        try await old.begin(JournalSample.checkpoint)
        await old.release()
        let new = try await store.claim(id)
        try await old.record(JournalSample.parts)
        try await old.completing()
        try await old.remove()
        await old.release()
        #expect(try await store.pending().first?.partsDone == 0)
        #expect(await transferError { try await store.claim(id) }?.code == .checkpointInUse)
        try await new.remove()
        await new.release()
        try await old.begin(JournalSample.checkpoint)
        #expect(try await store.pending().isEmpty, "nothing is recreated after its removal")
    }
}
