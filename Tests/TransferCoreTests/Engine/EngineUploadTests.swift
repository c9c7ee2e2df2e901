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

/// Uploads through the same machine: what differs from a copy.
@Suite(.timeLimit(.minutes(2))) struct EngineUploadTests {
    let target = ObjectLocation(bucket: "b", key: "k")
    let bytes = (0..<95).map { UInt8($0) }
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func options(
        _ scene: Scene, concurrency: Int = 1, checksLocal: Bool = true,
        change: (inout TransferOptions) -> Void = { _ in }
    ) -> TransferOptions {
        var options = scene.options(concurrency: concurrency, hook: TransferCancelHook(), grace: .zero)
        options.checksLocalParts = checksLocal
        change(&options)
        return options
    }

    private func upload(_ source: UploadSource, _ scene: Scene, _ options: TransferOptions? = nil) throws
        -> TransferHandle
    {
        try scene.engine.upload(source, to: target, using: scene.backend, options: options ?? self.options(scene))
    }

    /// A scene whose first upload was paused with five parts stored.
    private func paused(_ source: UploadSource, change: (inout TransferOptions) -> Void = { _ in }) async throws
        -> Scene
    {
        let scene = Scene()
        let gate = scene.holds.hold(.part(6))
        let handle = try upload(source, scene, options(scene, change: change))
        await scene.holds.arrival(of: .part(6))
        handle.cancel(.pause)
        #expect(await transferError { try await handle.value }?.code == .paused)
        gate.open()
        #expect(try await scene.pendingParts() == 5)
        scene.events.withLock { $0 = [] }
        return scene
    }

    private func resume(_ source: UploadSource, _ scene: Scene, _ options: TransferOptions? = nil) async throws -> [Int]
    {
        let before = scene.backend.log.count
        _ = try await upload(source, scene, options).value
        #expect(scene.backend.openUploads.isEmpty)
        return scene.backend.log[before...].compactMap(\.partNumber).sorted()
    }

    // MARK: The object

    @Test func uploadsInPartsAndVerifiesByTheCombinedChecksum() async throws {
        let scene = Scene()
        let receipt = try await upload(.bytes(bytes, name: "n"), scene).value
        #expect(receipt.verification == .crc64)
        #expect(scene.backend.object(target)?.bytes == bytes)
        #expect(scene.partNumbers == Array(1...10))
        #expect(!scene.backend.log.contains { if case .head = $0 { true } else { false } })
    }

    @Test func aSmallSourceIsOneRequest() async throws {
        let scene = Scene()
        let handle = try upload(.bytes(bytes, name: "n"), scene, options(scene) { $0.singleRequestLimit = 95 })
        #expect(try await handle.value.verification == .crc64)
        #expect(scene.backend.log == [.put])
        #expect(try await scene.store.pending().isEmpty)
    }

    @Test func sizesAtTheEdge() async throws {
        for size in [0, 1, 9, 10, 11, 20] {
            let scene = Scene()
            let bytes = [UInt8](repeating: 5, count: size)
            #expect(try await upload(.bytes(bytes, name: "n"), scene).value.verification == .crc64)
            #expect(scene.backend.object(target)?.bytes == bytes)
            // Nothing at all goes by one request, whatever its limit.
            #expect(scene.partNumbers.count == (size + 9) / 10)
            #expect(scene.labels.filter { $0.hasSuffix("end)") } == ["progress(\(size) end)"])
        }
    }

    // MARK: Resuming

    @Test func goesOnWithEqualBytes() async throws {
        let source = UploadSource.bytes(bytes, name: "n")
        let scene = try await paused(source)
        #expect(try await resume(source, scene) == [6, 7, 8, 9, 10])
        #expect(scene.labels.contains("resumed(upload-1 5 50)"))
    }

    @Test func sendsPartsAgainWhoseBytesDiffer() async throws {
        let scene = try await paused(.bytes(bytes, name: "n"))
        var changed = bytes
        changed[15] ^= 1
        #expect(try await resume(.bytes(changed, name: "n"), scene) == [2, 6, 7, 8, 9, 10])
        #expect(scene.backend.object(target)?.bytes == changed)
        #expect(scene.backend.log.count { $0 == .create } == 1)
    }

    @Test func trustsTheRecordWhereAsked() async throws {
        let source = UploadSource.bytes(bytes, name: "n")
        let scene = try await paused(source)
        scene.backend.state.withLock { state in
            // A part that only the service knows proves nothing without the local bytes.
            if let part = state.uploads["upload-1"]?.parts[5] { state.uploads["upload-1"]?.parts[6] = part }
        }
        #expect(try await resume(source, scene, options(scene, checksLocal: false)) == [6, 7, 8, 9, 10])
        #expect(scene.backend.object(target)?.bytes == bytes)
    }

    /// Other parts would not fit between those that are stored.
    @Test func goesOnWithTheRecordedPartSize() async throws {
        let source = UploadSource.bytes(bytes, name: "n")
        let scene = try await paused(source)
        #expect(try await resume(source, scene, options(scene) { $0.partSize = 20 }) == [6, 7, 8, 9, 10])
        #expect(!scene.labels.contains { $0.hasPrefix("restarted") })
        #expect(scene.backend.object(target)?.bytes == bytes)
    }

    @Test func anotherNameIsAnotherTransfer() async throws {
        let scene = try await paused(.bytes(bytes, name: "n"))
        _ = try await upload(.bytes(bytes, name: "m"), scene).value
        #expect(scene.partNumbers.count == 16)
        #expect(try await scene.pendingParts() == 5, "the other record is untouched")
    }

    // MARK: Files

    private func file(_ name: String = "v.mp4") throws -> String {
        try directory.write(bytes, to: name)
        return directory.path(name)
    }

    private func touch(_ path: String, _ seconds: Int) {
        var times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
    }

    /// FR-006: the whole tree was moved; name, size and time are the same.
    @Test func aMovedFileResumes() async throws {
        let path = try file()
        let scene = try await paused(.file(path))
        try LocalFileSystem().createDirectories(directory.path("else/where"))
        let moved = directory.path("else/where/v.mp4")
        try LocalFileSystem().rename(path, to: moved)
        #expect(try await resume(.file(moved), scene) == [6, 7, 8, 9, 10])
        #expect(scene.backend.log.count { $0 == .create } == 1)
    }

    /// FR-015: an unchanged file resumes, a changed one never is mixed with what it was.
    @Test func aFileThatChangedBetweenTwoCalls() async throws {
        let path = try file()
        touch(path, 1000)
        let touched = try await paused(.file(path))
        touch(path, 2000)
        #expect(try await resume(.file(path), touched) == Array(1...10))
        #expect(touched.labels.contains("restarted(sourceChanged)"))

        let longerPath = try file("longer")
        touch(longerPath, 1000)
        let appended = try await paused(.file(longerPath))
        try directory.write(bytes + [1], to: "longer")
        touch(longerPath, 1000)
        #expect(try await resume(.file(longerPath), appended) == Array(1...10))
        #expect(appended.backend.object(target)?.bytes == bytes + [1])

        // Same time, same size, other bytes.
        let samePath = try file("same")
        touch(samePath, 1000)
        let replaced = try await paused(.file(samePath))
        let other = bytes.map { $0 ^ 0xFF }
        try directory.write(other, to: "same")
        touch(samePath, 1000)
        #expect(try await resume(.file(samePath), replaced) == Array(1...10))
        #expect(replaced.backend.object(target)?.bytes == other)
    }

    @Test func aFileThatChangesWhileItIsSentIsNeverMixed() async throws {
        let path = try file()
        touch(path, 1000)
        let scene = Scene()
        let gate = scene.holds.hold(.part(6))
        let handle = try upload(.file(path), scene)
        await scene.holds.arrival(of: .part(6))
        try directory.write(bytes.map { $0 ^ 0xFF }, to: "v.mp4")
        gate.open()
        #expect(await transferError { try await handle.value }?.code == .sourceChanged)
        #expect(scene.backend.object(target) == nil)
        #expect(scene.backend.openUploads.isEmpty)
        #expect(try await scene.store.pending().isEmpty)
    }

    /// FR-014: reads that begin to fail end the upload at once, with the offset, and keep what is stored.
    @Test func readsThatFailEndTheUpload() async throws {
        let path = try file()
        let system = FaultyFileSystem()
        let source = UploadSource(file: try FileSource(path: path, fileSystem: system))
        system.fail(.read, 4, count: 1000, with: EIO)
        let scene = Scene()
        let error = await transferError { try await upload(source, scene).value }
        #expect(error?.code == .fileUnreadable)
        #expect(error?.message.contains("at 30") == true)
        #expect(error?.uploadID == "upload-1")
        #expect(try await scene.pendingParts() == 3)
        #expect(scene.partNumbers == [1, 2, 3])
    }

    // MARK: Integrity

    /// FR-080: a damaged part is sent once more, then given up.
    @Test func aDamagedPartIsSentAgain() async throws {
        let damages = LockBox(1)
        let scene = Scene(before: { request in
            guard request == .part(4) else { return }
            let isDamaged = damages.withLock { damages in
                damages -= 1
                return damages >= 0
            }
            if isDamaged { throw TransferError(.checksumMismatch, "crc") }
        })
        #expect(try await upload(.bytes(bytes, name: "n"), scene).value.verification == .crc64)
        #expect(scene.partNumbers.count { $0 == 4 } == 2)

        damages.withLock { $0 = 2 }
        let error = await transferError { try await upload(.bytes(bytes, name: "m"), scene).value }
        #expect(error?.code == .checksumMismatch)
        #expect(error?.part == 4)
    }

    /// FR-100: never beyond the total, never back, and full once, at the end.
    @Test func progressIsMonotoneAndFullOnce() async throws {
        let source = UploadSource.bytes((0..<1000).map { UInt8(truncatingIfNeeded: $0) }, name: "n")
        for seed in 0..<10 as Range<UInt64> {
            let random = LockBox(SeededRandom(seed: seed))
            let scene = Scene(before: { request in
                guard request.isPart, random.withLock({ $0.chance(10) }) else { return }
                throw TransferError(.checksumMismatch, "crc")
            })
            let handle = try upload(source, scene, options(scene, concurrency: 4))
            let succeeded = await transferError { try await handle.value } == nil
            let bytes = scene.events.withLock { events in
                events.compactMap { if case .progress(let progress) = $0 { progress.completedBytes } else { nil } }
            }
            #expect(bytes == bytes.sorted())
            #expect(bytes.count { $0 == 1000 } == (succeeded ? 1 : 0))
            #expect(bytes.allSatisfy { $0 <= 1000 })
        }
    }
}
