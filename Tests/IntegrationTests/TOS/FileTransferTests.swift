import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import TestSupport
import Testing
import TransferPrimitives

/// `uploadFile` and `downloadFile` of TOS (spec section 7), over real connections.
@Suite struct FileTransferTests {
    private static let size = 6 * CopyFixture.partSize + 5

    private func write(_ fixture: CopyFixture, seed: UInt64 = 1) throws -> String {
        let system = LocalFileSystem()
        let path = fixture.directory.path + "/a.mov"
        try VODFixture.bytes(Self.size, seed: seed).withUnsafeBytes {
            try system.write($0, to: system.open(path, .replace))
        }
        return path
    }

    private func upload(_ fixture: CopyFixture, _ path: String) -> TOSUploadFileInput {
        var input = TOSUploadFileInput(bucket: "dst-bucket", key: "films/a.mov", filePath: path)
        input.partSize = CopyFixture.partSize
        input.enableCheckpoint = true
        input.checkpointFile = fixture.directory.path + "/records/"
        return input
    }

    @Test func uploadsPausesAndGoesOn() async throws {
        let fixture = try await CopyFixture()
        let path = try write(fixture)
        let stalled = fixture.server.faults.add(.on(.uploadPart).part(4), .stall)
        let hook = TOSCancelHook()
        var first = upload(fixture, path)
        first.cancelHook = hook
        first.pauseGrace = .zero
        first.meta = ["title": "Ferien"]
        first.onEvent = { event in
            if case .partCompleted(let part, _) = event, part.number == 3 { hook.cancel() }
        }
        let error = await failure { [first] in _ = try await fixture.client.uploadFile(first) }
        #expect(error?.code == .paused)
        stalled.remove()
        var second = upload(fixture, path)
        second.taskNum = 3
        second.meta = ["title": "Ferien"]
        let output = try await CopyFixture.client(of: fixture.server).uploadFile(second)
        #expect(output.verification == .crc64)
        let object = try #require(fixture.server.storage.object("films/a.mov", in: "dst-bucket"))
        #expect(object.content.read() == VODFixture.bytes(Self.size))
        #expect(object.attributes.metadata["title"] == "Ferien")
        #expect(
            fixture.server.storage.storedPartCounts["dst-bucket/films/a.mov"]?.values.allSatisfy { $0 == 1 } == true)
        #expect(fixture.server.wireLog.count(of: .createMultipartUpload) == 1)
    }

    @Test(arguments: [0, 1, 1000]) func smallFilesAreOneRequest(_ size: Int) async throws {
        let fixture = try await CopyFixture()
        let input = TOSUploadFileInput(
            bucket: "dst-bucket", key: "k", source: .bytes(VODFixture.bytes(size), name: "k"))
        let output = try await fixture.client.uploadFile(input)
        #expect(output.verification == .crc64)
        #expect(fixture.server.storage.object("k", in: "dst-bucket")?.content.read() == VODFixture.bytes(size))
        #expect(fixture.server.wireLog.count(of: .putObject) == 1)
    }

    @Test func downloadsPausesAndGoesOn() async throws {
        let fixture = try await CopyFixture()
        let content = VODFixture.bytes(Self.size)
        try fixture.server.storage.putObject("a b", in: "src-bucket", .bytes(content))
        let path = fixture.directory.path + "/down.mov"
        var input = TOSDownloadFileInput(bucket: "src-bucket", key: "a b", filePath: path)
        input.partSize = CopyFixture.partSize
        input.enableCheckpoint = true
        input.checkpointFile = fixture.directory.path + "/records/"
        let hook = TOSCancelHook()
        var first = input
        first.cancelHook = hook
        // One after the other, so that three parts are done and the fourth is on its way.
        first.taskNum = 1
        first.pauseGrace = .zero
        let stalled = fixture.server.faults.add(.on(.getObject).nth(4), .stall)
        let download = try fixture.client.startDownloadFile(first)
        try await fixture.server.wireLog.waitFor(count: 4, operation: .getObject)
        hook.cancel()
        let error = await failure { _ = try await download.value }
        #expect(error?.code == .paused)
        stalled.remove()
        fixture.server.wireLog.clear()
        let output = try await fixture.client.downloadFile(input)
        #expect(output.verification == .crc64)
        #expect(fixture.server.wireLog.count(of: .getObject) == 4)
        let source = try UploadSource.file(path)
        var read = [UInt8](repeating: 0, count: content.count)
        let count = try read.withUnsafeMutableBytes { try source.source.read(at: 0, into: $0) }
        #expect(count == content.count && read == content)
    }

    @Test func badInputIsRefusedBeforeAnyRequest() async throws {
        let fixture = try await CopyFixture()
        var small = upload(fixture, try write(fixture))
        small.partSize = 1
        #expect(throws: TransferError.self) { try fixture.client.startUploadFile(small) }
        let nowhere = TOSDownloadFileInput(bucket: "src-bucket", key: "k", filePath: "/no/such/directory/k")
        let error = #expect(throws: TransferError.self) { try fixture.client.startDownloadFile(nowhere) }
        #expect(error?.code == .fileUnwritable && error?.field == "path")
        #expect(fixture.server.wireLog.entries.isEmpty)
    }
}
