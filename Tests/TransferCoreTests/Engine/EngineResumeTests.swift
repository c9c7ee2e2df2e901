import TestSupport
import Testing
import TransferPrimitives

@testable import TransferCore

/// A second call over what a first one has left.
@Suite(.timeLimit(.minutes(2))) struct EngineResumeTests {
    /// A scene whose first call was paused with the first `parts` parts recorded.
    private func paused(
        _ parts: Int = 5, store: any CheckpointStore = MemoryCheckpointStore(), honoursPreconditions: Bool = true
    ) async throws -> Scene {
        let scene = Scene(store: store, honoursPreconditions: honoursPreconditions)
        let hook = TransferCancelHook()
        let gate = scene.holds.hold(.part(parts + 1))
        let handle = try scene.start(scene.options(concurrency: 1, hook: hook, grace: .zero))
        await scene.holds.arrival(of: .part(parts + 1))
        hook.cancel()
        #expect(await transferError { try await handle.value }?.code == .paused)
        gate.open()
        #expect(try await scene.pendingParts() == parts)
        scene.events.withLock { $0 = [] }
        return scene
    }

    @Test func goesOnWhereItStopped() async throws {
        let scene = try await paused()
        let before = scene.backend.log.count
        let receipt = try await scene.resume()
        #expect(receipt.verification == .crc64)
        #expect(receipt.uploadID == "upload-1")
        #expect(scene.isCopied)
        #expect(scene.backend.log[before...].first == .head(Scene.source))
        #expect(scene.backend.log[before...].compactMap(\.partNumber).sorted() == [6, 7, 8, 9, 10])
        #expect(scene.backend.log.count { $0 == .create } == 1)
        #expect(
            scene.labels.prefix(3) == ["claimed", "resumed(upload-1 5 50)", "progress(50)"]
                || scene.labels.contains("resumed(upload-1 5 50)"))
        #expect(try await scene.store.pending().isEmpty)
    }

    /// FR-102: the first progress is at least what is stored already.
    @Test func progressGoesOnToo() async throws {
        let scene = try await paused()
        try await scene.resume()
        let bytes = scene.events.withLock { events in
            events.compactMap { if case .progress(let progress) = $0 { progress.completedBytes } else { nil } }
        }
        #expect((bytes.first ?? 0) >= 50)
        #expect(bytes == bytes.sorted())
        #expect(bytes.last == 95)
        #expect(bytes.count { $0 == 95 } == 1)
    }

    /// FR-014: nothing to do but Complete.
    @Test func aCallThatOnlyMissesComplete() async throws {
        let failing = LockBox(true)
        let scene = Scene(before: { request in
            if request == .complete, failing.withLock({ $0 }) { throw TransferError(.refused, "400") }
        })
        #expect(await transferError { try await scene.start().value }?.code == .refused)
        #expect(try await scene.pendingParts() == 10)
        failing.withLock { $0 = false }
        let parts = scene.partNumbers.count
        #expect(try await scene.resume().verification == .crc64)
        #expect(scene.partNumbers.count == parts)
        #expect(scene.isCopied)
    }

    /// FR-020: another content at the source is a fresh start, and nothing of the old one is in the object.
    @Test func aChangedSourceIsAFreshStart() async throws {
        let scene = try await paused()
        let changed = Scene.bytes.map { $0 ^ 0x55 }
        scene.backend.put(.init(changed), at: Scene.source)
        #expect(try await scene.resume().verification == .crc64)
        #expect(scene.labels.contains("restarted(sourceChanged)"))
        #expect(scene.backend.object(Scene.target)?.bytes == changed)
        #expect(scene.backend.openUploads.isEmpty, "the stale upload was aborted")
        #expect(scene.backend.log.count { $0 == .create } == 2)
    }

    /// A source that changes between two parts stops the copy; the next call starts from the new content.
    @Test func aSourceThatChangesMeanwhileIsNeverMixed() async throws {
        let scene = Scene()
        let changed = Scene.bytes.map { $0 ^ 0xFF }
        let gate = scene.holds.hold(.part(6))
        let handle = try scene.start(scene.options(concurrency: 1))
        await scene.holds.arrival(of: .part(6))
        scene.backend.put(.init(changed), at: Scene.source)
        gate.open()
        #expect(await transferError { try await handle.value }?.code == .sourceChanged)
        #expect(scene.backend.object(Scene.target) == nil)
        #expect(scene.backend.openUploads.isEmpty)
        #expect(try await scene.store.pending().isEmpty)
        try await scene.resume()
        #expect(scene.backend.object(Scene.target)?.bytes == changed)
    }

    /// Where the service does not honour preconditions, the engine looks for itself before it completes.
    @Test func aSourceThatChangesBehindIgnoredPreconditionsIsFound() async throws {
        let scene = Scene(honoursPreconditions: false)
        let changed = Scene.bytes.map { $0 ^ 0xFF }
        let gate = scene.holds.hold(.part(6))
        let handle = try scene.start(scene.options(concurrency: 1))
        await scene.holds.arrival(of: .part(6))
        scene.backend.put(.init(changed), at: Scene.source)
        gate.open()
        #expect(await transferError { try await handle.value }?.code == .sourceChanged)
        #expect(!scene.backend.log.contains(.complete))
        #expect(scene.backend.openUploads.isEmpty)
    }

    /// A part that the service stored and the record missed is kept only where it cannot stem from another source.
    @Test(arguments: [true, false]) func aPartThatOnlyTheServiceKnows(_ honours: Bool) async throws {
        let scene = try await paused(5, honoursPreconditions: honours)
        let upload = MultipartUpload(id: "upload-1", target: Scene.target)
        let range = ByteRange(offset: 60, length: 10)
        _ = try await scene.backend.uploadPartCopy(7, of: upload, from: Scene.source, range: range, ifMatch: nil)
        let before = scene.backend.log.count
        try await scene.resume()
        #expect(scene.isCopied)
        let copied = scene.backend.log[before...].compactMap(\.partNumber).sorted()
        #expect(copied == (honours ? [6, 8, 9, 10] : [6, 7, 8, 9, 10]))
    }

    /// FR-003: what the service has lost is sent again.
    @Test func aPartThatTheServiceLost() async throws {
        let scene = try await paused()
        scene.backend.state.withLock { $0.uploads["upload-1"]?.parts[2] = nil }
        let before = scene.backend.log.count
        try await scene.resume()
        #expect(scene.backend.log[before...].compactMap(\.partNumber).sorted() == [2, 6, 7, 8, 9, 10])
        #expect(scene.isCopied)
    }

    /// FR-002, FR-007: an upload that is gone is replaced once.
    @Test func anUploadThatIsGone() async throws {
        let scene = try await paused()
        scene.backend.state.withLock { $0.uploads = [:] }
        try await scene.resume()
        #expect(scene.isCopied)
        #expect(scene.labels.contains("restarted(uploadNotFound)"))
        #expect(scene.backend.log.count { $0 == .create } == 2)
        #expect(try await scene.store.pending().isEmpty)
    }

    @Test func optionsThatChangeTheObjectAreAFreshStart() async throws {
        let scene = try await paused()
        let handle = try scene.start(
            scene.options(hook: TransferCancelHook()),
            objectOptions: ObjectOptions(attributes: .init(contentType: "text/plain")))
        _ = try await handle.value
        #expect(scene.labels.contains("restarted(optionsChanged)"))
        #expect(scene.backend.object(Scene.target)?.attributes.contentType == "text/plain")
        #expect(scene.backend.openUploads.isEmpty)
    }

    @Test func anotherPartSizeIsAFreshStart() async throws {
        let scene = try await paused()
        var options = scene.options(hook: TransferCancelHook())
        options.partSize = 7
        try await scene.resume(options)
        #expect(scene.labels.contains("restarted(partSizeChanged)"))
        #expect(scene.isCopied)
        #expect(scene.backend.openUploads.isEmpty)
    }

    /// FR-004: a store that keeps nothing but encoded text.
    @Test func aRecordIsPlainData() async throws {
        let scene = try await paused()
        let claim = try await scene.store.claim(
            CheckpointID(kind: .copy, ["memory", "a", "k", "", "b", "k"]))
        let saved = try #require(claim.saved)
        await claim.release()
        let copy = try JSON.decode(TransferCheckpoint.self, JSON.encode(saved))
        #expect(copy == saved)
        #expect(copy.uploadID == "upload-1")
        #expect(copy.partSize == 10)
        #expect(copy.partCount == 10)
    }

    // MARK: Kills

    /// The process dies in any call to the file system. The next call makes the object, and copies no part again whose line was in
    /// the file.
    @Test func afterAKillAtAnyCall() async throws {
        let directory = try TemporaryDirectory()
        var deaths = 0
        for number in 1..<45 {
            let path = directory.path("\(number).json")
            let system = FaultyFileSystem()
            system.die(at: number, FaultyFileSystem.Death.allCases[number % 3])
            let scene = Scene(store: FileCheckpointStore(path: path, fileSystem: system))
            let first = await transferError { try await scene.start(scene.options(concurrency: 3, grace: .zero)).value }
            guard first != nil else { continue }
            deaths += 1
            let store = FileCheckpointStore(path: path)
            let recorded = try await store.pending().first
            let before = scene.backend.log.count
            let handle = try scene.engine.copy(
                from: Scene.source, to: Scene.target, using: scene.backend,
                options: TransferOptions(checkpoint: .store(store)))
            #expect(try await handle.value.verification == .crc64)
            #expect(scene.isCopied)
            let again = scene.backend.log[before...].compactMap(\.partNumber)
            #expect(again.count <= 10 - (recorded?.partsDone ?? 0))
            #expect(try LocalFileSystem().status(at: path) == nil)
        }
        #expect(deaths > 10)
    }
}
