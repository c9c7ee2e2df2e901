import TestSupport
import Testing
import TransferCore

/// The leased store that other tests stand on.
@Suite struct LeasedCheckpointStoreTests {
    let id = CheckpointID(kind: .copy, ["p", "a", "k"])

    @Test func aLeaseCanBeTakenOverOnceItHasRunOut() async throws {
        let clock = ManualClock()
        let store = LeasedCheckpointStore(clock: clock, lease: .seconds(10))
        let first = try await store.claim(id)
        try await first.begin(JournalSample.checkpoint)
        clock.advance(by: .seconds(9))
        #expect(await transferError { try await store.claim(id) }?.code == .checkpointInUse)
        try await first.record([JournalSample.parts[0]])
        clock.advance(by: .seconds(9))
        #expect(await transferError { try await store.claim(id) }?.code == .checkpointInUse, "a write renews it")
        clock.advance(by: .seconds(1))
        let second = try await store.claim(id)
        #expect(second.saved?.parts.count == 1)
        var signals = 0
        for await _ in first.lost { signals += 1 }
        #expect(signals == 1)
        for write: () async throws -> Void in [
            { try await first.record(JournalSample.parts) }, { try await first.completing() },
            { try await first.flush() },
            { try await first.remove() }, { try await first.begin(JournalSample.checkpoint) },
        ] {
            #expect(await transferError { try await write() }?.code == .checkpointLost)
        }
        await first.release()
        #expect(store.checkpoint(id)?.parts.count == 1, "the successor's state is intact")
        try await second.remove()
        await second.release()
        #expect(store.ids.isEmpty)
    }

    @Test func aStolenClaimIsTold() async throws {
        let store = LeasedCheckpointStore()
        let claim = try await store.claim(id)
        store.steal(id)
        var signals = 0
        for await _ in claim.lost { signals += 1 }
        #expect(signals == 1)
        #expect(await transferError { try await claim.flush() }?.code == .checkpointLost)
        let next = try await store.claim(id)
        await claim.release()
        #expect(await transferError { try await store.claim(id) }?.code == .checkpointInUse)
        await next.release()
    }
}
