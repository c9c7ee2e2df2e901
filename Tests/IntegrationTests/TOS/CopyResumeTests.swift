import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import TestSupport
import Testing
import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Contract 6 and checks 5 and 6 of spec section 11.2: what a later call makes of an earlier one's record.
@Suite("TOS specification 11.2, check 6: what changed between two calls")
struct CopyResumeTests {
    /// A copy of twelve parts that was paused after `count` of them.
    private func paused(
        after count: Int = 5, _ change: (inout TOSResumableCopyObjectInput) -> Void = { _ in }
    ) async throws -> (CopyFixture, uploadID: String) {
        let fixture = try await CopyFixture(size: 12 * UInt64(CopyFixture.partSize))
        try await pause(fixture, after: count, change)
        let id = try #require(fixture.server.storage.uploads.first?.id)
        try #require(fixture.storedParts.count == count)
        return (fixture, id)
    }

    private func pause(
        _ fixture: CopyFixture, after count: Int, _ change: (inout TOSResumableCopyObjectInput) -> Void = { _ in }
    ) async throws {
        let stalled = fixture.stall(part: count + 1)
        var input = fixture.input()
        change(&input)
        let before = fixture.server.wireLog.entries(of: .uploadPartCopy).count { $0.request.partNumber == count + 1 }
        let copy = try fixture.client.startResumableCopyObject(input)
        try await fixture.waitForPart(count + 1, count: before + 1)
        copy.cancel()
        let error = await failure { _ = try await copy.value }
        try #require(error?.code == .paused)
        stalled.remove()
    }

    /// Resumes, and returns what happened.
    private func resume(
        _ fixture: CopyFixture, _ change: (inout TOSResumableCopyObjectInput) -> Void = { _ in }
    ) async throws -> (events: EventLog, restarts: [RestartReason], output: TOSResumableCopyObjectOutput) {
        let events = EventLog()
        var input = fixture.input(events)
        change(&input)
        let copy = try fixture.client.startResumableCopyObject(input)
        var restarts: [RestartReason] = []
        for await event in copy.events {
            if case .restarted(let reason) = event { restarts.append(reason) }
        }
        return (events, restarts, try await copy.value)
    }

    @Test func `a record that fits is continued`() async throws {
        let (fixture, id) = try await paused()
        let resumed = try await resume(fixture)
        #expect(resumed.events.types == Array(repeating: 3, count: 7) + [6])
        #expect(resumed.restarts.isEmpty)
        #expect(resumed.output.uploadID == id)
        #expect(fixture.isCopied)
        #expect(fixture.storedParts.values.allSatisfy { $0 == 1 })
    }

    @Test func `with all parts done only Complete is left`() async throws {
        let fixture = try await CopyFixture()
        let held = fixture.server.faults.add(.on(.completeMultipartUpload), .status(500))
        _ = await failure { _ = try await fixture.client.resumableCopyObject(fixture.input()) }
        held.remove()
        let before = fixture.server.wireLog.count(of: .uploadPartCopy)
        let resumed = try await resume(fixture)
        #expect(resumed.events.types == [6])
        #expect(fixture.server.wireLog.count(of: .uploadPartCopy) == before)
        #expect(fixture.isCopied)
    }

    @Test func `parts are listed page by page, and none is copied twice`() async throws {
        let count = 250
        let fixture = try await CopyFixture(size: UInt64(count) * UInt64(CopyFixture.partSize)) {
            $0.quirks.maximumPageLength = 100
        }
        try await pause(fixture, after: count - 1) { $0.taskNum = 8 }
        let listed = fixture.server.wireLog.count(of: .listParts)
        _ = try await resume(fixture)
        #expect(fixture.server.wireLog.count(of: .listParts) - listed == 3)
        #expect(fixture.target?.length == fixture.source.length)
        #expect(fixture.storedParts.count == count)
        #expect(fixture.storedParts.values.allSatisfy { $0 == 1 })
    }

    // MARK: The service's word counts

    @Test func `a recorded part that the service does not have is copied again`() async throws {
        let (fixture, id) = try await paused()
        fixture.server.storage.removePart(3, of: id)
        let resumed = try await resume(fixture)
        #expect(resumed.output.uploadID == id)
        #expect(fixture.storedParts[3] == 2)
        #expect(fixture.storedParts.filter { $0.value > 1 }.count == 1)
        #expect(fixture.isCopied)
    }

    @Test func `a part that was stored and not recorded is kept`() async throws {
        let (fixture, id) = try await paused()
        // The answer of part 6 is lost, and so is the call.
        let lost = fixture.server.faults.add(.on(.uploadPartCopy).part(6), .holdAnswer)
        let copy = try fixture.client.startResumableCopyObject(fixture.input())
        try await lost.waitUntilHeld()
        copy.cancel()
        _ = await failure { _ = try await copy.value }
        lost.remove()
        let resumed = try await resume(fixture)
        #expect(resumed.output.uploadID == id)
        #expect(fixture.storedParts[6] == 1)
        #expect(fixture.isCopied)
    }

    @Test func `an upload that is gone is begun again, once, with a reason`() async throws {
        let (fixture, id) = try await paused()
        fixture.server.storage.expireUpload(id)
        let resumed = try await resume(fixture)
        #expect(resumed.events.turns == [1, 6])
        #expect(resumed.restarts == [.uploadNotFound])
        #expect(fixture.isCopied)
        #expect(!fixture.hasCheckpoint)
    }

    @Test func `a listing that fails for a while loses nothing`() async throws {
        let (fixture, id) = try await paused()
        fixture.server.faults.add(.on(.listParts).first(2), .status(503))
        let resumed = try await resume(fixture)
        #expect(resumed.output.uploadID == id)

        let (second, _) = try await paused()
        second.server.faults.add(.on(.listParts), .status(500))
        let error = await failure { _ = try await second.client.resumableCopyObject(second.input()) }
        #expect(error?.operation == "ListParts")
        #expect(second.hasCheckpoint)
        #expect(second.server.storage.uploads.count == 1)
    }

    @Test func `a copy that was completed by a call that never learnt of it is found`() async throws {
        let fixture = try await CopyFixture()
        let held = fixture.server.faults.add(.on(.completeMultipartUpload), .holdAnswer)
        let client = try CopyFixture.client(of: fixture.server)
        let copy = try client.startResumableCopyObject(fixture.input())
        try await held.waitUntilHeld()
        // A copy of the record, as a killed process would leave it.
        let record = try #require(FileManager.default.contents(atPath: fixture.checkpoint))
        held.release()
        _ = try await copy.value
        #expect(FileManager.default.createFile(atPath: fixture.checkpoint, contents: record))

        let resumed = try await resume(fixture)
        #expect(resumed.events.types == [6])
        #expect(resumed.output.verification == .crc64)
        #expect(fixture.server.wireLog.count(of: .createMultipartUpload) == 1)
        #expect(!fixture.hasCheckpoint)
    }

    // MARK: Another source, target, way

    @Test(arguments: ["content", "size"])
    func `a source that changed meanwhile is begun again, and never mixed`(change: String) async throws {
        let (fixture, id) = try await paused()
        let length = fixture.source.length + (change == "size" ? 1 : 0)
        let changed = try fixture.server.storage.putObject(
            fixture.source.key, in: "src-bucket", .pretended(length: length, seed: 99))
        let resumed = try await resume(fixture)
        #expect(resumed.restarts == [.sourceChanged])
        #expect(resumed.events.turns == [1, 6])
        #expect(fixture.target?.content.firstDifference(from: changed.content) == nil)
        #expect(fixture.target?.length == length)
        #expect(fixture.server.storage.upload(id) == nil)
    }

    @Test func `another part size is begun again`() async throws {
        let (fixture, id) = try await paused()
        let resumed = try await resume(fixture) { $0.partSize = 6 << 20 }
        #expect(resumed.restarts == [.partSizeChanged])
        #expect(fixture.server.storage.upload(id) == nil)
        #expect(fixture.isCopied)
    }

    @Test func `other attributes are begun again, another pace is not`() async throws {
        let (fixture, id) = try await paused()
        let resumed = try await resume(fixture) { $0.contentType = "video/mp4" }
        #expect(resumed.restarts == [.optionsChanged])
        #expect(fixture.server.storage.upload(id) == nil)
        #expect(fixture.target?.attributes.contentType == "video/mp4")

        let (second, secondID) = try await paused()
        let faster = try await resume(second) {
            $0.trafficLimit = 838_860_800
            $0.taskNum = 7
            $0.maxRetryCount = 0
        }
        #expect(faster.restarts.isEmpty)
        #expect(faster.output.uploadID == secondID)
    }

    @Test func `the record of another copy at the same path is no record of this one`() async throws {
        let (fixture, id) = try await paused()
        let resumed = try await resume(fixture) { $0.key = "copied/b" }
        #expect(resumed.restarts == [.targetChanged])
        #expect(fixture.server.storage.upload(id) == nil)
        #expect(fixture.server.storage.object("copied/b", in: "dst-bucket") != nil)
    }

    // MARK: The file

    @Test func `a directory holds one file for each copy`() async throws {
        let fixture = try await CopyFixture(size: 12 * UInt64(CopyFixture.partSize))
        let directory = fixture.directory.path + "/many/"
        for key in ["copied/a", "copied/b"] {
            try await pause(fixture, after: 2) {
                $0.checkpointFile = directory
                $0.key = key
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory).count == 2)
        for key in ["copied/a", "copied/b"] {
            let resumed = try await resume(fixture) {
                $0.checkpointFile = directory
                $0.key = key
            }
            #expect(resumed.restarts.isEmpty)
            #expect(resumed.events.turns == [6])
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory).isEmpty)
    }

    @Test func `the file is the owner's alone and holds no secret`() async throws {
        let (fixture, _) = try await paused {
            $0.ssecKey = EncryptionKey([UInt8](repeating: 7, count: 32))
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: fixture.checkpoint)
        #expect(attributes[.posixPermissions].map { "\($0)" } == "\(0o600)")
        let data = try #require(FileManager.default.contents(atPath: fixture.checkpoint))
        let text = String(decoding: data, as: UTF8.self)
        #expect(!text.contains(fixture.server.secretKey))
        #expect(!text.contains("BwcHBwcH"))
        #expect(text.contains(fixture.server.storage.uploads.first?.id ?? "-"))
    }

    @Test(arguments: ["", "{", "[1,2]\n", "not a checkpoint", "\u{FEFF}{}"])
    func `a file that is no record is no record`(text: String) async throws {
        let fixture = try await CopyFixture()
        #expect(FileManager.default.createFile(atPath: fixture.checkpoint, contents: Data(text.utf8)))
        let resumed = try await resume(fixture)
        #expect(resumed.events.turns == [1, 6])
        #expect(fixture.isCopied)
        #expect(!fixture.hasCheckpoint)
    }

    @Test func `a record that lost its end loses only the parts at its end`() async throws {
        let (fixture, id) = try await paused()
        let data = try #require(FileManager.default.contents(atPath: fixture.checkpoint))
        #expect(FileManager.default.createFile(atPath: fixture.checkpoint, contents: data.dropLast(30)))
        let resumed = try await resume(fixture)
        #expect(resumed.output.uploadID == id)
        // The service still has the part whose line was lost.
        #expect(fixture.storedParts.values.allSatisfy { $0 == 1 })
        #expect(fixture.isCopied)
    }

    @Test func `a checkpoint is held by one call at a time`() async throws {
        let fixture = try await CopyFixture()
        let held = fixture.server.faults.add(.on(.uploadPartCopy), .hold)
        let copy = try fixture.client.startResumableCopyObject(fixture.input())
        try await held.waitUntilHeld()
        let error = await failure { _ = try await fixture.client.resumableCopyObject(fixture.input()) }
        #expect(error?.code == .checkpointInUse)
        held.release()
        _ = try await copy.value
        #expect(fixture.isCopied)
    }

    @Test func `a checkpoint that cannot be kept ends the call before the first request`() async throws {
        let fixture = try await CopyFixture()
        for path in ["/dev/null", "/dev/null/x", fixture.directory.path + "/\u{0}"] {
            var input = fixture.input()
            input.checkpointFile = path
            let error = await failure { [input] in _ = try await fixture.client.resumableCopyObject(input) }
            #expect(error?.code == (path.utf8.contains(0) ? .invalidArgument : .checkpointUnusable))
        }
        #expect(fixture.operations.isEmpty)
    }

    @Test func `a store of the caller's own`() async throws {
        let fixture = try await CopyFixture(size: 12 * UInt64(CopyFixture.partSize))
        let store = MemoryCheckpointStore()
        try await pause(fixture, after: 4) { $0.checkpointStore = store }
        #expect(try await store.pending().first?.partsDone == 4)
        let resumed = try await resume(fixture) { $0.checkpointStore = store }
        #expect(resumed.events.types == Array(repeating: 3, count: 8) + [6])
        #expect(try await store.pending().isEmpty)
        #expect(!fixture.hasCheckpoint)
    }

    // MARK: Credentials that end

    @Test func `a copy outlives its token`() async throws {
        let old = StubAccount(accessKey: "TEMPORARY0000000001", secretKey: "s1", sessionToken: "sts-token-1")
        let new = StubAccount(accessKey: "TEMPORARY0000000002", secretKey: "s2", sessionToken: "sts-token-2")
        let provider = Renewing([old, new])
        let fixture = try await CopyFixture(size: 12 * UInt64(CopyFixture.partSize)) { $0.accounts = [old, new] }
        let client = try CopyFixture.client(of: fixture.server) {
            var configuration = TOSClientConfiguration(endpoint: $0.endpoint, credentialsProvider: provider)
            configuration.transport = $0.transport
            configuration.retryPolicy = $0.retryPolicy
            $0 = configuration
        }
        var input = fixture.input()
        input.taskNum = 4
        input.maxRetryCount = 0
        input.copyEventListener = {
            if $0.copyPartInfo?.partNumber == 3 { fixture.server.accounts.expire(old.accessKey) }
        }
        _ = try await client.resumableCopyObject(input)
        #expect(fixture.isCopied)
        #expect(provider.calls == 2)
        #expect(fixture.server.wireLog.count(of: .createMultipartUpload) == 1)
        #expect(fixture.storedParts.values.allSatisfy { $0 == 1 })
    }

    @Test func `a copy whose token ended for good can go on with another`() async throws {
        let old = StubAccount(accessKey: "TEMPORARY0000000001", secretKey: "s1", sessionToken: "sts-token-1")
        let fixture = try await CopyFixture(size: 12 * UInt64(CopyFixture.partSize)) { $0.accounts = [old, .test] }
        var input = fixture.input()
        input.copyEventListener = {
            if $0.copyPartInfo?.partNumber == 3 { fixture.server.accounts.expire(old.accessKey) }
        }
        let error = await failure { [input] in _ = try await fixture.client.resumableCopyObject(input) }
        #expect(error?.code == .credentialsExpired)
        #expect(error.map { "\($0)".contains("sts-token-1") } == false)
        #expect(error.map { String(reflecting: $0).contains("sts-token-1") } == false)
        #expect(fixture.hasCheckpoint)

        let client = try CopyFixture.client(of: fixture.server) {
            var configuration = TOSClientConfiguration(
                endpoint: $0.endpoint,
                credential: TOSCredential(
                    accessKey: StubAccount.test.accessKey, secretKey: StubAccount.test.secretKey))
            configuration.transport = $0.transport
            $0 = configuration
        }
        let output = try await client.resumableCopyObject(fixture.input())
        #expect(output.uploadID == error?.uploadID)
        #expect(fixture.isCopied)
        #expect(fixture.storedParts.values.allSatisfy { $0 == 1 })
    }
}

/// Hands out the keys of one account after the other, and the last one from then on.
private final class Renewing: CredentialsProvider {
    private let accounts: [StubAccount]
    private let count = LockBox(0)

    init(_ accounts: [StubAccount]) { self.accounts = accounts }

    var calls: Int { count.withLock { $0 } }

    func credentials() async throws -> Credentials {
        let number = count.withLock { count in
            defer { count += 1 }
            return min(count, accounts.count - 1)
        }
        let account = accounts[number]
        return Credentials(
            accessKey: account.accessKey, secretKey: account.secretKey, securityToken: account.sessionToken)
    }
}
