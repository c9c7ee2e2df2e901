import Foundation
import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import TestSupport
import Testing
import TransferCore
import TransferPrimitives

// What is transferred, and what becomes of a resume when it moved, changed or cannot be read.

extension ResumeReports {
    // MARK: FR-006

    @Test("FR-006: a file whose tree has moved resumes", arguments: Subject.uploads, [true, false])
    func movedTree(_ subject: Subject, _ checksLocalParts: Bool) async throws {
        let scene = try await TransferScene(subject)
        let roots = ["a", "b"].map { scene.directory.path("root-\($0)") }
        let name = "/Documents/v.mp4"
        try FileManager.default.createDirectory(atPath: roots[0] + "/Documents", withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: scene.path, toPath: roots[0] + name)
        try await scene.pause(after: 3) { $0.path = roots[0] + name }
        try FileManager.default.moveItem(atPath: roots[0], toPath: roots[1])
        let later = try await scene.later {
            $0.path = roots[1] + name
            $0.checksLocalParts = checksLocalParts
        }
        #expect(later.isResumed)
        #expect(later.count(.createMultipartUpload) == 0)
        #expect(later.parts == [4, 5, 6])
        #expect(scene.isMade())
    }

    // MARK: FR-014

    /// Bytes that can be read up to a point, as a value.
    private struct FailingBytes: ByteSource {
        struct IOError: Error {}
        let bytes: [UInt8]
        let failsAt: UInt64
        var length: UInt64 { UInt64(bytes.count) }

        func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            guard offset < failsAt else { throw IOError() }
            let slice = bytes[Int(offset)...].prefix(min(buffer.count, Int(failsAt - offset)))
            buffer.copyBytes(from: slice)
            return slice.count
        }
    }

    /// The same as an object.
    private final class FailingFile: ByteSource {
        let base: FailingBytes
        var length: UInt64 { base.length }
        init(_ base: FailingBytes) { self.base = base }
        func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            try base.read(at: offset, into: buffer)
        }
    }

    enum Reader: String, CaseIterable { case structure, object, file }

    @Test(
        "FR-014 (b): a read error ends the upload, naming the offset, and nothing is begun after it",
        arguments: Subject.uploads.dropLast(), Reader.allCases)
    func readError(_ subject: Subject, _ reader: Reader) async throws {
        let scene = try await TransferScene(subject, parts: 8)
        let offset = UInt64(3 * subject.partSize) + 40_000
        let bytes = FailingBytes(bytes: scene.bytes(seed: 1), failsAt: offset)
        let system = FailingReads(from: offset)
        let source =
            switch reader {
            case .structure: UploadSource(bytes, name: "a.mp4")
            case .object: UploadSource(FailingFile(bytes), name: "a.mp4")
            case .file: UploadSource(file: try FileSource(path: scene.path, fileSystem: system))
            }
        let error = await scene.fails { $0.source = source }
        #expect(error?.code == .fileUnreadable)
        #expect(error?.part == 4)
        #expect(error.map { "\($0)" }?.contains("\(offset)") == true, "\(String(describing: error))")
        #expect(scene.server.wireLog.entries.compactMap(\.request.partNumber).max() ?? 0 <= 4)
        #expect(try scene.recordedParts() == [1, 2, 3])
        #expect(scene.server.wireLog.count(of: .completeMultipartUpload) == 0)
        // Nothing is asked again of a disk that said no.
        #expect(scene.server.wireLog.entries.count { $0.request.partNumber == 4 } <= 1)
    }

    // MARK: FR-015

    enum Change: String, CaseIterable { case none, touched, appended, replaced }

    @Test("FR-015: after an outage only a file that changed begins again", arguments: Subject.uploads, Change.allCases)
    func changedFile(_ subject: Subject, _ change: Change) async throws {
        let scene = try await TransferScene(subject)
        let stalled = scene.server.faults.add(.on(.uploadPart).part(4), .stall)
        let hook = TransferCancelHook()
        async let stopped = scene.fails { $0.hook = hook }
        try await scene.server.wireLog.waitFor { $0.request.partNumber == 4 }
        scene.server.goOffline()
        hook.cancel()
        #expect(await stopped?.code == .paused)
        try scene.server.goOnline()
        stalled.remove()
        let id = try #require(scene.server.storage.uploads.first?.id)

        var bytes = scene.bytes(seed: 1)
        let modified = try #require(
            FileManager.default.attributesOfItem(atPath: scene.path)[.modificationDate] as? Date)
        switch change {
        case .none: break
        case .touched: break
        case .appended: bytes.append(7)
        case .replaced: bytes = scene.bytes(seed: 2)
        }
        if change != .none {
            try scene.write(bytes)
            try FileManager.default.setAttributes(
                [.modificationDate: modified.addingTimeInterval(60)], ofItemAtPath: scene.path)
        }
        let later = try await scene.later()
        if change == .none {
            #expect(later.isResumed)
            #expect(later.parts == [4, 5, 6])
        } else {
            #expect(!later.isResumed)
            #expect(later.count(.createMultipartUpload) == 1)
            #expect(later.parts == Array(1...6))
            // A video belongs to its file: another file is another video, and the first one's record stays for it.
            if subject.service == .vod {
                #expect(try await scene.store.pending().map(\.uploadID) == [id])
            } else {
                #expect(later.restarts == [.sourceChanged])
                #expect(scene.server.storage.upload(id) == nil)
            }
        }
        #expect(scene.made() == TransferScene.checksum(bytes))
    }

    @Test("FR-015: another byte under the old time and size is found and sent", arguments: Subject.uploads)
    func changedByte(_ subject: Subject) async throws {
        let scene = try await TransferScene(subject)
        try await scene.pause(after: 3)
        var bytes = scene.bytes(seed: 1)
        bytes[subject.partSize + 500] ^= 1
        let modified = try FileManager.default.attributesOfItem(atPath: scene.path)[.modificationDate]
        try scene.write(bytes)
        try FileManager.default.setAttributes([.modificationDate: try #require(modified)], ofItemAtPath: scene.path)
        let later = try await scene.later()
        #expect(later.isResumed)
        #expect(later.parts == [2, 4, 5, 6])
        #expect(scene.made() == TransferScene.checksum(bytes))
    }

    @Test(
        "FR-015: a source object that changed begins again, whatever reads it",
        arguments: Subject.copies + Subject.downloads)
    func changedObject(_ subject: Subject) async throws {
        let scene = try await TransferScene(subject)
        try await scene.pause(after: 3)
        scene.server.goOffline()
        #expect(await scene.fails { $0.retries = 0 } != nil)
        try scene.server.goOnline()
        try scene.write(seed: 2)
        let later = try await scene.later()
        #expect(later.restarts == [.sourceChanged])
        #expect(later.parts == Array(1...6))
        #expect(scene.isMade(seed: 2))
        #expect(scene.server.storage.uploads.isEmpty)
        #expect(scene.leftovers.isEmpty)
    }

    // MARK: FR-020

    @Test("FR-020 (a): a source whose tag is composite resumes", arguments: Subject.copies + Subject.downloads)
    func compositeTag(_ subject: Subject) async throws {
        let scene = try await TransferScene(subject)
        try scene.server.storage.updateObject(TransferScene.key, in: "source") {
            $0.etag = "0123456789abcdef0123456789abcdef-6"
        }
        try await scene.pause(after: 3)
        let later = try await scene.later()
        #expect(later.isResumed)
        #expect(later.parts == [4, 5, 6])
        #expect(scene.isMade())
        if subject.kind == .copy {
            #expect(
                later.entries.filter { $0.operation == .uploadPartCopy }.allSatisfy { entry in
                    entry.headText.lowercased().contains("copy-source-if-match: \"0123456789abcdef0123456789abcdef-6\"")
                })
        }
    }

    enum Trace: String, CaseIterable { case tag, time }

    @Test(
        "FR-020 (b): a source that was overwritten begins again", arguments: Subject.copies + Subject.downloads,
        Trace.allCases)
    func overwrittenSource(_ subject: Subject, _ trace: Trace) async throws {
        let scene = try await TransferScene(subject)
        let tag = "0123456789abcdef0123456789abcdef-6"
        try scene.server.storage.updateObject(TransferScene.key, in: "source") { $0.etag = tag }
        try await scene.pause(after: 3)
        try scene.write(seed: 2)
        try scene.server.storage.updateObject(TransferScene.key, in: "source") { object in
            // Where the tag tells nothing the time does.
            object.etag = trace == .tag ? "fedcba9876543210fedcba9876543210-6" : tag
            object.lastModified += trace == .tag ? 0 : 60
        }
        let later = try await scene.later()
        #expect(later.restarts == [.sourceChanged])
        #expect(later.parts == Array(1...6))
        #expect(scene.isMade(seed: 2))
    }

    @Test(
        "FR-020 (b): a source that is overwritten on the way is an error, and never mixed",
        arguments: Subject.copies + Subject.downloads)
    func overwrittenOnTheWay(_ subject: Subject) async throws {
        let scene = try await TransferScene(subject)
        let held = scene.server.faults.add(subject.match(part: 4), .hold)
        async let outcome = scene.fails()
        try await held.waitUntilHeld()
        try scene.write(seed: 2)
        held.release()
        #expect(await outcome?.code == .sourceChanged)
        #expect(scene.made() == nil)
        try await scene.run()
        #expect(scene.isMade(seed: 2))
    }
}

/// A file system whose reads fail from an offset on.
private final class FailingReads: FileSystem {
    private let base = LocalFileSystem()
    private let offset: UInt64

    init(from offset: UInt64) { self.offset = offset }

    func read(_ file: OpenFile, at start: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(SystemCallError)
        -> Int
    {
        guard start < offset else { throw SystemCallError(call: "pread", path: file.path, number: EIO) }
        let count = min(buffer.count, Int(offset - start))
        return try base.read(file, at: start, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
    }

    func open(_ path: String, _ access: FileAccess) throws(SystemCallError) -> OpenFile { try base.open(path, access) }
    func write(_ bytes: UnsafeRawBufferPointer, to file: OpenFile) throws(SystemCallError) {
        try base.write(bytes, to: file)
    }
    func write(_ bytes: UnsafeRawBufferPointer, to file: OpenFile, at offset: UInt64) throws(SystemCallError) {
        try base.write(bytes, to: file, at: offset)
    }
    func truncate(_ file: OpenFile, to length: UInt64) throws(SystemCallError) {
        try base.truncate(file, to: length)
    }
    func allocate(_ file: OpenFile, _ length: UInt64) throws(SystemCallError) { try base.allocate(file, length) }
    func synchronize(_ file: OpenFile) throws(SystemCallError) { try base.synchronize(file) }
    func synchronizeDirectory(_ path: String) throws(SystemCallError) { try base.synchronizeDirectory(path) }
    func lock(_ file: OpenFile) throws(SystemCallError) -> Bool { try base.lock(file) }
    func unlock(_ file: OpenFile) throws(SystemCallError) { try base.unlock(file) }
    func status(of file: OpenFile) throws(SystemCallError) -> FileStatus { try base.status(of: file) }
    func status(at path: String) throws(SystemCallError) -> FileStatus? { try base.status(at: path) }
    func linkDestination(at path: String) throws(SystemCallError) -> String? { try base.linkDestination(at: path) }
    func checkWritable(directory path: String) throws(SystemCallError) { try base.checkWritable(directory: path) }
    func rename(_ from: String, to: String) throws(SystemCallError) { try base.rename(from, to: to) }
    func remove(_ path: String) throws(SystemCallError) { try base.remove(path) }
    func createDirectories(_ path: String) throws(SystemCallError) { try base.createDirectories(path) }
    func list(_ path: String) throws(SystemCallError) -> [String] { try base.list(path) }
}
