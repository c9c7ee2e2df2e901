import AliyunVOD
import TestSupport
import Testing
import TransferCore
import TransferHTTP
import TransferPrimitives

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A directory of its own for one test, with a place for records; gone with the last reference.
final class Fixture: Sendable {
    let directory: String
    let oss: FakeOSS
    let vod: FakeVOD

    init(oss: FakeOSS = FakeOSS(), vod: FakeVOD = FakeVOD()) throws {
        self.oss = oss
        self.vod = vod
        directory = FileManager.default.temporaryDirectory.path + "/vod-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    var checkpoints: String { directory + "/records" }

    /// The files in which uploads are recorded.
    var records: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: checkpoints)) ?? []).sorted()
    }

    /// A file of `count` bytes that differ from part to part.
    @discardableResult
    func file(_ name: String = "a.mp4", count: Int, seed: UInt8 = 1, modified: Date? = nil) throws -> String {
        let path = directory + "/" + name
        try write(content(count, seed: seed), to: path, modified: modified)
        return path
    }

    func write(_ bytes: [UInt8], to path: String, modified: Date? = nil) throws {
        let parent = path.split(separator: "/").dropLast().joined(separator: "/")
        try FileManager.default.createDirectory(atPath: "/" + parent, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: path))
        if let modified { try FileManager.default.setAttributes([.modificationDate: modified], ofItemAtPath: path) }
    }

    func config(_ change: (inout VODUploadConfig) -> Void = { _ in }) -> VODUploadConfig {
        var config = VODUploadConfig(getAuth: vod.getAuth)
        config.checkpointDirectory = checkpoints
        config.partSize = Fixture.partSize
        change(&config)
        return config
    }

    func uploader(
        clock: any TransferClock = SystemClock(), _ change: (inout VODUploadConfig) -> Void = { _ in }
    ) throws -> VODUploader {
        try VODUploader(config(change), transport: oss, clock: clock, random: NoJitter())
    }

    /// The smallest that is allowed, so that small files have many parts.
    static let partSize = 100 << 10
}

/// Bytes that differ from KiB to KiB.
func content(_ count: Int, seed: UInt8 = 1) -> [UInt8] {
    // All empty arrays share their storage, which even the length 0 would be written to.
    if count == 0 { return [] }
    // By memset: a sanitizer makes every step of a loop that is not optimised dear, and all tests share few threads.
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        for offset in stride(from: 0, to: count, by: 1024) {
            let value = UInt8(truncatingIfNeeded: offset / 1024 &* 31) &+ seed
            guard let start = buffer.baseAddress else { return }
            memset(start + offset, Int32(value), min(1024, count - offset))
        }
        initialized = count
    }
}

/// Repeats come at once, and every upload has the same id.
struct NoJitter: RandomSource {
    func next() -> UInt64 { 0 }
}

/// The error that `body` throws.
func uploadError(_ body: () async throws -> Void) async -> VODUploadError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? VODUploadError
    }
}

/// Waits until the task is cancelled.
func waitForCancellation() async throws { try await Gate().waitOrCancel() }

/// Counts to a number, and lets others wait for it.
final class Tally: Sendable {
    private let count = LockBox(0)
    private let wanted: Int
    private let gate = Gate()

    init(_ wanted: Int) { self.wanted = wanted }

    var value: Int { count.withLock { $0 } }

    /// The new count.
    @discardableResult
    func add() -> Int {
        let now = count.withLock { count in
            count += 1
            return count
        }
        if now == wanted { gate.open() }
        return now
    }

    func reached() async { await gate.wait() }
}

/// Makes a file that size, without writing its bytes.
func truncate(_ path: String, to size: UInt64) throws {
    let files = LocalFileSystem()
    try files.truncate(try files.open(path, .append), to: size)
}
