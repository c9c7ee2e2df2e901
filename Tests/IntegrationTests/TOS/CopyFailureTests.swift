import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import Testing

/// The table of spec section 6.7: what fails, which event says so, and what is left behind.
@Suite("TOS specification 11.2, check 5: events and checkpoint in each row of 6.7")
struct CopyFailureTests {
    /// What is left after a copy that failed.
    private struct Remains: Equatable {
        var turns: [Int]
        var hasCheckpoint: Bool
        var hasUpload: Bool
        var aborts: Int
    }

    private func remains(_ fixture: CopyFixture, _ events: EventLog) -> Remains {
        Remains(
            turns: events.turns, hasCheckpoint: fixture.hasCheckpoint,
            hasUpload: !fixture.server.storage.uploads.isEmpty,
            aborts: fixture.server.wireLog.count(of: .abortMultipartUpload))
    }

    private func run(
        _ match: RequestMatch, _ fault: Fault, _ change: (inout TOSResumableCopyObjectInput) -> Void = { _ in }
    ) async throws -> (error: TransferError?, remains: Remains, fixture: CopyFixture, events: EventLog) {
        let fixture = try await CopyFixture()
        fixture.server.faults.add(match, fault)
        let events = EventLog()
        var input = fixture.input(events)
        change(&input)
        let error = await failure { [input] in _ = try await fixture.client.resumableCopyObject(input) }
        return (error, remains(fixture, events), fixture, events)
    }

    // MARK: Before the first part

    @Test(arguments: [(404, TransferError.Code.notFound), (500, .serviceUnavailable), (405, .methodNotAllowed)])
    func `a HEAD that fails ends the call without an event`(status: Int, code: TransferError.Code) async throws {
        let outcome = try await run(.on(.headObject), .status(status))
        #expect(outcome.error?.code == code)
        #expect(outcome.error?.operation == "HeadObject")
        #expect(outcome.remains == Remains(turns: [], hasCheckpoint: false, hasUpload: false, aborts: 0))
    }

    @Test func `a denied HEAD says what TOS says of it`() async throws {
        let outcome = try await run(
            .on(.headObject, .getObject), .status(403, code: "AccessDenied", message: "not yours"))
        #expect(outcome.error?.code == .accessDenied)
        #expect(outcome.error?.service?.code == "AccessDenied")
        #expect(outcome.error?.message.contains("not yours") == true)
    }

    @Test(arguments: [400, 403, 409])
    func `a creation that fails is event 2`(status: Int) async throws {
        let outcome = try await run(.on(.createMultipartUpload), .status(status))
        #expect(outcome.error?.operation == "CreateMultipartUpload")
        #expect(outcome.remains == Remains(turns: [2], hasCheckpoint: false, hasUpload: false, aborts: 0))
        #expect(outcome.events.all.first?.error?.code == outcome.error?.code)
    }

    @Test func `a creation that fails under a 200 is event 2`() async throws {
        let outcome = try await run(.on(.createMultipartUpload), .lateError())
        #expect(outcome.error?.code == .serviceUnavailable)
        #expect(outcome.remains.turns == [2])
        #expect(outcome.error?.attempts == 4)
    }

    // MARK: Parts

    @Test(arguments: [
        (403, "AccessDenied"), (403, "SourceObjectAccessDenied"), (404, "NoSuchKey"), (404, "NoSuchBucket"),
        (405, "MethodNotAllowed"),
    ])
    func `a denied part gives the whole copy up: event 5, aborted, checkpoint removed`(
        status: Int, code: String
    ) async throws {
        let outcome = try await run(.on(.uploadPartCopy).part(2), .status(status, code: code))
        #expect(outcome.error?.service?.status == status)
        #expect(outcome.error?.service?.code == code)
        #expect(outcome.error?.part == 2)
        #expect(outcome.remains == Remains(turns: [1, 5], hasCheckpoint: false, hasUpload: false, aborts: 1))
        #expect(outcome.events.all.last?.copyPartInfo?.partNumber == 2)
        #expect(outcome.events.all.last?.error?.service?.code == code)
        // Part 3 is not begun any more.
        #expect(outcome.fixture.server.wireLog.count(of: .uploadPartCopy) == 2)
    }

    @Test(arguments: [
        (403, "InvalidObjectState", TransferError.Code.sourceArchived), (403, "ExpiredToken", .credentialsExpired),
        (400, "InvalidSecurityToken", .credentialsExpired), (403, "RequestTimeTooSkewed", .clockSkew),
        (403, "InvalidPathAccess", .refused), (403, "InvalidAccessKeyId", .credentialsInvalid),
    ])
    func `a 403 that is no denial keeps what was done`(status: Int, code: String, expected: TransferError.Code)
        async throws
    {
        let outcome = try await run(.on(.uploadPartCopy).part(2), .status(status, code: code))
        #expect(outcome.error?.code == expected)
        #expect(outcome.error?.uploadID != nil)
        #expect(outcome.remains == Remains(turns: [1, 4], hasCheckpoint: true, hasUpload: true, aborts: 0))
    }

    @Test func `a refusal by something in between is no denial by TOS`() async throws {
        let outcome = try await run(
            .on(.uploadPartCopy).part(2),
            .edit { answer in
                answer.status = 403
                answer["x-tos-request-id"] = nil
                answer["Content-Type"] = "text/html"
                answer.text = "<html>blocked by policy</html>"
            })
        #expect(outcome.error?.code == .refused)
        #expect(outcome.remains.hasCheckpoint && outcome.remains.hasUpload)
    }

    @Test func `a part that fails for good keeps what was done: event 4`() async throws {
        let outcome = try await run(.on(.uploadPartCopy).part(2), .status(500))
        #expect(outcome.error?.code == .serviceUnavailable)
        #expect(outcome.error?.attempts == 4)
        #expect(outcome.error?.part == 2)
        #expect(outcome.error?.uploadID == outcome.fixture.server.storage.uploads.first?.id)
        #expect(outcome.remains == Remains(turns: [1, 4], hasCheckpoint: true, hasUpload: true, aborts: 0))
        #expect(outcome.events.all.last?.error?.code == .serviceUnavailable)
    }

    @Test func `without a checkpoint a copy that fails leaves nothing behind`() async throws {
        let outcome = try await run(.on(.uploadPartCopy).part(2), .status(500)) { $0.enableCheckpoint = false }
        #expect(outcome.error?.code == .serviceUnavailable)
        #expect(outcome.remains == Remains(turns: [1, 4], hasCheckpoint: false, hasUpload: false, aborts: 1))
        #expect(outcome.events.all.allSatisfy { $0.checkpointFile == nil })
    }

    @Test func `no retries means that each request is sent once`() async throws {
        let outcome = try await run(.on(.uploadPartCopy).part(2), .status(500)) { $0.maxRetryCount = 0 }
        #expect(outcome.error?.attempts == 1)
        #expect(outcome.fixture.server.wireLog.entries.filter { $0.request.partNumber == 2 }.count == 1)
    }

    @Test func `after a failure no new part is begun, and what is under way is recorded`() async throws {
        let fixture = try await CopyFixture(size: 20 * UInt64(CopyFixture.partSize))
        let held = fixture.server.faults.add(.on(.uploadPartCopy).parts(2...4), .hold)
        fixture.server.faults.add(.on(.uploadPartCopy).part(1), .status(403, code: "InvalidObjectState"))
        let events = EventLog()
        var input = fixture.input(events)
        input.taskNum = 4
        input.pauseGrace = .seconds(20)
        // The others end once the failure is known.
        input.copyEventListener = { event in
            events.append(event)
            if event.type == .uploadPartCopyFailed { held.release() }
        }
        let error = await failure { [input] in _ = try await fixture.client.resumableCopyObject(input) }
        #expect(error?.code == .sourceArchived)
        #expect(fixture.server.wireLog.count(of: .uploadPartCopy) == 4)
        #expect(events.types.sorted() == [1, 3, 3, 3, 4])
        let pending = try await FileCheckpointStore(path: fixture.checkpoint).pending()
        #expect(pending.first?.partsDone == 3)
    }

    @Test func `a source that changes on the way ends the copy and is never mixed`() async throws {
        let fixture = try await CopyFixture()
        let third = fixture.server.faults.add(.on(.uploadPartCopy).part(3), .hold)
        var input = fixture.input()
        input.copyEventListener = { event in
            guard event.copyPartInfo?.partNumber == 2 else { return }
            do {
                try fixture.server.storage.putObject(
                    fixture.source.key, in: "src-bucket", .pretended(length: fixture.source.length, seed: 99))
            } catch {
                Issue.record(error)
            }
            third.release()
        }
        let error = await failure { [input] in _ = try await fixture.client.resumableCopyObject(input) }
        #expect(error?.code == .sourceChanged)
        #expect(fixture.target == nil)
        #expect(!fixture.hasCheckpoint)
        #expect(fixture.server.storage.uploads.isEmpty)

        _ = try await fixture.client.resumableCopyObject(fixture.input())
        #expect(
            fixture.target?.content.crc64
                == fixture.server.storage.object(fixture.source.key, in: "src-bucket")?.content.crc64)
    }

    @Test func `a source in another region is told as that`() async throws {
        let fixture = try await CopyFixture()
        fixture.server.storage.createBucket("elsewhere", region: "cn-shanghai")
        try fixture.server.storage.putObject("k", in: "elsewhere", .pretended(length: 6 << 20))
        var input = fixture.input()
        input.srcBucket = "elsewhere"
        input.srcKey = "k"
        let error = await failure { [input] in _ = try await fixture.client.resumableCopyObject(input) }
        #expect(error?.code == .crossRegion)
        #expect(error?.service?.code == "InvalidCrossRegionCopy")
        // It can never succeed, so nothing is kept for a resume.
        #expect(fixture.server.storage.uploads.isEmpty)

        fixture.server.faults.add(.on(.headObject), .status(301))
        let redirected = await failure { _ = try await fixture.client.resumableCopyObject(fixture.input()) }
        #expect(redirected?.code == .crossRegion)
    }

    // MARK: Passing failures

    @Test(arguments: [
        "200 with error", "empty body", "cut body", "lost answer", "reset", "500", "429", "no ETag", "blanks", "closed",
    ])
    func `a passing failure of every part does not reach the caller`(kind: String) async throws {
        let fault: Fault =
            switch kind {
            case "200 with error": .lateError()
            case "empty body": .emptyBody
            case "cut body": .truncatedAnswer(to: 9)
            case "lost answer": .loseAnswer
            case "reset": .resetAfterBody
            case "500": .status(500)
            case "429": .status(429, code: "ExceedQPSLimit")
            case "no ETag": .etag(nil)
            case "blanks": .trickle(every: .milliseconds(5), count: 3)
            default: .closeAfterAnswer
            }
        let fixture = try await CopyFixture()
        fixture.server.faults.add(.on(.uploadPartCopy).first(1).ofEachPart, fault)
        let events = EventLog()
        var input = fixture.input(events)
        input.taskNum = 2
        let output = try await fixture.client.resumableCopyObject(input)
        #expect(fixture.isCopied)
        #expect(output.verification == .crc64)
        #expect(events.turns == [1, 6])
        #expect(events.types.count == 6)
    }

    @Test func `a throttled copy slows down and gets through`() async throws {
        let fixture = try await CopyFixture(size: 24 * UInt64(CopyFixture.partSize))
        fixture.server.faults.add(.on(.uploadPartCopy), .throttle(rate: 200, burst: 2, status: 503))
        var input = fixture.input()
        input.taskNum = 16
        _ = try await fixture.client.resumableCopyObject(input)
        #expect(fixture.isCopied)
    }

    @Test func `a clock that is wrong by hours is learnt, once for all`() async throws {
        let fixture = try await CopyFixture {
            $0.clock = ShiftedClock(by: 5 * 3600)
        }
        var input = fixture.input()
        input.maxRetryCount = 0
        _ = try await fixture.client.resumableCopyObject(input)
        #expect(fixture.isCopied)
        #expect(fixture.server.wireLog.entries.filter { $0.status == 403 }.count == 2)
    }

    // MARK: Complete

    @Test func `a Complete whose answer was lost is found to have succeeded`() async throws {
        let fixture = try await CopyFixture()
        fixture.server.faults.add(.on(.completeMultipartUpload).first(1), .loseAnswer)
        let events = EventLog()
        let output = try await fixture.client.resumableCopyObject(fixture.input(events))
        #expect(fixture.isCopied)
        #expect(output.verification == .crc64)
        #expect(output.eTag.contains(fixture.target?.etag ?? "-"))
        #expect(output.hashCrc64ecma == fixture.source.crc64)
        #expect(events.turns == [1, 6])
        #expect(!fixture.hasCheckpoint)
        #expect(fixture.server.wireLog.count(of: .createMultipartUpload) == 1)
    }

    @Test(arguments: ["late", "500", "empty"])
    func `a Complete that fails every time keeps what was done: event 7`(kind: String) async throws {
        let outcome = try await run(
            .on(.completeMultipartUpload),
            kind == "late" ? .lateError() : kind == "500" ? .status(500) : .answer(200))
        #expect(outcome.error?.operation == "CompleteMultipartUpload")
        #expect(outcome.remains == Remains(turns: [1, 7], hasCheckpoint: true, hasUpload: true, aborts: 0))
        #expect(outcome.fixture.target == nil)

        outcome.fixture.server.faults.removeAll()
        let again = EventLog()
        _ = try await outcome.fixture.client.resumableCopyObject(outcome.fixture.input(again))
        #expect(again.types == [6])
        #expect(outcome.fixture.isCopied)
        #expect(outcome.fixture.storedParts.values.allSatisfy { $0 == 1 })
    }

    @Test func `a Complete that fails under a 200 once is repeated`() async throws {
        let fixture = try await CopyFixture()
        fixture.server.faults.add(.on(.completeMultipartUpload).first(1), .lateError())
        let events = EventLog()
        _ = try await fixture.client.resumableCopyObject(fixture.input(events))
        #expect(events.turns == [1, 6])
        #expect(fixture.isCopied)
    }

    @Test func `an answer without an ETag is settled by a look at the object`() async throws {
        let fixture = try await CopyFixture { $0.quirks.namesETagOfCompleted = false }
        let output = try await fixture.client.resumableCopyObject(fixture.input())
        #expect(fixture.isCopied)
        #expect(output.verification == .crc64)
        #expect(fixture.server.wireLog.count(of: .completeMultipartUpload) == 1)
    }

    @Test func `an upload that is gone at Complete is begun again, once`() async throws {
        let fixture = try await CopyFixture()
        fixture.server.faults.add(.on(.completeMultipartUpload).first(1), .expireUpload)
        let events = EventLog()
        _ = try await fixture.client.resumableCopyObject(fixture.input(events))
        #expect(events.turns == [1, 7, 1, 6])
        #expect(fixture.isCopied)
        #expect(!fixture.hasCheckpoint)
    }

    @Test func `an object whose checksum differs is an error that holds it`() async throws {
        let outcome = try await run(.on(.completeMultipartUpload), .crc64(1))
        #expect(outcome.error?.code == .checksumMismatch)
        #expect(outcome.error?.receipt?.etag.isEmpty == false)
        #expect(outcome.remains.turns == [1, 7])
        #expect(!outcome.remains.hasCheckpoint)
        #expect(outcome.fixture.target != nil)
    }
}
