import Foundation
import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import TestSupport
import Testing
import TransferCore
import TransferPrimitives

/// Field reports about several workers, and about many requests of one.
@Suite("Field reports: workers", .serialized, .timeLimit(.minutes(2))) struct WorkerReports {
    // MARK: FR-106

    /// What a service says that serialises the parts of an upload.
    enum Word: String, CaseIterable {
        case slowDown = "SlowDown", unavailable = "ServiceUnavailable", none = ""
    }

    @Test(
        "FR-106: a service that takes one part at a time gets fewer at once, and the upload finishes",
        arguments: [Subject.ossUpload, Subject(kind: .upload, service: .vod), Subject(kind: .copy, service: .oss)]
            + [Subject.Service.tos, .tosS3, .s3].map { Subject(kind: .copy, service: $0) }, Word.allCases)
    func onePartAtATime(_ subject: Subject, _ word: Word) async throws {
        let scene = try await TransferScene(subject, parts: 60)
        let turns = Fault.oneAtATime(wait: .milliseconds(5), code: word.rawValue)
        scene.server.faults.add(.on(subject.part), turns, .delay(.milliseconds(2)))
        // So few that eight requests that only get in each other's way would use them up.
        try await scene.run { call in
            call.parallel = 8
            call.retries = 1
        }
        #expect(scene.isMade())
        let parts = scene.server.wireLog.entries(of: subject.part)
        let refused = parts.filter { $0.status == 503 }
        #expect(!refused.isEmpty, "the service was crowded at first")
        #expect(refused.count < parts.count - refused.count, "and not for ever: most requests got through")
    }

    // MARK: FR-107

    @Test(
        "FR-107: a worker that wakes up past its lease stops, and its successor's state is intact",
        arguments: ["upload", "upload-oss"])
    func wakesUpPastItsLease(_ kind: String) async throws {
        let process = try await ProcessScene(kind, parts: 8)
        let directory = process.scene.directory.path("shared")
        let held = process.server.faults.add(.on(.uploadPart).part(7), .hold)
        // The third part is on its way when it falls asleep, and nothing else is: the record is not in its hands.
        let third = process.server.faults.add(.on(.uploadPart).part(3).first(1), .hold)
        let sleeper = try process.start(parallel: 1, checkpoints: "shared:" + directory)
        // The creation and two parts.
        for _ in 0..<3 { _ = await sleeper.waitForLine { $0.hasPrefix("event ") } }
        try await third.waitUntilHeld()
        sleeper.signal(SIGSTOP)
        await sleeper.waitUntilStopped()

        // To the successor the lease has run out long ago.
        let store = SharedCheckpointStore(directory: directory, clock: ShiftedClock(by: 3600))
        let recorded = Gate()
        async let successor = process.scene.later {
            $0.store = store
            $0.onEvent = TransferScene.opening(recorded, afterPart: 6)
        }
        try await held.waitUntilHeld()
        await recorded.wait()
        let state = try #require(try store.entry())
        #expect(state.checkpoint?.parts.map(\.number).sorted() == Array(1...6))

        sleeper.signal(SIGCONT)
        third.release()
        let outcome = await sleeper.wait()
        #expect(outcome.status == 1)
        #expect(outcome.errors.hasPrefix("checkpointLost "))
        #expect(process.server.wireLog.count(of: .completeMultipartUpload) == 0)
        #expect(process.server.wireLog.count(of: .abortMultipartUpload) == 0)
        let after = try #require(try store.entry())
        #expect(after.owner == state.owner)
        #expect(after.checkpoint == state.checkpoint)
        held.release()
        #expect(try await successor.isResumed)
        #expect(process.isMade)
        #expect(process.server.storage.uploads.isEmpty)
        #expect(try store.entry() == nil)
    }

    @Test(
        "FR-107: the lock of a file holds as long as its process, asleep or not",
        arguments: ["upload", "upload-oss"])
    func sleepsOnItsLock(_ kind: String) async throws {
        let process = try await ProcessScene(kind, parts: 6)
        // On its way when the process falls asleep, and never stored.
        let third = process.server.faults.add(.on(.uploadPart).part(3).first(1), .hold)
        let sleeper = try process.start(parallel: 1)
        for _ in 0..<3 { _ = await sleeper.waitForLine { $0.hasPrefix("event ") } }
        try await third.waitUntilHeld()
        sleeper.signal(SIGSTOP)
        await sleeper.waitUntilStopped()
        let before = process.server.wireLog.count(of: .createMultipartUpload)
        #expect(await process.scene.fails()?.code == .checkpointInUse)
        #expect(process.server.wireLog.count(of: .createMultipartUpload) == before)
        sleeper.signal(SIGKILL)
        #expect(await sleeper.wait().wasKilled)
        let later = try await process.scene.later()
        #expect(later.isResumed)
        #expect(process.storedParts == process.scene.everyPartOnce)
        #expect(process.isMade)
    }

    @Test("FR-107: whatever is transferred, a lost lease ends it before its next word", arguments: Subject.all)
    func losesItsLease(_ subject: Subject) async throws {
        let scene = try await TransferScene(subject)
        let directory = scene.directory.path("shared")
        let held = scene.server.faults.add(subject.match(part: 3).first(1), .hold)
        let victim = SharedCheckpointStore(directory: directory)
        async let late = scene.fails { $0.store = victim }
        try await held.waitUntilHeld()
        let store = SharedCheckpointStore(directory: directory, clock: ShiftedClock(by: 3600))
        // Another worker has it, and does nothing yet.
        let claim = try await store.claim(try #require(victim.lastID))
        let state = try #require(try store.entry())
        held.release()
        #expect(await late?.code == .checkpointLost)
        #expect(try store.entry()?.checkpoint == state.checkpoint)
        #expect(scene.server.wireLog.count(of: .completeMultipartUpload) == 0)
        #expect(scene.server.wireLog.count(of: .abortMultipartUpload) == 0)
        await claim.release()
        try await scene.run { $0.store = store }
        #expect(scene.isMade())
    }

    // MARK: FR-108

    @Test(
        "FR-108: a worker whose source differs in a byte never mixes it in", arguments: Subject.uploads, [true, false])
    func sourcesThatDiffer(_ subject: Subject, _ isRecorded: Bool) async throws {
        let scene = try await TransferScene(subject)
        // Stored, and recorded or not: the answer of the third part is cut.
        let cut = isRecorded ? nil : scene.server.faults.add(.on(.uploadPart).part(3), .holdAnswer)
        if let cut {
            let hook = TransferCancelHook()
            async let stopped = scene.fails { $0.hook = hook }
            try await cut.waitUntilHeld()
            hook.cancel()
            #expect(await stopped?.code == .paused)
            cut.remove()
        } else {
            try await scene.pause(after: 3)
        }
        var bytes = scene.bytes(seed: 1)
        bytes[2 * subject.partSize + 77] ^= 1
        let modified = try FileManager.default.attributesOfItem(atPath: scene.path)[.modificationDate]
        let other = scene.directory.path("other")
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        try scene.directory.write(bytes, to: "other/a.mp4")
        try FileManager.default.setAttributes(
            [.modificationDate: try #require(modified)], ofItemAtPath: other + "/a.mp4")
        let later = try await scene.later { $0.path = other + "/a.mp4" }
        #expect(later.isResumed)
        #expect(later.parts == [3, 4, 5, 6])
        #expect(scene.made() == TransferScene.checksum(bytes))
    }

    @Test("FR-108: while one works, the other is refused, or works alone", arguments: Subject.uploads)
    func twoAtATime(_ subject: Subject) async throws {
        let scene = try await TransferScene(subject)
        let held = scene.server.faults.add(.on(.uploadPart).part(3).first(1), .hold)
        async let first: Void = scene.perform(scene.call)
        try await held.waitUntilHeld()
        var bytes = scene.bytes(seed: 1)
        bytes[77] ^= 1
        let other = scene.directory.path("other")
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        try scene.directory.write(bytes, to: "other/a.mp4")
        let modified = try FileManager.default.attributesOfItem(atPath: scene.path)[.modificationDate]
        try FileManager.default.setAttributes(
            [.modificationDate: try #require(modified)], ofItemAtPath: other + "/a.mp4")
        if subject.service == .vod {
            let events = try await scene.run { $0.path = other + "/a.mp4" }
            #expect(events.contains { if case .unrecorded = $0 { true } else { false } })
            #expect(scene.made() == TransferScene.checksum(bytes))
        } else {
            #expect(await scene.fails { $0.path = other + "/a.mp4" }?.code == .checkpointInUse)
        }
        held.release()
        try await first
        if subject.service == .vod {
            let videos = scene.server.vod.videos
            #expect(videos.count == 2)
            let objects = videos.compactMap { scene.server.storage.object($0.key, in: $0.bucket)?.content.crc64 }
            #expect(Set(objects) == [TransferScene.checksum(bytes), scene.expected(seed: 1)])
        } else {
            #expect(scene.isMade())
        }
    }

    @Test("FR-108: a copy whose source became another takes nothing of the first", arguments: Subject.copies)
    func copiesOfSourcesThatDiffer(_ subject: Subject) async throws {
        let scene = try await TransferScene(subject)
        let directory = scene.directory.path("shared")
        try await scene.pause(after: 3) { $0.store = SharedCheckpointStore(directory: directory) }
        let modified = try #require(scene.server.storage.object(TransferScene.key, in: "source")).lastModified
        try scene.write(seed: 2)
        try scene.server.storage.updateObject(TransferScene.key, in: "source") { $0.lastModified = modified }
        let later = try await scene.later { $0.store = SharedCheckpointStore(directory: directory) }
        #expect(later.restarts == [.sourceChanged])
        #expect(scene.isMade(seed: 2))
    }
}
