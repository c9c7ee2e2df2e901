import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import TestSupport
import Testing
import TransferPrimitives

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Field reports about resuming, and about the state it needs. Records of their own are in `ResumeReports+Records.swift`, changes of
/// the source in `ResumeReports+Sources.swift`.
@Suite("Field reports: resume", .serialized, .timeLimit(.minutes(2))) struct ResumeReports {
    // MARK: FR-001

    @Test("FR-001: a part whose answer was cut is no reason for a checksum error", arguments: Subject.writers)
    func cutAnswer(_ subject: Subject) async throws {
        let scene = try await TransferScene(subject, parts: 8)
        let cut = scene.server.faults.add(.on(subject.part).part(3), .holdAnswer)
        let hook = TransferCancelHook()
        async let stopped = scene.fails { $0.hook = hook }
        try await cut.waitUntilHeld()
        hook.cancel()
        #expect(await stopped?.code == .paused)
        cut.remove()
        #expect(try scene.recordedParts() == [1, 2])
        #expect(scene.server.storage.uploads.first?.parts.map(\.number) == [1, 2, 3])

        let later = try await scene.later()
        #expect(later.isResumed)
        #expect(later.count(.createMultipartUpload) == 0)
        // What nobody recorded counts only where its checksum, or the condition of its copy, proves it.
        #expect(later.parts.filter { $0 != 3 } == [4, 5, 6, 7, 8])
        if subject.tellsChecksums && subject.kind == .upload { #expect(scene.storedParts[3] == 1) }
        #expect(later.completed == Array(1...8))
        #expect(scene.isMade())
    }

    @Test("FR-001: a process killed before it read an answer costs nothing", arguments: ["upload", "upload-oss"])
    func killedBeforeTheAnswer(_ kind: String) async throws {
        let scene = try await ProcessScene(kind, parts: 8)
        let cut = scene.server.faults.add(.on(.uploadPart).part(3), .holdAnswer)
        scene.server.faults.add(.on(.uploadPart).parts(4...8), .stall)
        let victim = try scene.start(parallel: 1)
        try await cut.waitUntilHeld()
        victim.signal(SIGKILL)
        #expect(await victim.wait().wasKilled)
        scene.server.faults.removeAll()
        let outcome = try await scene.start().wait()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.lines.last == "done crc64")
        #expect(scene.isMade)
        // TOS tells no checksum in its list, so that what nobody recorded is sent again.
        #expect(scene.storedParts.filter { $0.value > 1 }.keys.allSatisfy { kind == "upload" && $0 == 3 })
    }

    // MARK: FR-002

    enum Loss: String, CaseIterable { case noPart, noUpload }

    @Test(
        "FR-002 (a, b): an upload without its parts, or gone, begins again, once", arguments: Subject.writers,
        Loss.allCases)
    func lostParts(_ subject: Subject, _ loss: Loss) async throws {
        let scene = try await TransferScene(subject)
        let id = try #require(try await scene.pause(after: 3))
        switch loss {
        case .noPart: for part in 1...3 { scene.server.storage.removePart(part, of: id) }
        case .noUpload: scene.server.storage.expireUpload(id)
        }
        let later = try await scene.later()
        #expect(later.restarts == [loss == .noPart ? .partsLost : .uploadNotFound])
        #expect(later.count(.createMultipartUpload) == 1)
        #expect(later.parts == Array(1...6))
        #expect(scene.isMade())
        #expect(scene.server.storage.uploads.isEmpty)
        #expect(scene.leftovers.isEmpty)
    }

    @Test("FR-002 (c): a part of another size is sent again, alone", arguments: Subject.writers)
    func resizedPart(_ subject: Subject) async throws {
        let scene = try await TransferScene(subject)
        let id = try #require(try await scene.pause(after: 3))
        scene.server.storage.replacePart(2, of: id, with: .pretended(length: UInt64(subject.partSize) - 1))
        let later = try await scene.later()
        #expect(later.count(.createMultipartUpload) == 0)
        #expect(later.parts == [2, 4, 5, 6])
        #expect(scene.isMade())
    }

    // MARK: FR-003

    @Test("FR-003: what the service does not list is sent, whatever the record says", arguments: Subject.writers)
    func recordClaimsTooMuch(_ subject: Subject) async throws {
        let scene = try await TransferScene(subject)
        let id = try #require(try await scene.pause(after: 4))
        scene.server.storage.removePart(3, of: id)
        let later = try await scene.later()
        #expect(later.parts == [3, 5, 6])
        #expect(later.completed == Array(1...6))
        #expect(scene.isMade())
    }

    @Test("FR-003: where listing is denied, a Complete that misses a part is repaired", arguments: Subject.writers)
    func recordClaimsTooMuchUnseen(_ subject: Subject) async throws {
        let scene = try await TransferScene(subject)
        let id = try #require(try await scene.pause(after: 4))
        scene.server.storage.removePart(3, of: id)
        scene.server.faults.add(.on(.listParts), .status(403))
        let later = try await scene.later()
        // Which part is missing cannot be found out: all are sent again, once.
        #expect(later.parts == [1, 2, 3, 4, 5, 5, 6, 6])
        #expect(later.count(.completeMultipartUpload) == 2)
        #expect(scene.isMade())
        #expect(scene.server.storage.uploads.isEmpty)
    }

    // MARK: FR-005

    @Test("FR-005: what was stored before the first part failed is recorded", arguments: Subject.all)
    func firstPartFails(_ subject: Subject) async throws {
        let scene = try await TransferScene(subject)
        let broken = scene.server.faults.add(subject.match(part: 1), .status(500))
        let error = await scene.fails { call in
            call.parallel = 3
            call.retries = 1
            // Parts in flight may end, however slow the machine is.
            call.grace = .seconds(3600)
        }
        #expect(error?.part == 1)
        #expect(error?.code == .serviceUnavailable)
        broken.remove()
        let acknowledged = TransferScene.Later(
            events: [], entries: scene.server.wireLog.entries.filter { (200...206).contains($0.status ?? 0) },
            subject: subject
        ).parts
        #expect(!acknowledged.isEmpty && !acknowledged.contains(1))
        #expect(try scene.recordedParts() == acknowledged)
        let later = try await scene.later()
        #expect(later.parts == (1...6).filter { !acknowledged.contains($0) })
        #expect(scene.isMade())
    }

    // MARK: FR-007

    @Test("FR-007: after success nothing is left that could be resumed", arguments: Subject.writers)
    func againAfterSuccess(_ subject: Subject) async throws {
        let scene = try await TransferScene(subject)
        try await scene.run()
        #expect(scene.leftovers.isEmpty)
        let object = try #require(scene.object())
        scene.server.storage.removeObject(object.key, in: object.bucket)
        let later = try await scene.later()
        #expect(later.restarts.isEmpty)
        #expect(later.count(.createMultipartUpload) == 1)
        #expect(scene.isMade())
        #expect(scene.leftovers.isEmpty)
    }

    @Test("FR-007: the record of an upload that was completed costs one fresh start", arguments: Subject.writers)
    func staleRecord(_ subject: Subject) async throws {
        let scene = try await TransferScene(subject)
        try await scene.pause(after: 3)
        let path = try scene.recordPath()
        let record = try TemporaryDirectory.read(path)
        try await scene.run()
        let object = try #require(scene.object())
        scene.server.storage.removeObject(object.key, in: object.bucket)
        try scene.directory.write(record, to: String(path.dropFirst(scene.directory.path.utf8.count + 1)))
        let later = try await scene.later()
        #expect(later.restarts == [.uploadNotFound])
        #expect(later.count(.createMultipartUpload) == 1)
        #expect(later.parts == Array(1...6))
        #expect(scene.isMade())
        #expect(scene.leftovers.isEmpty)
    }

    // MARK: FR-008

    @Test("FR-008: an outage during the listing costs neither the record nor a part", arguments: Subject.writers)
    func outageDuringListing(_ subject: Subject) async throws {
        let isSmall = subject.partSize < 1 << 20
        let (total, stored) = isSmall ? (100, 90) : (8, 6)
        let scene = try await TransferScene(subject, parts: total)
        try await scene.pause(after: stored)
        scene.server.faults.add(.on(.listParts).nth(1), .status(503))
        scene.server.faults.add(.on(.listParts).nth(2), .status(500))
        scene.server.faults.add(.on(.listParts).nth(3), .resetAfterBody)
        let later = try await scene.later()
        #expect(later.count(.listParts) == 4)
        #expect(later.count(.createMultipartUpload) == 0)
        #expect(later.parts == Array(stored + 1...total))
        #expect(scene.isMade())
    }

    @Test(
        "FR-008: where the outage outlasts the retries the record is as it was", arguments: Subject.writers, [500, 503])
    func longOutageDuringListing(_ subject: Subject, _ status: Int) async throws {
        let scene = try await TransferScene(subject)
        let id = try #require(try await scene.pause(after: 3))
        let record = try TemporaryDirectory.read(scene.recordPath())
        let outage = scene.server.faults.add(.on(.listParts), .status(status))
        let error = await scene.fails()
        #expect(error?.code == .serviceUnavailable)
        #expect(error?.operation == "ListParts")
        #expect(try TemporaryDirectory.read(scene.recordPath()) == record)
        #expect(scene.server.storage.upload(id) != nil)
        outage.remove()
        #expect(try await scene.later().parts == [4, 5, 6])
        #expect(scene.isMade())
    }

    // MARK: FR-014

    @Test("FR-014 (a): with every part stored, Complete is all that is left", arguments: Subject.writers)
    func onlyCompleteIsLeft(_ subject: Subject) async throws {
        let scene = try await TransferScene(subject)
        let broken = scene.server.faults.add(.on(.completeMultipartUpload), .status(500))
        #expect(await scene.fails { $0.retries = 0 }?.code == .serviceUnavailable)
        broken.remove()
        let later = try await scene.later()
        #expect(later.parts.isEmpty)
        #expect(later.count(.completeMultipartUpload) == 1)
        #expect(later.completed == Array(1...6))
        #expect(scene.isMade())
    }

    // MARK: FR-016

    @Test("FR-016: a kill after 50 of 100 parts costs at most the four in flight", arguments: [true, false])
    func killedHalfway(_ mayList: Bool) async throws {
        let scene = try await ProcessScene("upload-oss", parts: 100)
        let victim = try scene.start(parallel: 4, events: 51)
        for _ in 0..<51 { _ = await victim.waitForLine { $0.hasPrefix("event ") } }
        victim.signal(SIGKILL)
        #expect(await victim.wait().wasKilled)
        let before = scene.server.wireLog.entries
        let acknowledged = Set(
            before.filter { $0.operation == .uploadPart && $0.status == 200 }.map(\.request.partNumber))
        #expect(acknowledged.count >= 50)
        // Where parts may not be listed, the record alone tells what is stored.
        if !mayList { scene.server.faults.add(.on(.listParts), .status(403)) }
        let outcome = try await scene.start(parallel: 4).wait()
        #expect(outcome.status == 0, "\(outcome.errors)")
        let again = scene.server.wireLog.entries.dropFirst(before.count)
            .filter { $0.operation == .uploadPart && acknowledged.contains($0.request.partNumber) }
        #expect(again.count <= (mayList ? 0 : 4))
        #expect(scene.isMade)
    }

    // MARK: FR-018

    @Test("FR-018: 2,500 parts are listed in three pages, and none is copied again")
    func pagesOfParts() async throws {
        let fixture = try await CopyFixture(size: 2_501 * UInt64(CopyFixture.partSize))
        let hook = TOSCancelHook()
        fixture.server.faults.add(.on(.uploadPartCopy).part(2_501).first(1), .stall)
        var first = fixture.input()
        first.taskNum = 16
        first.cancelHook = hook
        async let paused = failure { _ = try await fixture.client.resumableCopyObject(first) }
        try await fixture.server.wireLog.waitFor(count: 2_500) {
            $0.operation == .uploadPartCopy && $0.request.partNumber != 2_501 && $0.status == 200
        }
        hook.cancel()
        let error = await paused
        #expect(error?.code == .paused)

        let before = fixture.server.wireLog.entries.count
        _ = try await fixture.client.resumableCopyObject(fixture.input())
        let second = fixture.server.wireLog.entries.dropFirst(before)
        #expect(second.count { $0.operation == .listParts } == 3)
        #expect(second.filter { $0.operation == .uploadPartCopy }.map(\.request.partNumber) == [2_501])
        #expect(fixture.isCopied)
    }

    @Test("FR-018: every service's pages are followed to the end", arguments: Subject.writers)
    func pagesOfEveryService(_ subject: Subject) async throws {
        let scene = try await TransferScene(subject) { $0.quirks.maximumPageLength = 2 }
        try await scene.pause(after: 5)
        let later = try await scene.later()
        #expect(later.count(.listParts) == 3)
        #expect(later.parts == [6])
        #expect(scene.isMade())
    }

    // MARK: FR-019

    @Test("FR-019: paused with four parts in flight, it goes on with those four", arguments: Subject.all)
    func pausedAndResumedInOneProcess(_ subject: Subject) async throws {
        let scene = try await TransferScene(subject)
        let stalled = scene.server.faults.add(.on(subject.part).after(2), .stall)
        let hook = TransferCancelHook()
        async let paused = scene.fails {
            $0.parallel = 4
            $0.hook = hook
        }
        try await scene.server.wireLog.waitFor(count: 6, operation: subject.part)
        try await scene.server.wireLog.waitFor(count: 2, operation: subject.part, phase: .ended)
        hook.cancel()
        #expect(await paused?.code == .paused)
        stalled.remove()
        let id = scene.server.storage.uploads.last?.id
        let recorded = try scene.recordedParts()
        let later = try await scene.later {
            $0.parallel = 4
            $0.hook = TransferCancelHook()
        }
        #expect(later.isResumed)
        #expect(later.parts == (1...6).filter { !recorded.contains($0) })
        #expect(later.parts.count >= 4)
        #expect(later.count(.createMultipartUpload) == 0)
        if subject.kind != .download {
            #expect(later.entries.filter { $0.operation == subject.part }.allSatisfy { $0.request.uploadID == id })
        }
        #expect(scene.isMade())
    }
}
