import Foundation
import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import TestSupport
import Testing
import TransferCore
import TransferPrimitives

// What the record of a transfer is, where it is kept, and what becomes of one that is damaged.

extension ResumeReports {
    // MARK: FR-004

    @Test(
        "FR-004: a record that was encoded and decoded resumes, once its source is given again", arguments: Subject.all)
    func encodedRecord(_ subject: Subject) async throws {
        let scene = try await TransferScene(subject)
        let directory = scene.directory.path("shared")
        try await scene.pause(after: 3) { $0.store = SharedCheckpointStore(directory: directory) }
        let text = String(
            decoding: try JSONEncoder().encode(try SharedCheckpointStore(directory: directory).entry()), as: UTF8.self)
        for secret in [scene.server.accessKey, scene.server.secretKey, scene.server.sessionToken] {
            #expect(secret.map(text.contains) != true)
        }
        // Without a source, or with one that is gone, nothing is asked of anybody.
        if subject.kind == .upload {
            let before = scene.server.wireLog.entries.count
            for path in ["", scene.directory.path("gone.mp4")] {
                let error = await scene.fails {
                    $0.path = path
                    $0.store = SharedCheckpointStore(directory: directory)
                }
                #expect(error?.code == .fileUnreadable)
                #expect(error?.field == "path")
            }
            #expect(scene.server.wireLog.entries.count == before)
        }
        let later = try await scene.later { $0.store = SharedCheckpointStore(directory: directory) }
        #expect(later.isResumed)
        #expect(later.count(.createMultipartUpload) == 0)
        #expect(later.parts == [4, 5, 6])
        #expect(scene.isMade())
    }

    @Test("FR-004: another process resumes from encoded bytes", arguments: ["upload", "upload-oss"])
    func encodedRecordInAnotherProcess(_ kind: String) async throws {
        let process = try await ProcessScene(kind, parts: 6)
        let directory = process.scene.directory.path("shared")
        try await process.scene.pause(after: 3) { $0.store = SharedCheckpointStore(directory: directory) }
        let before = process.server.wireLog.entries.count
        let refused = try await process.start(checkpoints: "shared:" + directory, file: "").wait()
        #expect(refused.status == 1)
        #expect(refused.errors.hasPrefix("fileUnreadable path: "))
        #expect(process.server.wireLog.entries.count == before)
        let outcome = try await process.start(checkpoints: "shared:" + directory).wait()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(process.storedParts == process.scene.everyPartOnce)
        #expect(process.server.wireLog.count(of: .createMultipartUpload) == 1)
        #expect(process.isMade)
    }

    // MARK: FR-009

    enum Damage: String, CaseIterable {
        case empty, halfHeader, array, wrongTypes, notUTF8, byteOrderMark, huge, brokenLink
    }

    /// Puts what is no record in the place of one.
    private func damage(_ path: String, _ damage: Damage) throws {
        let record = try TemporaryDirectory.read(path)
        let header = record.prefix { $0 != UInt8(ascii: "\n") }
        var bytes: [UInt8] = []
        switch damage {
        case .empty: break
        case .halfHeader: bytes = Array(record.prefix(header.count / 2))
        case .array: bytes = Array("[1,2,3]\n".utf8)
        case .wrongTypes:
            let json = Array(#"{"objectTransferCheckpoint":1,"transfer":{"kind":7,"uploadID":[]}}"#.utf8)
            let sum = String(CRC32.checksum(json), radix: 16)
            bytes = json + Array((" " + String(repeating: "0", count: 8 - sum.count) + sum + "\n").utf8)
        case .notUTF8: bytes = [0xFF, 0xFE, 0x80] + record
        case .byteOrderMark: bytes = [0xEF, 0xBB, 0xBF] + record
        case .huge, .brokenLink: break
        }
        try FileManager.default.removeItem(atPath: path)
        if damage == .brokenLink {
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + ".gone")
            return
        }
        #expect(FileManager.default.createFile(atPath: path, contents: Data(bytes)))
        // Sparse: 100 MB that take no room.
        if damage == .huge { try #require(FileHandle(forWritingAtPath: path)).truncate(atOffset: 100_000_000) }
    }

    @Test(
        "FR-009: what is no record is told of, and a new one takes its place", arguments: Subject.light, Damage.allCases
    )
    func damagedRecord(_ subject: Subject, _ damage: Damage) async throws {
        let scene = try await TransferScene(subject)
        try await scene.pause(after: 2)
        try self.damage(scene.recordPath(), damage)
        try await scene.pause(after: 3)
        #expect(!scene.lastNotes.isEmpty, "a warning")
        #expect(!scene.lastEvents.contains { if case .resumed = $0 { true } else { false } })
        // A valid record stands again, and serves.
        #expect(try await scene.store.pending().map(\.partsDone) == [3])
        let later = try await scene.later()
        #expect(later.isResumed)
        #expect(later.notes.isEmpty)
        #expect(later.parts == [4, 5, 6])
        #expect(scene.isMade())
    }

    @Test("FR-009: the first half of a record serves as far as it goes", arguments: Subject.light)
    func halfARecord(_ subject: Subject) async throws {
        let scene = try await TransferScene(subject)
        try await scene.pause(after: 5)
        let path = try scene.recordPath()
        let record = try TemporaryDirectory.read(path)
        let header = record.prefix { $0 != UInt8(ascii: "\n") }.count + 1
        let half = record.prefix(header + (record.count - header) / 2)
        #expect(FileManager.default.createFile(atPath: path, contents: Data(half)))
        let later = try await scene.later()
        #expect(later.notes.count == 1)
        #expect(later.isResumed)
        #expect(later.count(.createMultipartUpload) == 0)
        #expect(scene.isMade())
        #expect(scene.leftovers.isEmpty)
    }

    @Test("FR-009: a directory in the place of a record is refused before any request", arguments: Subject.light)
    func directoryForARecord(_ subject: Subject) async throws {
        let scene = try await TransferScene(subject)
        try await scene.pause(after: 2)
        let path = try scene.recordPath()
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let before = scene.server.wireLog.entries.count
        for _ in 1...2 {
            let error = await scene.fails()
            #expect(error?.code == .checkpointUnusable)
            #expect(error?.message.contains(path) == true)
            #expect(error?.field == subject.checkpointField)
        }
        #expect(scene.server.wireLog.entries.count == before)
    }

    @Test("FR-009: a record that may not be read is refused before any request", arguments: Subject.light)
    func unreadableRecord(_ subject: Subject) async throws {
        let scene = try await TransferScene(subject)
        try await scene.pause(after: 2)
        let record = try TemporaryDirectory.read(scene.recordPath())
        let before = scene.server.wireLog.entries.count
        for call in [FaultyFileSystem.Call.open, .read] {
            let system = FaultyFileSystem()
            system.fail(call, with: EACCES)
            let error = await scene.fails {
                $0.store = FileCheckpointStore(path: scene.records, fileSystem: system)
            }
            #expect(error?.code == .checkpointUnusable)
        }
        #expect(scene.server.wireLog.entries.count == before)
        #expect(try TemporaryDirectory.read(scene.recordPath()) == record)
    }

    // MARK: FR-010

    @Test("FR-010: killed at any write, flush or rename of its record, a process leaves a whole state")
    func killedWhileRecording() async throws {
        var kills = 0
        for number in 1... {
            var isReached = false
            for death in FaultyFileSystem.Death.allCases {
                let process = try await ProcessScene("upload-oss", parts: 3)
                let outcome = try await process.start(
                    parallel: 1, environment: ["DIE_AT": "\(number)", "DIE_HOW": "\(death)"]
                ).wait()
                guard outcome.wasKilled else {
                    #expect(outcome.status == 0, "\(outcome.errors)")
                    continue
                }
                isReached = true
                kills += 1
                let acknowledged = process.server.storage.uploads.last?.parts.map(\.number) ?? []
                for name in process.scene.directory.files where name.hasSuffix(".checkpoint") {
                    switch CheckpointJournal.read(try process.scene.directory.read(name)) {
                    case .empty: break
                    case .record(let checkpoint, _):
                        #expect(
                            checkpoint.parts.allSatisfy { acknowledged.contains($0.number) || acknowledged.isEmpty })
                    case .newer, .damaged, .foreign: Issue.record("killed \(death) call \(number): no whole state")
                    }
                }
                try await process.scene.run()
                #expect(process.isMade)
                #expect(process.scene.leftovers.isEmpty, "killed \(death) call \(number)")
            }
            if !isReached { break }
        }
        #expect(kills > 20)
    }

    @Test("FR-010: a late writer touches neither the newer record nor its absence", arguments: Subject.light)
    func lateWriter(_ subject: Subject) async throws {
        let scene = try await TransferScene(subject)
        let held = scene.server.faults.add(subject.match(part: 3), .hold)
        async let late: Void = scene.perform(scene.call)
        try await held.waitUntilHeld()
        let path = try scene.recordPath()
        // Somebody tidies up, behind the lock of a call that is still at work.
        try FileManager.default.removeItem(atPath: path)
        if subject.kind == .download { try FileManager.default.removeItem(atPath: scene.path + ".part") }
        let recorded = Gate()
        var another = scene.call
        another.onEvent = TransferScene.opening(recorded, afterPart: 2)
        async let newer: Void = scene.perform(another)
        try await held.waitUntilHeld(2)
        await recorded.wait()
        let record = try TemporaryDirectory.read(path)
        held.release(1)
        // A download finds that the file is another's now.
        do {
            try await late
            #expect(subject.kind != .download)
        } catch let error as TransferError {
            #expect(subject.kind == .download && error.code == .conflict)
        }
        #expect(try TemporaryDirectory.read(path) == record, "the newer record is as it was")
        held.release()
        try await newer
        #expect(scene.isMade())
        #expect(scene.directory.files.filter { $0.hasSuffix(".checkpoint") }.isEmpty)
    }

    @Test(
        "FR-010: a record that was removed after success is not written again",
        arguments: [Subject.ossUpload, .tosCopy])
    func lateWriterAfterSuccess(_ subject: Subject) async throws {
        let scene = try await TransferScene(subject)
        let held = scene.server.faults.add(subject.match(part: 3).first(1), .hold)
        async let late: Void = scene.perform(scene.call)
        try await held.waitUntilHeld()
        try FileManager.default.removeItem(atPath: scene.recordPath())
        try await scene.run()
        #expect(scene.leftovers.isEmpty)
        held.release()
        try? await late
        #expect(scene.leftovers.isEmpty)
        #expect(scene.isMade())
    }

    // MARK: FR-011

    @Test("FR-011 (a): an unwritable directory is found out before the first request", arguments: Subject.all)
    func unwritableDirectory(_ subject: Subject) async throws {
        let scene = try await TransferScene(subject)
        let system = FaultyFileSystem()
        system.fail(.access, with: EACCES)
        let injected = await scene.fails { $0.store = FileCheckpointStore(path: scene.records, fileSystem: system) }
        #expect(injected?.code == .checkpointUnusable)
        #expect(injected?.message.contains(scene.directory.path("records")) == true)
        // Nobody may make a directory there, whoever runs the tests.
        let real = await scene.fails { $0.records = "/proc/object-transfer/" }
        #expect(real?.code == .checkpointUnusable)
        #expect(real?.message.contains("/proc/object-transfer") == true)
        #expect(real?.field == subject.checkpointField)
        #expect(scene.server.wireLog.entries.isEmpty)
    }

    @Test("FR-011 (b): a directory that is missing is made", arguments: Subject.all)
    func missingDirectory(_ subject: Subject) async throws {
        let scene = try await TransferScene(subject)
        let directory = scene.directory.path("not/yet/there/")
        try await scene.pause(after: 2) { $0.records = directory }
        #expect(try await FileCheckpointStore(path: directory).pending().count == 1)
        #expect(try await scene.later { $0.records = directory }.parts == [3, 4, 5, 6])
    }

    @Test("FR-011 (c, d): a file as a directory, and no path at all, are refused", arguments: Subject.all)
    func impossiblePath(_ subject: Subject) async throws {
        let scene = try await TransferScene(subject)
        try scene.directory.write([1], to: "file")
        for path in [scene.directory.path("file/records/"), scene.directory.path("file/record"), ""] {
            let error = await scene.fails { $0.records = path }
            #expect([.checkpointUnusable, .invalidArgument].contains(error?.code))
            #expect(error?.field == subject.checkpointField)
            #expect(path.isEmpty || error?.message.contains(scene.directory.path("file")) == true)
        }
        #expect(scene.server.wireLog.entries.isEmpty)
    }

    // MARK: FR-012

    @Test(
        "FR-012: awkward keys leave one file each where they failed, and none where they did not",
        arguments: [(Subject.ossUpload, 200), (.tosCopy, 20), (Subject(kind: .copy, service: .oss), 20)])
    func awkwardKeys(_ subject: Subject, _ count: Int) async throws {
        let scene = try await TransferScene(subject, parts: 2)
        scene.server.faults.add(
            .on(subject.part).part(2).matching { $0.key?.hasSuffix("!") == true }, .status(400, code: "InvalidArgument")
        )
        let keys = (1...count).map { number in
            "a:b/*?c \\d\"e <\(number)>|" + (number.isMultiple(of: 10) ? "!" : "")
        }
        let failures = try await withThrowingTaskGroup(of: String?.self) { group in
            var waiting = keys.makeIterator()
            func next() {
                guard let key = waiting.next() else { return }
                group.addTask {
                    var call = scene.call
                    call.key = key
                    do {
                        try await scene.perform(call)
                        return nil
                    } catch let error as TransferError where error.code == .refused {
                        return key
                    }
                }
            }
            for _ in 0..<8 { next() }
            var failures: Set<String> = []
            while let result = try await group.next() {
                if let key = result { failures.insert(key) }
                next()
            }
            return failures
        }
        #expect(failures == Set(keys.filter { $0.hasSuffix("!") }))
        let names = scene.leftovers.map { String($0.dropFirst("records/".count)) }
        #expect(names.count == count / 10)
        #expect(try await Set(scene.store.pending().map(\.target.key)) == failures)
        for name in names {
            #expect(
                name.utf8.allSatisfy {
                    ("a"..."z").contains(Character(UnicodeScalar($0)))
                        || ("0"..."9").contains(Character(UnicodeScalar($0))) || $0 == UInt8(ascii: ".")
                })
        }
    }

    // MARK: FR-013

    @Test("FR-013: a key of 1,000 bytes in a bucket of 63 has a record with a short name", arguments: Subject.writers)
    func longKeys(_ subject: Subject) async throws {
        let bucket = String(repeating: "b", count: 63)
        let scene = try await TransferScene(subject, bucket: bucket)
        let keys = ["a", "b"].map { String(repeating: "長", count: 333) + $0 }
        // VOD names objects itself; there the name of the file is what is long.
        let names = ["a", "b"].map { String(repeating: "長", count: 82) + $0 + ".mp4" }
        func place(_ call: inout Call, _ index: Int) throws {
            call.key = keys[index]
            guard subject.service == .vod else { return }
            call.path = scene.directory.path(names[index])
            guard !FileManager.default.fileExists(atPath: call.path) else { return }
            try FileManager.default.copyItem(atPath: scene.path, toPath: call.path)
        }
        for index in 0..<2 { try await scene.pause(after: 2) { try? place(&$0, index) } }
        let records = scene.directory.files.filter { $0.hasPrefix("records/") }
        #expect(records.count == 2)
        #expect(records.allSatisfy { $0.utf8.count < 100 })
        for index in 0..<2 {
            let later = try await scene.later { try place(&$0, index) }
            #expect(later.isResumed)
            #expect(later.parts == [3, 4, 5, 6])
            #expect(scene.made(keys[index]) == scene.expected(seed: 1) || subject.service == .vod)
        }
        #expect(scene.directory.files.filter { $0.hasPrefix("records/") }.isEmpty)
    }

    @Test("FR-013: a download to a file with the longest name there can be", arguments: Subject.downloads)
    func longFileNames(_ subject: Subject) async throws {
        let scene = try await TransferScene(subject)
        // As long as names may be, and alike but for the last byte.
        let paths = ["a", "b"].map { scene.directory.path(String(repeating: "長", count: 84) + "xx" + $0) }
        for path in paths { try await scene.pause(after: 2) { $0.path = path } }
        for path in paths {
            #expect(try await scene.later { $0.path = path }.parts == [3, 4, 5, 6])
            #expect(try TransferScene.checksum(TemporaryDirectory.read(path)) == scene.expected(seed: 1))
        }
        #expect(scene.leftovers.count == 2)
    }

    // MARK: FR-017

    @Test("FR-017: without a path the default place serves, from whichever directory", arguments: [false, true])
    func defaultPlace(_ fromAnotherDirectory: Bool) async throws {
        let process = try await ProcessScene("upload-oss", parts: 10)
        let cache = ["XDG_CACHE_HOME": process.scene.directory.path("cache")]
        let elsewhere = try TemporaryDirectory()
        let stalled = process.server.faults.add(.on(.uploadPart).part(6), .stall)
        let first = try process.start(
            parallel: 1, checkpoints: "-", directory: process.scene.directory.path, environment: cache)
        for _ in 0..<6 { _ = await first.waitForLine { $0.hasPrefix("event ") } }
        first.signal(SIGINT)
        #expect(await first.wait().status == 3)
        stalled.remove()
        #expect(process.scene.directory.files.contains { $0.hasPrefix("cache/object-transfer/") })
        let outcome = try await process.start(
            checkpoints: "-", directory: fromAnotherDirectory ? elsewhere.path : process.scene.directory.path,
            environment: cache
        ).wait()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(process.server.wireLog.count(of: .createMultipartUpload) == 1)
        #expect(process.storedParts == process.scene.everyPartOnce)
        #expect(process.isMade)
        #expect(elsewhere.files.isEmpty)
        #expect(process.scene.leftovers.isEmpty)
    }

    @Test("FR-017: where there is no default place the call is refused at once", arguments: ["upload", "upload-oss"])
    func noDefaultPlace(_ kind: String) async throws {
        let process = try await ProcessScene(kind, parts: 2)
        let outcome = try await process.start(checkpoints: "-", environment: ["XDG_CACHE_HOME": "", "HOME": ""]).wait()
        #expect(outcome.status == 1)
        #expect(outcome.errors.hasPrefix("checkpointUnusable checkpointFile: "))
        #expect(process.server.wireLog.entries.isEmpty)
    }
}
