import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import TestSupport
import Testing
import TransferPrimitives

/// `uploadFile` and `resumableCopyObject` of plain OSS, through the engine.
@Suite struct OSSTransferTests {
    private static let size = 12 * OSSFixture.partSize + 5

    /// The upload of `a.mp4`.
    private func upload(_ fixture: OSSFixture, _ change: (inout OSSUploadFileInput) -> Void = { _ in })
        -> OSSUploadFileInput
    {
        var input = OSSUploadFileInput(
            bucket: OSSFixture.bucket, key: "films/a.mp4", filePath: fixture.directory.path("a.mp4"))
        input.partSize = OSSFixture.partSize
        input.enableCheckpoint = true
        input.checkpointFile = fixture.directory.path("records/")
        change(&input)
        return input
    }

    private func write(seed: UInt64 = 1, _ fixture: OSSFixture) throws {
        try fixture.directory.write(VODFixture.bytes(Self.size, seed: seed), to: "a.mp4")
    }

    /// Uploads `a.mp4` until its first parts are stored, and pauses. However late the pause comes, no further part gets
    /// through.
    private func pause(_ fixture: OSSFixture) async throws {
        let stalled = fixture.server.faults.add(.on(.uploadPart).after(Self.partsBeforePause), .stall)
        defer { stalled.remove() }
        let hook = OSSCancelHook()
        let input = upload(fixture) {
            $0.cancelHook = hook
            $0.onEvent = Self.pausing(hook)
        }
        let error = await failure { _ = try await fixture.client.uploadFile(input) }
        #expect(error?.code == .paused)
    }

    private static let partsBeforePause = 5

    /// A listener that pauses once that many parts are stored.
    private static func pausing(_ hook: OSSCancelHook) -> @Sendable (TransferEvent) -> Void {
        let stored = LockBox(0)
        return { event in
            guard case .partCompleted = event else { return }
            let count = stored.withLock { count in
                count += 1
                return count
            }
            if count == partsBeforePause { hook.cancel() }
        }
    }

    @Test(arguments: OSSSignatureVersion.allCases)
    func uploadsPausesAndGoesOn(_ signature: OSSSignatureVersion) async throws {
        let fixture = try await OSSFixture(client: { $0.signature = signature })
        try write(fixture)
        try await pause(fixture)
        let client = try OSSFixture.client(of: fixture.server) { $0.signature = signature }
        let output = try await client.uploadFile(upload(fixture))
        #expect(output.verification == .crc64)
        #expect(fixture.object("films/a.mp4")?.content.read() == VODFixture.bytes(Self.size))
        let parts = fixture.server.storage.storedPartCounts["films/films/a.mp4"]
        #expect(parts == Dictionary(uniqueKeysWithValues: (1...13).map { ($0, 1) }))
        #expect(fixture.server.wireLog.count(of: .createMultipartUpload) == 1)
    }

    @Test func aFileThatIsNewerThanItsRecordIsUploadedAnew() async throws {
        let fixture = try await OSSFixture()
        try write(fixture)
        try await pause(fixture)
        try write(seed: 2, fixture)
        _ = try await fixture.client.uploadFile(upload(fixture))
        #expect(fixture.object("films/a.mp4")?.content.read() == VODFixture.bytes(Self.size, seed: 2))
        // The parts of the first try are not left behind.
        #expect(fixture.server.storage.uploads.isEmpty)
    }

    @Test(arguments: OSSSignatureVersion.allCases)
    func copiesPausesAndGoesOn(_ signature: OSSSignatureVersion) async throws {
        let fixture = try await OSSFixture(client: { $0.signature = signature })
        let bytes = VODFixture.bytes(Self.size)
        try fixture.server.storage.putObject("source +%&.mp4", in: "archive", .bytes(bytes))
        let hook = OSSCancelHook()
        var input = OSSResumableCopyObjectInput(
            srcBucket: "archive", srcKey: "source +%&.mp4", bucket: OSSFixture.bucket, key: "copy")
        input.partSize = OSSFixture.partSize
        input.enableCheckpoint = true
        input.checkpointFile = fixture.directory.path("records/")
        var first = input
        first.cancelHook = hook
        first.onEvent = Self.pausing(hook)
        let stalled = fixture.server.faults.add(.on(.uploadPartCopy).after(Self.partsBeforePause), .stall)
        let error = await failure { [first] in _ = try await fixture.client.resumableCopyObject(first) }
        #expect(error?.code == .paused)
        stalled.remove()
        let output = try await fixture.client.resumableCopyObject(input)
        #expect(output.verification == .crc64)
        #expect(fixture.object("copy")?.content.read() == bytes)
        let parts = fixture.server.storage.storedPartCounts["films/copy"]
        #expect(parts == Dictionary(uniqueKeysWithValues: (1...13).map { ($0, 1) }))
    }

    @Test func stoppedTransfersAreListedAndDiscarded() async throws {
        let fixture = try await OSSFixture()
        try write(fixture)
        try await pause(fixture)
        let store = FileCheckpointStore(path: fixture.directory.path("records/"))
        let pending = try await fixture.client.pendingTransfers(in: store)
        #expect(pending.map(\.uploadID) == fixture.server.storage.uploads.map(\.id))
        try await fixture.client.discard(try #require(pending.first), in: store)
        #expect(fixture.server.storage.uploads.isEmpty)
        #expect(try await fixture.client.pendingTransfers(in: store).isEmpty)
    }

    @Test func anAnswerOf200ThatHoldsAnErrorIsAnError() async throws {
        let fixture = try await OSSFixture()
        try write(fixture)
        fixture.server.faults.add(.on(.completeMultipartUpload).first(1), .lateError())
        let output = try await fixture.client.uploadFile(upload(fixture))
        #expect(output.verification == .crc64)
        #expect(fixture.object("films/a.mp4")?.content.read() == VODFixture.bytes(Self.size))
    }

    @Test func aWrongChecksumOfTheObjectIsNoSuccess() async throws {
        let fixture = try await OSSFixture()
        try write(fixture)
        fixture.server.faults.add(.on(.completeMultipartUpload), .crc64(1))
        let error = await failure { _ = try await fixture.client.uploadFile(upload(fixture)) }
        #expect(error?.code == .checksumMismatch)
    }
}
