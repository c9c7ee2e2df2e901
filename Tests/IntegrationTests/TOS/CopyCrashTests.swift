import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Check 6 of spec section 11.2: a process that dies in each of the steps of section 6.1, and the one that comes after it.
@Suite("TOS specification 11.2, check 6: a crash at each step of 6.1")
struct CopyCrashTests {
    /// A moment of a copy: a request that is at the service, and done or not when the process dies.
    struct Moment: Sendable, CustomTestStringConvertible {
        let operation: StoreOperation
        var part: Int?
        var isDone = false
        /// The events of the copy that comes after it.
        let events: [Int]
        /// Uploads that nobody knows of.
        var orphans = 0

        var testDescription: String { "\(operation.rawValue) \(part ?? 0) \(isDone ? "done" : "asked for")" }
        var match: RequestMatch { part.map { .on(operation).part($0) } ?? .on(operation) }
    }

    static let moments = [
        Moment(operation: .headObject, events: [1, 3, 3, 3, 3, 6]),
        Moment(operation: .createMultipartUpload, events: [1, 3, 3, 3, 3, 6]),
        // The id is lost with the answer: nobody can give that upload up but a rule of the bucket.
        Moment(operation: .createMultipartUpload, isDone: true, events: [1, 3, 3, 3, 3, 6], orphans: 1),
        Moment(operation: .uploadPartCopy, part: 1, events: [3, 3, 3, 3, 6]),
        Moment(operation: .uploadPartCopy, part: 3, events: [3, 3, 6]),
        Moment(operation: .uploadPartCopy, part: 3, isDone: true, events: [3, 6]),
        Moment(operation: .completeMultipartUpload, events: [6]),
        Moment(operation: .completeMultipartUpload, isDone: true, events: [6]),
    ]

    /// A copy that counts as dead, and its record as a process that dies leaves it; nil for none. It goes on to wait for the
    /// service, on a record of its own, and disturbs nobody.
    private struct Death {
        let record: Data?
        let copy: TOSCopyHandle
    }

    /// Copies until the moment has come.
    private func die(
        at moment: Moment, _ fixture: CopyFixture, after record: Data? = nil,
        _ change: (inout TOSResumableCopyObjectInput) -> Void = { _ in }
    ) async throws -> Death {
        var input = fixture.input()
        change(&input)
        let path = fixture.directory.path + "/\(UUID().uuidString).checkpoint"
        input.checkpointFile = path
        if let record { #expect(FileManager.default.createFile(atPath: path, contents: record)) }
        let seen = fixture.server.wireLog.count(of: moment.operation)
        let rule = fixture.server.faults.add(moment.match.first(1), moment.isDone ? .holdAnswer : .stall)
        let copy = try CopyFixture.client(of: fixture.server).startResumableCopyObject(input)
        if moment.isDone {
            try await rule.waitUntilHeld()
        } else {
            let earlier = moment.part.map { $0 - 1 } ?? 0
            try await fixture.server.wireLog.waitFor(
                count: seen + (record == nil ? earlier : 0) + 1, operation: moment.operation)
        }
        return Death(record: FileManager.default.contents(atPath: path), copy: copy)
    }

    /// Waits until what counts as dead has ended for want of a service: the test must not leave it behind.
    private func end(_ deaths: Death..., at server: ObjectStoreStub) async { await end(deaths, at: server) }

    private func end(_ deaths: [Death], at server: ObjectStoreStub) async {
        server.stop()
        for death in deaths { _ = try? await death.copy.value }
    }

    private func goOn(_ fixture: CopyFixture, from record: Data?) async throws -> EventLog {
        if let record { #expect(FileManager.default.createFile(atPath: fixture.checkpoint, contents: record)) }
        let events = EventLog()
        let output = try await CopyFixture.client(of: fixture.server).resumableCopyObject(fixture.input(events))
        #expect(output.verification == .crc64)
        return events
    }

    @Test(arguments: moments) func `whatever is under way, the next process finishes it`(moment: Moment) async throws {
        let fixture = try await CopyFixture()
        let death = try await die(at: moment, fixture)
        let events = try await goOn(fixture, from: death.record)
        await end(death, at: fixture.server)
        #expect(events.types == moment.events)
        #expect(fixture.isCopied)
        #expect(fixture.storedParts.count == 4)
        #expect(fixture.storedParts.values.allSatisfy { $0 == 1 })
        #expect(fixture.server.storage.uploads.count == moment.orphans)
        #expect(!fixture.hasCheckpoint)
    }

    @Test func `a copy that dies in every step in turn copies each part once`() async throws {
        let fixture = try await CopyFixture()
        var deaths: [Death] = []
        for moment in [
            Moment(operation: .headObject, events: []), Moment(operation: .createMultipartUpload, events: []),
            Moment(operation: .uploadPartCopy, part: 1, events: []),
            Moment(operation: .listParts, events: []),
            Moment(operation: .uploadPartCopy, part: 2, isDone: true, events: []),
            Moment(operation: .listParts, isDone: true, events: []),
            Moment(operation: .uploadPartCopy, part: 4, isDone: true, events: []),
            Moment(operation: .completeMultipartUpload, events: []),
            Moment(operation: .completeMultipartUpload, isDone: true, events: []),
        ] {
            deaths.append(try await die(at: moment, fixture, after: deaths.last?.record))
        }
        let events = try await goOn(fixture, from: deaths.last?.record)
        await end(deaths, at: fixture.server)
        #expect(events.types == [6])
        #expect(fixture.isCopied)
        #expect(fixture.storedParts == [1: 1, 2: 1, 3: 1, 4: 1])
        #expect(fixture.server.storage.uploads.isEmpty)
    }

    @Test(arguments: [false, true]) func `a link's one request`(isDone: Bool) async throws {
        let fixture = try await CopyFixture()
        fixture.server.faults.add(.on(.headObject).bucket("src-bucket"), .header("x-tos-object-type", "Symlink"))
        let moment = Moment(operation: .copyObject, isDone: isDone, events: [])
        let death = try await die(at: moment, fixture)
        let events = try await goOn(fixture, from: death.record)
        await end(death, at: fixture.server)
        #expect(events.types == [6])
        #expect(fixture.isCopied)
        #expect(!fixture.hasCheckpoint)
    }

    @Test func `without a checkpoint the next process begins anew`() async throws {
        let fixture = try await CopyFixture()
        let moment = Moment(operation: .uploadPartCopy, part: 3, events: [])
        let death = try await die(at: moment, fixture) { $0.enableCheckpoint = false }
        #expect(death.record == nil)
        let events = try await goOn(fixture, from: nil)
        await end(death, at: fixture.server)
        #expect(events.types == [1, 3, 3, 3, 3, 6])
        #expect(fixture.isCopied)
        #expect(fixture.server.storage.uploads.count == 1)
    }
}
