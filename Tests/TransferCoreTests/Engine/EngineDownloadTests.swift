import TestSupport
import Testing
import TransferPrimitives

@testable import TransferCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Downloads through the same machine: what differs from a copy and an upload.
@Suite(.timeLimit(.minutes(2))) struct EngineDownloadTests {
    private let directory: TemporaryDirectory
    private var target: String { directory.path("film.mov") }
    private var partial: String { directory.path("film.mov.part") }

    init() throws { directory = try TemporaryDirectory() }

    private func download(
        _ scene: Scene, _ options: TransferOptions? = nil, fileSystem: any FileSystem = LocalFileSystem()
    ) throws -> TransferHandle {
        try scene.engine.download(
            Scene.source, to: target, using: scene.backend,
            options: options ?? scene.options(concurrency: 2, hook: TransferCancelHook(), grace: .zero),
            fileSystem: fileSystem)
    }

    private func bytes(_ path: String) throws -> [UInt8]? {
        let system = LocalFileSystem()
        guard let status = try system.status(at: path) else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(status.size))
        let file = try system.open(path, .read)
        let count = try bytes.withUnsafeMutableBytes { try system.read(file, at: 0, into: $0) }
        #expect(count == bytes.count)
        return bytes
    }

    /// A scene whose first download was paused with some parts there.
    private func paused(_ scene: Scene = Scene(), at offset: UInt64 = 50) async throws -> Scene {
        let gate = scene.holds.hold(.get(offset))
        let handle = try download(scene, scene.options(concurrency: 1, hook: TransferCancelHook(), grace: .zero))
        await scene.holds.arrival(of: .get(offset))
        handle.cancel(.pause)
        #expect(await transferError { try await handle.value }?.code == .paused)
        gate.open()
        scene.events.withLock { $0 = [] }
        return scene
    }

    private func offsets(_ scene: Scene, after count: Int) -> [UInt64] {
        scene.backend.log[count...].compactMap { if case .get(let offset) = $0 { offset } else { nil } }.sorted()
    }

    // MARK: The file

    @Test(arguments: [0, 1, 9, 10, 11, 95, 100]) func theFileIsTheObject(_ size: Int) async throws {
        let content = (0..<size).map { UInt8($0) }
        let scene = Scene(bytes: content)
        let receipt = try await download(scene).value
        #expect(try bytes(target) == content)
        #expect(receipt.verification == .crc64 && receipt.size == UInt64(size))
        #expect(receipt.etag == scene.backend.object(Scene.source)?.etag)
        #expect(directory.files == ["film.mov"])
        #expect(scene.labels.filter { $0.hasSuffix("end)") } == ["progress(\(size) end)"])
        #expect(try await scene.store.pending().isEmpty)
    }

    @Test func aFileThatIsThereStaysUntilTheDownloadIsWhole() async throws {
        try directory.write([7, 7], to: "film.mov")
        let scene = Scene()
        let gate = scene.holds.hold(.get(90))
        let handle = try download(scene)
        await scene.holds.arrival(of: .get(90))
        #expect(try bytes(target) == [7, 7])
        #expect(try bytes(partial)?.count == 95, "room for all of it is made first")
        gate.open()
        _ = try await handle.value
        #expect(try bytes(target) == Scene.bytes)
    }

    @Test func newFilesAreAsReadableAsOthers() async throws {
        _ = try await download(Scene()).value
        var status = stat()
        #expect(stat(target, &status) == 0)
        let mask = umask(0)
        umask(mask)
        #expect(status.st_mode & 0o777 == 0o666 & ~mask)
    }

    @Test func aWrongChecksumOfTheWholeNeverGetsTheName() async throws {
        let scene = Scene()
        // Every part is taken for what it is, but the object is told to be another one.
        var told = MemoryBackend.Object(Scene.bytes)
        told.tellsOtherChecksum = true
        scene.backend.put(told, at: Scene.source)
        let handle = try download(scene)
        #expect(await transferError { try await handle.value }?.code == .checksumMismatch)
        #expect(directory.files.isEmpty, "nothing is left to resume from: nobody knows which part is wrong")
        #expect(try await scene.store.pending().isEmpty)
    }

    // MARK: Resuming

    @Test func goesOnWithThePartsThatAreThere() async throws {
        let scene = try await paused()
        #expect(directory.files == ["film.mov.part"])
        let count = scene.backend.log.count
        let receipt = try await download(scene).value
        #expect(receipt.verification == .crc64)
        #expect(offsets(scene, after: count) == [50, 60, 70, 80, 90])
        #expect(scene.labels.contains { $0.hasPrefix("resumed(") && $0.hasSuffix(" 5 50)") })
        #expect(try bytes(target) == Scene.bytes)
    }

    @Test func partsThatWereDamagedMeanwhileAreFetchedAgain() async throws {
        let scene = try await paused()
        let system = LocalFileSystem()
        try [UInt8(200)].withUnsafeBytes { try system.write($0, to: try system.open(partial, .update), at: 15) }
        let count = scene.backend.log.count
        _ = try await download(scene).value
        #expect(offsets(scene, after: count) == [10, 50, 60, 70, 80, 90])
        #expect(try bytes(target) == Scene.bytes)
    }

    @Test func anObjectThatChangedIsFetchedAnew() async throws {
        let scene = try await paused()
        let other = (0..<95).map { UInt8($0 + 1) }
        scene.backend.put(.init(other), at: Scene.source)
        _ = try await download(scene).value
        #expect(scene.labels.contains("restarted(sourceChanged)"))
        #expect(try bytes(target) == other)
        #expect(directory.files == ["film.mov"])
    }

    @Test func anObjectThatChangesOnTheWayIsNotMixed() async throws {
        let scene = Scene()
        let gate = scene.holds.hold(.get(50))
        let handle = try download(scene, scene.options(concurrency: 1, hook: TransferCancelHook(), grace: .zero))
        await scene.holds.arrival(of: .get(50))
        scene.backend.put(.init((0..<95).map { UInt8($0 + 1) }), at: Scene.source)
        gate.open()
        #expect(await transferError { try await handle.value }?.code == .sourceChanged)
        #expect(directory.files.isEmpty)
    }

    @Test func aFileThatIsGoneBeginsAgain() async throws {
        let scene = try await paused()
        try LocalFileSystem().remove(partial)
        _ = try await download(scene).value
        #expect(scene.labels.contains("restarted(uploadNotFound)"))
        #expect(try bytes(target) == Scene.bytes)
    }

    @Test func anAbortLeavesNothing() async throws {
        let scene = Scene()
        let gate = scene.holds.hold(.get(50))
        let handle = try download(scene)
        await scene.holds.arrival(of: .get(50))
        handle.cancel(.abort)
        #expect(await transferError { try await handle.value }?.code == .aborted)
        gate.open()
        #expect(directory.files.isEmpty)
        #expect(try await scene.store.pending().isEmpty)
    }

    @Test func aPauseWithoutARecordLeavesNothing() async throws {
        let scene = Scene()
        let gate = scene.holds.hold(.get(50))
        let handle = try download(scene, scene.options(keeps: false, hook: TransferCancelHook(), grace: .zero))
        await scene.holds.arrival(of: .get(50))
        handle.cancel(.pause)
        #expect(await transferError { try await handle.value }?.code == .paused)
        gate.open()
        #expect(directory.files.isEmpty)
    }

    @Test func whatStoppedIsListedAndDiscarded() async throws {
        let scene = try await paused()
        let pending = try await scene.store.pending()
        #expect(pending.map(\.kind) == [.download] && pending.first?.partsDone == 5)
        try await scene.engine.discard(try #require(pending.first), in: scene.store, using: scene.backend)
        #expect(directory.files.isEmpty)
        #expect(try await scene.store.pending().isEmpty)
    }

    /// Two downloads to one name would write over each other.
    @Test func aSecondDownloadToTheSameFileIsRefused() async throws {
        let scene = Scene()
        let gate = scene.holds.hold(.get(50))
        let first = try download(scene, scene.options(keeps: false, hook: TransferCancelHook(), grace: .zero))
        await scene.holds.arrival(of: .get(50))
        let second = try download(scene, scene.options(keeps: false, hook: TransferCancelHook(), grace: .zero))
        #expect(await transferError { try await second.value }?.code == .conflict)
        gate.open()
        _ = try await first.value
        #expect(try bytes(target) == Scene.bytes)
    }

    /// A request that was cut may keep the file open a moment longer than its transfer.
    @Test(arguments: [CancelMode.pause, .abort]) func aDownloadThatHasEndedHoldsNoLock(_ mode: CancelMode) async throws
    {
        let scene = Scene()
        let system = FaultyFileSystem()
        system.keepsFilesOpen = true
        let gate = scene.holds.hold(.get(50))
        let handle = try download(
            scene, scene.options(concurrency: 1, hook: TransferCancelHook(), grace: .zero), fileSystem: system)
        await scene.holds.arrival(of: .get(50))
        handle.cancel(mode)
        _ = await transferError { try await handle.value }
        gate.open()
        _ = try await download(scene).value
        #expect(try bytes(target) == Scene.bytes)
    }

    // MARK: The disk

    @Test func aDiskWithoutRoomIsFoundBeforeTheFirstByte() async throws {
        let scene = Scene()
        let system = FaultyFileSystem()
        system.fail(.allocate, with: ENOSPC)
        let handle = try download(scene, fileSystem: system)
        #expect(await transferError { try await handle.value }?.code == .diskFull)
        #expect(!scene.backend.log.contains { if case .get = $0 { true } else { false } })
        #expect(directory.files.isEmpty)
    }

    @Test(arguments: [FaultyFileSystem.Call.update, .synchronize, .rename]) func aFullDiskOnTheWayCanBeResumed(
        _ call: FaultyFileSystem.Call
    ) async throws {
        let scene = Scene()
        let system = FaultyFileSystem()
        system.fail(call, call == .update ? 12 : 1, count: 100, with: ENOSPC)
        let handle = try download(scene, fileSystem: system)
        #expect(await transferError { try await handle.value }?.code == .diskFull)
        #expect(try bytes(target) == nil)
        let count = scene.backend.log.count
        _ = try await download(scene).value
        #expect(try bytes(target) == Scene.bytes)
        #expect(offsets(scene, after: count).count < 10, "what was there is kept")
    }

    /// A kill between the rename and the removal of the record: the next call finds the file whole.
    @Test func aKillAfterTheRenameIsNoticed() async throws {
        let store = MemoryCheckpointStore()
        let scene = Scene(store: store)
        let system = FaultyFileSystem()
        system.fail(.synchronizeDirectory, with: EIO)
        let handle = try download(scene, fileSystem: system)
        #expect(await transferError { try await handle.value } != nil)
        #expect(try bytes(target) == Scene.bytes)
        let count = scene.backend.log.count
        let receipt = try await download(scene).value
        #expect(receipt.verification == .crc64)
        #expect(offsets(scene, after: count).isEmpty)
        #expect(try await store.pending().isEmpty)
    }

    // MARK: Bad input

    @Test func pathsThatCannotBeAreRefusedBeforeAnyRequest() throws {
        let scene = Scene()
        for path in ["", directory.path, directory.path("none/x"), directory.path("x/"), "a\0b"] {
            let error = #expect(throws: TransferError.self) {
                try scene.engine.download(Scene.source, to: path, using: scene.backend)
            }
            #expect(error?.code == .fileUnwritable && error?.field == "path", "\(path)")
        }
        #expect(scene.backend.log.isEmpty)
    }

    @Test func anObjectThatIsNotThereLeavesNoFile() async throws {
        let scene = Scene()
        let handle = try scene.engine.download(
            ObjectLocation(bucket: "a", key: "none"), to: target, using: scene.backend)
        #expect(await transferError { try await handle.value }?.code == .notFound)
        #expect(directory.files.isEmpty)
    }
}
