import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import TestSupport
import Testing
import TransferPrimitives

/// `downloadFile` of OSS, over real connections.
@Suite struct OSSDownloadTests {
    private static let size = 12 * OSSFixture.partSize + 5

    private func input(_ fixture: OSSFixture, key: String = "films/a b+%.mp4") -> OSSDownloadFileInput {
        var input = OSSDownloadFileInput(
            bucket: OSSFixture.bucket, key: key, filePath: fixture.directory.path("a.mp4"))
        input.partSize = OSSFixture.partSize
        input.enableCheckpoint = true
        input.checkpointFile = fixture.directory.path("records/")
        return input
    }

    private func bytes(_ fixture: OSSFixture) throws -> [UInt8] {
        let system = LocalFileSystem()
        let path = fixture.directory.path("a.mp4")
        var bytes = [UInt8](repeating: 0, count: Int(try #require(try system.status(at: path)).size))
        let file = try system.open(path, .read)
        let count = try bytes.withUnsafeMutableBytes { try system.read(file, at: 0, into: $0) }
        #expect(count == bytes.count)
        return bytes
    }

    @Test(arguments: OSSSignatureVersion.allCases)
    func downloadsPausesAndGoesOn(_ signature: OSSSignatureVersion) async throws {
        let fixture = try await OSSFixture(client: { $0.signature = signature })
        let content = VODFixture.bytes(Self.size)
        let object = try fixture.server.storage.putObject("films/a b+%.mp4", in: OSSFixture.bucket, .bytes(content))
        let hook = OSSCancelHook()
        var first = input(fixture)
        first.cancelHook = hook
        first.pauseGrace = .zero
        // The parts beyond the fifth never come, so that the pause cannot be too late.
        let stalled = fixture.server.faults.add(
            .on(.getObject).matching { ["bytes=512000-614399"].contains($0.range) }, .stall)
        first.parallel = 1
        first.onEvent = { event in
            if case .partCompleted(let part, _) = event, part.number == 5 { hook.cancel() }
        }
        let error = await failure { [first] in _ = try await fixture.client.downloadFile(first) }
        #expect(error?.code == .paused)
        #expect(fixture.directory.files.contains("a.mp4.part") && !fixture.directory.files.contains("a.mp4"))
        stalled.remove()
        fixture.server.wireLog.clear()

        let output = try await OSSFixture.client(of: fixture.server) { $0.signature = signature }
            .downloadFile(input(fixture))
        #expect(output.verification == .crc64)
        #expect(output.hashCrc64ecma == object.crc64 && output.size == UInt64(Self.size))
        #expect(try bytes(fixture) == content)
        #expect(fixture.server.wireLog.count(of: .getObject) == 8)
        #expect(fixture.directory.files.filter { !$0.hasPrefix("records") } == ["a.mp4"])
    }

    @Test func lostConnectionsAndDamagedLengthsAreSurvived() async throws {
        let fixture = try await OSSFixture()
        let content = VODFixture.bytes(Self.size)
        try fixture.server.storage.putObject("films/a b+%.mp4", in: OSSFixture.bucket, .bytes(content))
        fixture.server.faults.add(.on(.getObject).nth(2), .resetInAnswer(after: 20_000))
        fixture.server.faults.add(.on(.getObject).nth(5), .truncatedAnswer(to: 30_000))
        fixture.server.faults.add(.on(.getObject).nth(7), .status(503, code: "ServiceUnavailable"))
        let output = try await fixture.client.downloadFile(input(fixture))
        #expect(output.verification == .crc64)
        #expect(try bytes(fixture) == content)
    }

    @Test func anObjectThatChangesOnTheWayIsNoSuccess() async throws {
        let fixture = try await OSSFixture()
        try fixture.server.storage.putObject(
            "films/a b+%.mp4", in: OSSFixture.bucket, .bytes(VODFixture.bytes(Self.size)))
        let held = fixture.server.faults.add(.on(.getObject).nth(6), .hold)
        var slow = input(fixture)
        slow.parallel = 1
        let handle = try fixture.client.startDownloadFile(slow)
        handle.events.ignore()
        try await held.waitUntilHeld()
        try fixture.server.storage.putObject(
            "films/a b+%.mp4", in: OSSFixture.bucket, .bytes(VODFixture.bytes(Self.size, seed: 2)))
        held.release()
        let error = await failure { _ = try await handle.value }
        #expect(error?.code == .sourceChanged)
        #expect(fixture.directory.files.isEmpty)
    }

    @Test(arguments: [0, 1]) func smallObjects(_ size: Int) async throws {
        let fixture = try await OSSFixture()
        try fixture.server.storage.putObject("k", in: OSSFixture.bucket, .bytes(VODFixture.bytes(size)))
        let output = try await fixture.client.downloadFile(input(fixture, key: "k"))
        #expect(output.size == UInt64(size) && output.verification == .crc64)
        #expect(try bytes(fixture) == VODFixture.bytes(size))
    }
}
