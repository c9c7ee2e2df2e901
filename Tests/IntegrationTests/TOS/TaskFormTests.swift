import Foundation
import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import TestSupport
import Testing
import TransferPrimitives

/// The operations of the TOS client as tasks, from code that is not `async`, over real connections.
@Suite struct TaskFormTests {
    /// Runs `body`, which may block, on a thread of its own.
    private static func onThread<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
    }

    /// Takes the bytes of a small object.
    private final class Collector: PartSink {
        private let bytes = LockBox<[UInt8]>([])
        func write(_ piece: UnsafeRawBufferPointer, at offset: UInt64) { bytes.withLock { $0 += Array(piece) } }
        var all: [UInt8] { bytes.withLock { $0 } }
    }

    /// How often completions were called.
    private final class Calls: Sendable {
        private let names = LockBox<[String]>([])
        func note<Output>(_ name: String) -> TOSCompletion<Output> {
            { outcome in
                if case .success = outcome { self.names.withLock { $0.append(name) } }
            }
        }
        var all: [String] { names.withLock { $0 } }
    }

    private func bytes(_ count: Int) -> MemorySource { MemorySource(VODFixture.bytes(count)) }

    @Test func everyOperationOfAClient() async throws {
        let fixture = try await CopyFixture(size: 6 << 20)
        let (client, calls, sink) = (fixture.client, Calls(), Collector())
        let content = bytes(1000)
        let listed = try await Self.onThread {
            /// The result of a task, on a thread that waits for it.
            func result<Output>(_ task: TOSTask<Output>) throws -> Output {
                task.waitUntilFinished()
                // Called after the completion, which is not waited for.
                task.continueWith { _ in }.waitUntilFinished()
                if let error = task.error { throw error }
                return try #require(task.result)
            }
            let (from, to) = ("src-bucket", "dst-bucket")
            _ = try result(
                client.putObject(
                    TOSPutObjectInput(bucket: from, key: "k", content: content), completion: calls.note("put")))
            let head = try result(
                client.headObject(TOSHeadObjectInput(bucket: from, key: "k"), completion: calls.note("head")))
            #expect(head.contentLength == 1000)
            _ = try result(
                client.copyObject(
                    TOSCopyObjectInput(srcBucket: from, srcKey: "k", bucket: to, key: "k"),
                    completion: calls.note("copy")))
            _ = try result(
                client.getObject(
                    TOSGetObjectInput(bucket: to, key: "k"), into: sink, completion: calls.note("get")))
            let upload = try result(
                client.createMultipartUpload(
                    TOSCreateMultipartUploadInput(bucket: to, key: "m"), completion: calls.note("create")))
            var copied = TOSUploadPartCopyInput(
                bucket: to, key: "m", uploadID: upload.uploadID, partNumber: 1, srcBucket: from,
                srcKey: fixture.source.key)
            copied.copySourceRange = ByteRange(offset: 0, length: 6 << 20)
            let first = try result(client.uploadPartCopy(copied, completion: calls.note("part copy")))
            let second = try result(
                client.uploadPart(
                    TOSUploadPartInput(
                        bucket: to, key: "m", uploadID: upload.uploadID, partNumber: 2, content: content),
                    completion: calls.note("part")))
            let parts = try result(
                client.listParts(
                    TOSListPartsInput(bucket: to, key: "m", uploadID: upload.uploadID), completion: calls.note("list")))
            _ = try result(
                client.completeMultipartUpload(
                    TOSCompleteMultipartUploadInput(
                        bucket: to, key: "m", uploadID: upload.uploadID,
                        parts: [
                            TOSUploadedPart(partNumber: first.partNumber, eTag: first.eTag),
                            TOSUploadedPart(partNumber: second.partNumber, eTag: second.eTag),
                        ]),
                    completion: calls.note("complete")))
            let other = try result(
                client.createMultipartUpload(TOSCreateMultipartUploadInput(bucket: to, key: "n"), completion: nil))
            let uploads = try result(
                client.listMultipartUploads(TOSListMultipartUploadsInput(bucket: to), completion: calls.note("uploads"))
            )
            #expect(uploads.uploads.map(\.uploadID) == [other.uploadID])
            let link = try result(
                client.preSignedURL(TOSPreSignedURLInput(.get, bucket: to, key: "m"), completion: calls.note("link")))
            #expect(link.url.hasPrefix(fixture.server.endpoint))
            _ = try result(
                client.abortMultipartUpload(
                    TOSAbortMultipartUploadInput(bucket: to, key: "n", uploadID: other.uploadID),
                    completion: calls.note("abort")))
            _ = try result(
                client.deleteObject(TOSDeleteObjectInput(bucket: from, key: "k"), completion: calls.note("delete")))
            try result(client.shutdown(completion: calls.note("shutdown")))
            return parts.parts.map(\.partNumber)
        }
        #expect(listed == [1, 2])
        #expect(sink.all == VODFixture.bytes(1000))
        // With the literals in place of a number of this type, the compiler compares by AnyHashable and reads past the optional (Swift 6.3).
        let length: UInt64 = (6 << 20) + 1000
        #expect(fixture.server.storage.object("m", in: "dst-bucket")?.length == length)
        #expect(fixture.server.storage.object("k", in: "src-bucket") == nil)
        let names = [
            "abort", "complete", "copy", "create", "delete", "get", "head", "link", "list", "part", "part copy", "put",
            "shutdown", "uploads",
        ]
        #expect(calls.all.sorted() == names)
    }

    @Test func copiesUploadsAndDownloads() async throws {
        let fixture = try await CopyFixture()
        let path = fixture.directory.path + "/film"
        let input = fixture.input()
        let chain: TOSTask<TOSDownloadFileOutput> = fixture.client.resumableCopyObject(input, completion: nil)
            .continueWith { task in
                #expect(task.result?.key == "copied/a")
                let upload = TOSUploadFileInput(
                    bucket: "dst-bucket", key: "film", source: .bytes(VODFixture.bytes(1000), name: "film"))
                return fixture.client.uploadFile(upload, completion: nil)
            }.continueWith { task in
                #expect(task.result?.bucket == "dst-bucket")
                return fixture.client.downloadFile(
                    TOSDownloadFileInput(bucket: "dst-bucket", key: "film", filePath: path), completion: nil)
            }
        #expect(try await chain.value.size == 1000)
        #expect(fixture.isCopied)
        #expect(try Array(Data(contentsOf: URL(fileURLWithPath: path))) == VODFixture.bytes(1000))
    }

    @Test(arguments: [false, true]) func aTaskPausesOrAbortsItsCopy(abort: Bool) async throws {
        let fixture = try await CopyFixture()
        let stall = fixture.stall(part: 2)
        let (told, completed) = (LockBox<[TransferError.Code?]>([]), Gate())
        let task = fixture.client.resumableCopyObject(fixture.input()) { outcome in
            if case .failure(let error) = outcome { told.withLock { $0.append((error as? TransferError)?.code) } }
            completed.open()
        }
        try await fixture.waitForPart(2)
        task.cancel(abort: abort)
        let error = await failure { _ = try await task.value }
        #expect(error?.code == (abort ? .aborted : .paused))
        #expect(task.isCancelled)
        await completed.wait()
        #expect(told.withLock { $0 } == [error?.code])
        #expect(fixture.hasCheckpoint == !abort)
        stall.remove()
        if !abort {
            let again = fixture.client.resumableCopyObject(fixture.input(), completion: nil)
            _ = try await again.value
            #expect(fixture.isCopied)
            #expect(fixture.storedParts[1] == 1)
        }
    }

    @Test func cancellingTheTaskThatWaitsPausesTheCopy() async throws {
        let fixture = try await CopyFixture()
        _ = fixture.stall(part: 2)
        let task = fixture.client.resumableCopyObject(fixture.input(), completion: nil)
        let waiting = Task { try await task.value }
        try await fixture.waitForPart(2)
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect((task.error as? TransferError)?.code == .paused)
        #expect(fixture.hasCheckpoint)
    }

    @Test func whatIsWrongWithAnInputIsTheErrorOfTheTask() async throws {
        let fixture = try await CopyFixture()
        var input = fixture.input()
        input.partSize = 1
        let copy = fixture.client.resumableCopyObject(input, completion: nil)
        #expect(await failure { _ = try await copy.value }?.field == "partSize")
        let head = fixture.client.headObject(TOSHeadObjectInput(bucket: "B", key: "k"), completion: nil)
        #expect(await failure { _ = try await head.value }?.code == .invalidArgument)
        #expect(fixture.server.wireLog.entries.isEmpty)
    }

    @Test func whatStoppedIsListedAndGivenUp() async throws {
        let fixture = try await CopyFixture()
        _ = fixture.stall(part: 1)
        let client = fixture.client
        let task = client.resumableCopyObject(fixture.input(), completion: nil)
        try await fixture.waitForPart(1)
        task.cancel()
        _ = await failure { _ = try await task.value }
        let store = FileCheckpointStore(path: fixture.checkpoint)
        let given: TOSTask<Void> = client.pendingTransfers(in: store, completion: nil).continueWith { found in
            client.discard(try #require(found.result?.first), in: store, completion: nil)
        }
        try await given.value
        #expect(!fixture.hasCheckpoint)
        #expect(fixture.server.wireLog.count(of: .abortMultipartUpload) == 1)
    }
}
