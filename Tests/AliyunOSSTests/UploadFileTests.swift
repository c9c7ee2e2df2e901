import Testing
import TransferCore
import TransferHTTP
import TransferPrimitives

@testable import AliyunOSS

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `uploadFile` from the public interface to the wire, through the engine.
@Suite struct UploadFileTests {
    /// Two parts and a bit of the smallest part size.
    private static let content = (0..<250_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    private var bytes: [UInt8] { Self.content }
    private let partSize = 102_400

    private func input(_ store: (any CheckpointStore)? = nil) -> OSSUploadFileInput {
        var input = OSSUploadFileInput(
            bucket: "examplebucket", key: "dir/film.mp4", source: .bytes(bytes, name: "film.mp4"))
        input.partSize = partSize
        if let store {
            input.enableCheckpoint = true
            input.checkpointStore = store
        }
        return input
    }

    @Test func `a file of several parts`() async throws {
        let oss = FakeOSS()
        let seen = LockBox<[TransferProgress]>([])
        var input = input()
        input.metadata = ["title": "中"]
        input.onProgress = { progress in seen.withLock { $0.append(progress) } }
        let output = try await OSSClient.test(oss).uploadFile(input)
        let object = try #require(oss.object("examplebucket/dir/film.mp4"))
        #expect(object.bytes == bytes)
        #expect(object.headers == ["Content-Type": "video/mp4", "x-oss-meta-title": "%E4%B8%AD"])
        #expect(
            oss.operations.sorted() == [
                "CompleteMultipartUpload", "InitiateMultipartUpload", "UploadPart", "UploadPart", "UploadPart",
            ])
        #expect(output.verification == .crc64)
        #expect(output.hashCrc64ecma == FakeOSS.crc(bytes))
        #expect(output.uploadID == "U1" && output.eTag == "\"U1-3\"" && output.location == "http://x/U1")
        #expect(output.requestID == "request-1" && output.statusCode == 200)
        #expect(
            seen.withLock { $0 }.last
                == TransferProgress(completedBytes: 250_000, totalBytes: 250_000, isFinished: true))
    }

    @Test func `a file of one part goes by one request`() async throws {
        let oss = FakeOSS()
        var input = input()
        input.partSize = 250_000
        let output = try await OSSClient.test(oss).uploadFile(input)
        #expect(oss.operations == ["PutObject"])
        #expect(output.verification == .crc64 && output.uploadID == nil)
        #expect(oss.object("examplebucket/dir/film.mp4")?.bytes == bytes)
    }

    @Test func `an empty file is an empty object`() async throws {
        let oss = FakeOSS()
        let input = OSSUploadFileInput(bucket: "examplebucket", key: "e", source: .bytes([], name: "e"))
        let output = try await OSSClient.test(oss).uploadFile(input)
        #expect(oss.object("examplebucket/e")?.bytes == [])
        #expect(oss.operations == ["PutObject"] && output.verification == .crc64)
    }

    @Test func `a file on disk`() async throws {
        let path = FileManager.default.temporaryDirectory.path + "/oss-\(UUID().uuidString) 中%+#🎬"
        #expect(FileManager.default.createFile(atPath: path, contents: Data(bytes)))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let oss = FakeOSS()
        var input = OSSUploadFileInput(bucket: "examplebucket", key: "f", filePath: path)
        input.partSize = partSize
        _ = try await OSSClient.test(oss).uploadFile(input)
        #expect(oss.object("examplebucket/f")?.bytes == bytes)
    }

    @Test(arguments: ["/nonexistent/file", "/", ""])
    func `a path that is no file is refused before any request`(path: String) async throws {
        let oss = FakeOSS()
        let error = await transferError {
            _ = try await OSSClient.test(oss).uploadFile(
                OSSUploadFileInput(bucket: "examplebucket", key: "f", filePath: path))
        }
        #expect(error?.code == .fileUnreadable && error?.field == "path")
        #expect(oss.requests.isEmpty)
    }

    @Test func `what stopped goes on, with the part size it began with`() async throws {
        let store = MemoryCheckpointStore()
        let hook = OSSCancelHook()
        let oss = FakeOSS(pageSize: 1) { request in
            if request.parameter("partNumber") == "3" { hook.cancel() }
            return nil
        }
        let client = try OSSClient.test(oss)
        var first = input(store)
        first.parallel = 1
        first.cancelHook = hook
        #expect(await transferError { _ = try await client.uploadFile(first) }?.code == .paused)
        let sent = oss.requests.count
        var second = input(store)
        second.partSize = 204_800
        let events = LockBox<[TransferEvent]>([])
        second.onEvent = { event in events.withLock { $0.append(event) } }
        let output = try await client.uploadFile(second)
        #expect(output.verification == .crc64 && output.uploadID == "U1")
        #expect(oss.object("examplebucket/dir/film.mp4")?.bytes == bytes)
        let again = oss.requests[sent...].map(\.operation)
        // A page for each part that is stored.
        #expect(again.filter { $0 == "ListParts" }.count >= 2)
        #expect(again.count { $0 == "UploadPart" } <= 1)
        #expect(!again.contains("InitiateMultipartUpload"))
        #expect(events.withLock { $0 }.contains { if case .resumed("U1", _, _) = $0 { true } else { false } })
        #expect(try await store.pending().isEmpty)
    }

    @Test func `a damaged part is sent again, once`() async throws {
        let damaged = LockBox(1)
        let oss = FakeOSS(answer: { request, response in
            guard request.parameter("partNumber") == "2",
                damaged.withLock({
                    $0 -= 1
                    return $0 >= 0
                })
            else {
                return response
            }
            var response = response
            try response.headers.set("x-oss-hash-crc64ecma", "1")
            return response
        })
        #expect(try await OSSClient.test(oss).uploadFile(input()).verification == .crc64)
        #expect(oss.requests.count { $0.parameter("partNumber") == "2" } == 2)
    }

    @Test func `a part that stays damaged fails, and nothing is completed`() async throws {
        let oss = FakeOSS(answer: { request, response in
            var response = response
            if request.operation == "UploadPart" { try response.headers.set("x-oss-hash-crc64ecma", "1") }
            return response
        })
        let error = await transferError { _ = try await OSSClient.test(oss).uploadFile(input()) }
        #expect(error?.code == .checksumMismatch)
        #expect(oss.object("examplebucket/dir/film.mp4") == nil && oss.uploads.isEmpty)
    }

    /// FR-080: the parts are right, and the object is not.
    @Test func `an object with another checksum is no success`() async throws {
        let oss = FakeOSS(answer: { request, response in
            var response = response
            if request.operation == "CompleteMultipartUpload" { try response.headers.set("x-oss-hash-crc64ecma", "1") }
            return response
        })
        let error = await transferError { _ = try await OSSClient.test(oss).uploadFile(input()) }
        #expect(error?.code == .checksumMismatch && error?.receipt?.checksums.crc64 == 1)
    }

    /// Contract 3: the object was made, and its answer lost.
    @Test func `a lost answer of Complete is settled by a look at the object`() async throws {
        let losses = LockBox(1)
        let oss = FakeOSS(answer: { request, response in
            guard request.operation == "CompleteMultipartUpload",
                losses.withLock({
                    $0 -= 1
                    return $0 >= 0
                })
            else {
                return response
            }
            throw TransportFailure(
                .receive, operation: request.operation, host: "h", message: "reset", mayHaveReachedServer: true)
        })
        let output = try await OSSClient.test(oss).uploadFile(input())
        #expect(output.verification == .crc64 && output.hashCrc64ecma == FakeOSS.crc(bytes))
        #expect(oss.operations.suffix(3) == ["CompleteMultipartUpload", "CompleteMultipartUpload", "HeadObject"])
        #expect(oss.operations.count { $0 == "InitiateMultipartUpload" } == 1)
    }

    @Test func `the same with overwriting forbidden, where the repeat meets the object itself`() async throws {
        let losses = LockBox(0)
        let oss = FakeOSS(answer: { request, response in
            guard request.operation == "CompleteMultipartUpload" else { return response }
            guard
                losses.withLock({
                    $0 += 1
                    return $0
                }) == 1
            else { return try .refusal(409, "FileAlreadyExists") }
            throw TransportFailure(
                .receive, operation: request.operation, host: "h", message: "reset", mayHaveReachedServer: true)
        })
        var input = input()
        input.forbidOverwrite = true
        let output = try await OSSClient.test(oss).uploadFile(input)
        #expect(output.verification == .crc64)
        #expect(oss.operations.last == "HeadObject")
        let complete = try #require(oss.requests.first { $0.operation == "CompleteMultipartUpload" })
        #expect(complete.headers["x-oss-forbid-overwrite"] == "true")
    }

    @Test func `an object that must not be replaced refuses at once`() async throws {
        let oss = FakeOSS { request in
            request.operation == "InitiateMultipartUpload" ? try .refusal(409, "FileAlreadyExists") : nil
        }
        var input = input()
        input.forbidOverwrite = true
        let error = await transferError { _ = try await OSSClient.test(oss).uploadFile(input) }
        #expect(error?.code == .preconditionFailed)
        #expect(oss.requests.count == 1)
    }

    @Test func `an upload that the service lost is begun again, once`() async throws {
        let store = MemoryCheckpointStore()
        let lost = LockBox(true)
        let oss = FakeOSS { request in
            guard request.parameter("partNumber") == "2", lost.withLock({ $0 }) else { return nil }
            lost.withLock { $0 = false }
            return try .refusal(404, "NoSuchUpload")
        }
        let output = try await OSSClient.test(oss).uploadFile(input(store))
        #expect(output.verification == .crc64 && output.uploadID == "U2")
        #expect(oss.object("examplebucket/dir/film.mp4")?.bytes == bytes)
    }

    @Test func `credentials that may write alone resume by the record`() async throws {
        let store = MemoryCheckpointStore()
        let hook = OSSCancelHook()
        let oss = FakeOSS { request in
            if request.parameter("partNumber") == "3" { hook.cancel() }
            return ["ListParts", "HeadObject"].contains(request.operation) ? try .refusal(403, "AccessDenied") : nil
        }
        let client = try OSSClient.test(oss)
        var first = input(store)
        first.parallel = 1
        first.cancelHook = hook
        #expect(await transferError { _ = try await client.uploadFile(first) }?.code == .paused)
        #expect(try await client.uploadFile(input(store)).verification == .crc64)
        #expect(oss.object("examplebucket/dir/film.mp4")?.bytes == bytes)
        #expect(oss.operations.count { $0 == "InitiateMultipartUpload" } == 1)
    }

    @Test func `a callback that failed is told with the object, and the record is gone`() async throws {
        let store = MemoryCheckpointStore()
        let oss = FakeOSS(answer: { request, response in
            guard request.operation == "CompleteMultipartUpload" else { return response }
            return try .oss(
                203, "<Error><Code>CallbackFailed</Code></Error>", [("ETag", "\"e-3\"")])
        })
        var input = input(store)
        input.callback = OSSCallback(url: "http://app.example.com", body: "x")
        let error = await transferError { _ = try await OSSClient.test(oss).uploadFile(input) }
        #expect(error?.code == .storedCallbackFailed && error?.receipt?.etag == ETag("e-3"))
        #expect(oss.operations.count { $0 == "CompleteMultipartUpload" } == 1)
        #expect(try await store.pending().isEmpty)
        #expect(
            oss.requests.first { $0.operation == "InitiateMultipartUpload" }?.headers.contains("x-oss-callback")
                == false)
    }

    @Test func `bad input is refused by its name before any request`() async throws {
        let oss = FakeOSS()
        let client = try OSSClient.test(oss)
        func field(_ change: (inout OSSUploadFileInput) -> Void) async -> String? {
            var input = input()
            change(&input)
            return await transferError { _ = try await client.uploadFile(input) }?.field
        }
        #expect(await field { $0.bucket = "B" } == "bucket")
        #expect(await field { $0.key = "/a" } == "key")
        for size in [-1, 1, 102_399, 5_368_709_121] { #expect(await field { $0.partSize = size } == "partSize") }
        #expect(await field { $0.maxRetryCount = -1 } == "maxRetryCount")
        #expect(await field { $0.pauseGrace = .seconds(-1) } == "pauseGrace")
        #expect(await field { $0.trafficLimit = 1 } == "trafficLimit")
        #expect(await field { $0.metadata = ["": ""] } == "metadata")
        #expect(
            await field {
                $0.enableCheckpoint = true
                $0.checkpointFile = ""
            } == "checkpointFile")
        #expect(oss.requests.isEmpty)
    }

    @Test func `what stopped is listed, and can be given up`() async throws {
        let store = MemoryCheckpointStore()
        let hook = OSSCancelHook()
        let oss = FakeOSS { request in
            if request.parameter("partNumber") == "3" { hook.cancel() }
            return nil
        }
        let client = try OSSClient.test(oss)
        var first = input(store)
        first.parallel = 1
        first.cancelHook = hook
        _ = await transferError { _ = try await client.uploadFile(first) }
        let pending = try await client.pendingTransfers(in: store)
        #expect(pending.map(\.uploadID) == ["U1"])
        #expect(pending.map(\.target) == [ObjectLocation(bucket: "examplebucket", key: "dir/film.mp4")])
        #expect(oss.uploads.keys.sorted() == ["U1"])
        try await client.discard(try #require(pending.first), in: store)
        #expect(oss.uploads.isEmpty)
        #expect(try await client.pendingTransfers(in: store).isEmpty)
        let error = await transferError { try await client.discard(try #require(pending.first), in: store) }
        #expect(error?.code == .conflict)
    }

    @Test func `a record is kept when the service does not give the upload up`() async throws {
        let store = MemoryCheckpointStore()
        let hook = OSSCancelHook()
        let oss = FakeOSS { request in
            if request.parameter("partNumber") == "3" { hook.cancel() }
            return request.operation == "AbortMultipartUpload" ? try .refusal(403, "AccessDenied") : nil
        }
        let client = try OSSClient.test(oss)
        var first = input(store)
        first.parallel = 1
        first.cancelHook = hook
        _ = await transferError { _ = try await client.uploadFile(first) }
        let pending = try await client.pendingTransfers(in: store)
        let error = await transferError { try await client.discard(try #require(pending.first), in: store) }
        #expect(error?.code == .accessDenied)
        #expect(try await client.pendingTransfers(in: store) == pending)
        // Free for whoever resumes it.
        _ = try await client.uploadFile(input(store))
    }

    @Test func `a client that shuts down ends its uploads, and keeps their records`() async throws {
        let store = MemoryCheckpointStore()
        let reached = AsyncStream.makeStream(of: Void.self)
        let oss = FakeOSS { request in
            guard request.parameter("partNumber") == "2" else { return nil }
            reached.continuation.yield()
            try await Task.sleep(for: .seconds(600))
            return nil
        }
        let client = try OSSClient.test(oss)
        var input = input(store)
        input.parallel = 1
        input.pauseGrace = .zero
        let handle = try client.startUploadFile(input)
        for await _ in reached.stream { break }
        await client.shutdown()
        #expect(await transferError { _ = try await handle.value }?.code == .disposed)
        #expect(try await store.pending().map(\.partsDone) == [1])
        #expect(await transferError { _ = try await client.uploadFile(input) }?.code == .disposed)
        #expect(
            await transferError { _ = try await client.headObject(.init(bucket: "examplebucket", key: "k")) }?.code
                == .disposed)
    }
}
