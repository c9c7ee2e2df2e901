import TestSupport
import Testing
import TransferPrimitives

@testable import TransferCore

/// One claim at a time holds a journal, whoever else comes, and whatever becomes of the file.
@Suite struct FileCheckpointExclusionTests {
    let id = CheckpointID(kind: .copy, ["p", "a", "k"])
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private var store: FileCheckpointStore { FileCheckpointStore(path: directory.path("c.json")) }

    @Test func aSecondClaimIsRefusedInEveryPhase() async throws {
        func isRefused() async -> Bool { await transferError { try await store.claim(id) }?.code == .checkpointInUse }
        let claim = try await store.claim(id)
        #expect(await isRefused(), "before the beginning")
        try await claim.begin(JournalSample.checkpoint)
        #expect(await isRefused(), "after the journal took the place of the claimed file")
        try await claim.record(JournalSample.parts)
        try await claim.completing()
        #expect(await isRefused())
        try await claim.begin(JournalSample.checkpoint)
        #expect(await isRefused(), "after another beginning")
        await claim.release()
        let next = try await store.claim(id)
        #expect(next.saved != nil)
        await next.release()
    }

    @Test func removingLetsTheNextBeginAtOnce() async throws {
        let claim = try await store.claim(id)
        try await claim.begin(JournalSample.checkpoint)
        try await claim.remove()
        let next = try await store.claim(id)
        #expect(next.saved == nil)
        try await next.begin(JournalSample.checkpoint)
        // The first one is done with: whatever it still does is none of the next one's affair.
        try await claim.remove()
        await claim.release()
        #expect(directory.files == ["c.json"])
        await next.release()
    }

    /// The lock of another process: a lock of another open file of this one is the same to the system.
    @Test func aLockFromElsewhereIsRespected() async throws {
        let system = LocalFileSystem()
        try directory.write(try JournalSample.bytes(), to: "c.json")
        let other = try system.open(directory.path("c.json"), .read)
        #expect(try system.lock(other))
        let error = await transferError { try await store.claim(id) }
        #expect(error?.code == .checkpointInUse)
        #expect(error?.message.contains("c.json") == true)
        #expect(try directory.read("c.json") == JournalSample.bytes(), "nothing was cut or written")
        try system.unlock(other)
        let claim = try await store.claim(id)
        #expect(claim.saved != nil)
        await claim.release()
    }

    /// FR-010: somebody deletes the file under a running call, and another call begins anew at the same path. The older owner
    /// must neither replace nor remove what is the newer one's.
    @Test func anOlderOwnerLeavesTheNewerOnesFileAlone() async throws {
        let old = try await store.claim(id)
        try await old.begin(JournalSample.checkpoint)
        try LocalFileSystem().remove(directory.path("c.json"))
        let new = try await store.claim(id)
        var newer = JournalSample.checkpoint
        newer.uploadID = "newer"
        try await new.begin(newer)

        try await old.record(JournalSample.parts)
        #expect(await transferError { try await old.begin(JournalSample.checkpoint) }?.code == .checkpointLost)
        try await old.remove()
        await old.release()
        #expect(directory.files == ["c.json"])
        #expect(try await store.pending().first?.uploadID == "newer")

        try await new.record([JournalSample.parts[0]])
        await new.release()
        #expect(try await store.pending().first?.partsDone == 1)
    }

    @Test func anOlderOwnerThatNeverBeganLeavesTheNewerOnesFileAlone() async throws {
        let old = try await store.claim(id)
        try LocalFileSystem().remove(directory.path("c.json"))
        let new = try await store.claim(id)
        await old.release()
        #expect(directory.files == ["c.json"], "an empty file, and held by the other")
        try await new.begin(JournalSample.checkpoint)
        await new.release()
        #expect(try await store.pending().count == 1)
    }

    @Test func aFileThatIsGoneIsAsGoodAsRemoved() async throws {
        let claim = try await store.claim(id)
        try await claim.begin(JournalSample.checkpoint)
        try LocalFileSystem().remove(directory.path("c.json"))
        try await claim.remove()
        await claim.release()
        #expect(directory.files.isEmpty)
    }

    /// Many claimants in a loop of claiming, beginning, removing and releasing: never two at once, and none is stuck.
    @Test(.timeLimit(.minutes(2))) func manyClaimantsNeverHoldItTogether() async throws {
        let path = directory.path("c.json")
        let holders = LockBox((now: 0, most: 0, claims: 0))
        let id = id
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    let store = FileCheckpointStore(path: path)
                    var done = 0
                    while done < 25 {
                        do {
                            let claim = try await store.claim(id)
                            holders.withLock { state in
                                state.now += 1
                                state.most = max(state.most, state.now)
                                state.claims += 1
                            }
                            if done % 3 != 0 { try await claim.begin(JournalSample.checkpoint) }
                            if done % 3 == 1 { try await claim.record(JournalSample.parts) }
                            await Task.yield()
                            holders.withLock { $0.now -= 1 }
                            if (done + worker) % 2 == 0 { try await claim.remove() }
                            await claim.release()
                            done += 1
                        } catch let error as TransferError where error.code == .checkpointInUse {
                            await Task.yield()
                        } catch {
                            Issue.record(error)
                            return
                        }
                    }
                }
            }
        }
        let state = holders.withLock { $0 }
        #expect(state.most == 1)
        #expect(state.claims == 200)
        #expect(directory.files.allSatisfy { $0 == "c.json" })
    }
}
