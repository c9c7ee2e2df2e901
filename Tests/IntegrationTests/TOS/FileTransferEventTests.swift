import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import TestSupport
import Testing
import TransferPrimitives

/// The events of uploads and downloads of TOS (spec sections 6.6 and 7), over real connections.
@Suite struct FileTransferEventTests {
    private static let partSize = CopyFixture.partSize

    private func upload(_ fixture: CopyFixture, parts: Int) -> TOSUploadFileInput {
        var input = TOSUploadFileInput(
            bucket: "dst-bucket", key: "k",
            source: .bytes(VODFixture.bytes((parts - 1) * Self.partSize + 7), name: "k"))
        input.partSize = Self.partSize
        input.enableCheckpoint = true
        input.checkpointFile = fixture.checkpoint
        input.pauseGrace = .zero
        return input
    }

    private func download(_ fixture: CopyFixture) -> TOSDownloadFileInput {
        var input = TOSDownloadFileInput(
            bucket: "src-bucket", key: fixture.source.key, filePath: fixture.directory.path + "/film")
        input.partSize = Self.partSize
        input.enableCheckpoint = true
        input.checkpointFile = fixture.checkpoint
        input.pauseGrace = .zero
        return input
    }

    @Test func anUploadPausedFromItsListenerAndResumed() async throws {
        let fixture = try await CopyFixture()
        let stall = fixture.server.faults.add(.on(.uploadPart).part(3), .stall)
        let (hook, events) = (TOSCancelHook(), LockBox<[TOSUploadEvent]>([]))
        var first = upload(fixture, parts: 3)
        first.cancelHook = hook
        first.uploadEventListener = { event in
            events.withLock { $0.append(event) }
            if event.uploadPartInfo?.partNumber == 2 { hook.cancel() }
        }
        let error = await failure { [first] in _ = try await fixture.client.uploadFile(first) }
        #expect(error?.code == .paused)
        stall.remove()
        var told = events.withLock { $0 }
        #expect(told.map(\.type.rawValue) == [1, 3, 3, 5])
        #expect(Set(told.map(\.uploadID)).count == 1 && told.first?.uploadID?.isEmpty == false)
        #expect(told.allSatisfy { $0.checkpointFile == fixture.checkpoint && $0.filePath == nil })
        #expect(told[2].uploadPartInfo?.offset == Int64(Self.partSize))
        #expect(told[2].uploadPartInfo?.eTag?.isEmpty == false)
        events.withLock { $0 = [] }
        var second = upload(fixture, parts: 3)
        second.uploadEventListener = { event in events.withLock { $0.append(event) } }
        let output = try await fixture.client.uploadFile(second)
        told = events.withLock { $0 }
        #expect(told.map(\.type.rawValue) == [3, 6])
        #expect(told.map(\.uploadID) == [output.uploadID, output.uploadID])
    }

    @Test(arguments: [
        (StoreOperation.createMultipartUpload, 500, [2]), (.uploadPart, 500, [1, 4]), (.uploadPart, 403, [1, 5]),
        (.completeMultipartUpload, 400, [1, 3, 3, 7]),
    ])
    func anUploadThatFails(stage: StoreOperation, status: Int, expected: [Int]) async throws {
        let fixture = try await CopyFixture()
        fixture.server.faults.add(.on(stage), .status(status))
        let events = LockBox<[TOSUploadEvent]>([])
        var input = upload(fixture, parts: 2)
        input.maxRetryCount = 0
        input.uploadEventListener = { event in events.withLock { $0.append(event) } }
        let error = await failure { [input] in _ = try await fixture.client.uploadFile(input) }
        let told = events.withLock { $0 }
        #expect(told.map(\.type.rawValue) == expected)
        #expect(told.last?.error?.code == error?.code)
    }

    @Test func aDownloadPausedFromItsListenerAndResumed() async throws {
        let fixture = try await CopyFixture()
        let stall = fixture.server.faults.add(.on(.getObject).nth(3), .stall)
        let (hook, events) = (TOSCancelHook(), LockBox<[TOSDownloadEvent]>([]))
        var first = download(fixture)
        first.cancelHook = hook
        first.downloadEventListener = { event in
            events.withLock { $0.append(event) }
            if event.downloadPartInfo?.partNumber == 2 { hook.cancel() }
        }
        let error = await failure { [first] in _ = try await fixture.client.downloadFile(first) }
        #expect(error?.code == .paused)
        stall.remove()
        var told = events.withLock { $0 }
        #expect(told.map(\.type.rawValue) == [1, 3, 3, 5])
        #expect(told.allSatisfy { $0.tempFilePath == first.filePath + ".part" && $0.filePath == first.filePath })
        #expect(told[2].downloadPartInfo?.rangeStart == Int64(Self.partSize))
        #expect(told[2].downloadPartInfo?.rangeEnd == 2 * Int64(Self.partSize) - 1)
        events.withLock { $0 = [] }
        var second = download(fixture)
        second.downloadEventListener = { event in events.withLock { $0.append(event) } }
        _ = try await fixture.client.downloadFile(second)
        told = events.withLock { $0 }
        #expect(told.map(\.type.rawValue) == [3, 3, 6])
        #expect(told.first?.tempFilePath == first.filePath + ".part")
    }

    @Test func aDownloadThatIsNotWhatTheServiceStores() async throws {
        let fixture = try await CopyFixture(size: 5)
        fixture.server.faults.add(.on(.headObject), .crc64(1))
        let events = LockBox<[TOSDownloadEvent]>([])
        var input = download(fixture)
        input.downloadEventListener = { event in events.withLock { $0.append(event) } }
        let error = await failure { [input] in _ = try await fixture.client.downloadFile(input) }
        #expect(error?.code == .checksumMismatch)
        #expect(events.withLock { $0.map(\.type.rawValue) } == [1, 3, 7])
    }
}
