import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import Testing

/// Copies that stopped, listed and given up.
@Suite struct CopyDiscardTests {
    private static func paused() async throws -> CopyFixture {
        let fixture = try await CopyFixture(size: 6 * UInt64(CopyFixture.partSize))
        let hook = TOSCancelHook()
        var input = fixture.input()
        input.cancelHook = hook
        input.pauseGrace = .seconds(20)
        input.copyEventListener = { if $0.copyPartInfo?.partNumber == 2 { hook.cancel() } }
        let error = await failure { [input] in _ = try await fixture.client.resumableCopyObject(input) }
        #expect(error?.code == .paused)
        return fixture
    }

    private static func store(_ fixture: CopyFixture) -> FileCheckpointStore {
        FileCheckpointStore(path: fixture.checkpoint)
    }

    @Test func `what stopped is listed, and is given up by any client`() async throws {
        let fixture = try await Self.paused()
        let client = try CopyFixture.client(of: fixture.server)
        let pending = try await client.pendingTransfers(in: Self.store(fixture))
        let copy = try #require(pending.first)
        #expect(pending.count == 1)
        #expect(copy.kind == .copy)
        #expect(copy.source.object?.key == fixture.source.key)
        #expect(copy.target == ObjectLocation(bucket: "dst-bucket", key: "copied/a"))
        #expect(copy.uploadID == fixture.server.storage.uploads.first?.id)
        #expect(copy.partsDone == fixture.storedParts.count)
        #expect(copy.partCount == 6)

        try await client.discard(copy, in: Self.store(fixture))
        #expect(fixture.server.storage.uploads.isEmpty)
        #expect(!fixture.hasCheckpoint)
        #expect(try await client.pendingTransfers(in: Self.store(fixture)).isEmpty)
        let again = await failure { try await client.discard(copy, in: Self.store(fixture)) }
        #expect(again?.code == .conflict)
        #expect(fixture.server.wireLog.count(of: .abortMultipartUpload) == 1)
    }

    @Test func `a copy that runs is listed, but not given up`() async throws {
        let fixture = try await CopyFixture()
        let held = fixture.server.faults.add(.on(.uploadPartCopy), .hold)
        let copy = try fixture.client.startResumableCopyObject(fixture.input())
        try await held.waitUntilHeld(1)
        let running = try #require(try await fixture.client.pendingTransfers(in: Self.store(fixture)).first)
        let error = await failure { try await fixture.client.discard(running, in: Self.store(fixture)) }
        #expect(error?.code == .checkpointInUse)
        held.release()
        _ = try await copy.value
        #expect(fixture.isCopied)
        #expect(fixture.server.wireLog.count(of: .abortMultipartUpload) == 0)
    }

    @Test func `an upload that the service has dropped already is given up`() async throws {
        let fixture = try await Self.paused()
        let copy = try #require(try await fixture.client.pendingTransfers(in: Self.store(fixture)).first)
        _ = try await fixture.client.abortMultipartUpload(
            TOSAbortMultipartUploadInput(bucket: copy.target.bucket, key: copy.target.key, uploadID: copy.uploadID))
        try await fixture.client.discard(copy, in: Self.store(fixture))
        #expect(!fixture.hasCheckpoint)
    }

    @Test func `a client that was shut down gives nothing up`() async throws {
        let fixture = try await Self.paused()
        let copy = try #require(try await fixture.client.pendingTransfers(in: Self.store(fixture)).first)
        await fixture.client.shutdown()
        let error = await failure { try await fixture.client.discard(copy, in: Self.store(fixture)) }
        #expect(error?.code == .disposed)
        #expect(fixture.hasCheckpoint)
        #expect(fixture.server.storage.uploads.count == 1)
    }
}
