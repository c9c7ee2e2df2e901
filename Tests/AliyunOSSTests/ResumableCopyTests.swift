import Testing
import TransferCore
import TransferHTTP
import TransferPrimitives

@testable import AliyunOSS

/// `resumableCopyObject` from the public interface to the wire, through the engine.
@Suite struct ResumableCopyTests {
    private static let content = (0..<250_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    private var bytes: [UInt8] { Self.content }

    private func input(_ store: (any CheckpointStore)? = nil) -> OSSResumableCopyObjectInput {
        var input = OSSResumableCopyObjectInput(
            srcBucket: "source", srcKey: "中.mov", bucket: "examplebucket", key: "copy.mov")
        input.partSize = 102_400
        if let store {
            input.enableCheckpoint = true
            input.checkpointStore = store
        }
        return input
    }

    private func oss(_ fault: @escaping FakeOSS.Fault = { _ in nil }) -> FakeOSS {
        let oss = FakeOSS(objects: ["source/中.mov": bytes], fault: fault)
        oss.change { state in
            state.objects["source/中.mov"]?.headers = [
                "Content-Type": "video/quicktime", "x-oss-meta-title": "%E4%B8%AD", "x-oss-meta-raw": "100%25",
            ]
        }
        return oss
    }

    @Test func `an object of several parts, with what its source carries`() async throws {
        let oss = oss()
        let output = try await OSSClient.test(oss).resumableCopyObject(input())
        let copy = try #require(oss.object("examplebucket/copy.mov"))
        #expect(copy.bytes == bytes)
        #expect(copy.headers == oss.object("source/中.mov")?.headers)
        #expect(output.verification == .crc64 && output.uploadID == "U1")
        #expect(oss.operations.count { $0 == "UploadPartCopy" } == 3)
        let ranges = oss.requests.compactMap { $0.headers["x-oss-copy-source-range"] }.sorted()
        #expect(ranges == ["bytes=0-102399", "bytes=102400-204799", "bytes=204800-249999"])
        let conditions = Set(oss.requests.compactMap { $0.headers["x-oss-copy-source-if-match"] })
        #expect(conditions == [FakeOSS.etag(bytes)])
    }

    @Test func `a small object is copied by one request`() async throws {
        let oss = oss()
        var input = input()
        input.partSize = 0
        let output = try await OSSClient.test(oss).resumableCopyObject(input)
        #expect(oss.operations == ["HeadObject", "CopyObject", "HeadObject"])
        #expect(output.verification == .crc64)
        #expect(oss.object("examplebucket/copy.mov")?.headers == oss.object("source/中.mov")?.headers)
    }

    @Test func `a small object is copied with what the caller gives in place of what its source has`() async throws {
        let oss = oss()
        var input = input()
        input.partSize = 0
        input.contentType = "video/mp4"
        _ = try await OSSClient.test(oss).resumableCopyObject(input)
        #expect(
            oss.object("examplebucket/copy.mov")?.headers == [
                "Content-Type": "video/mp4", "x-oss-meta-title": "%E4%B8%AD", "x-oss-meta-raw": "100%25",
            ])
        input.contentType = nil
        input.carriesMetadata = false
        _ = try await OSSClient.test(oss).resumableCopyObject(input)
        #expect(oss.object("examplebucket/copy.mov")?.headers == ["Content-Type": "video/quicktime"])
        let directives = oss.requests.compactMap { $0.headers["x-oss-metadata-directive"] }
        #expect(directives == ["REPLACE", "REPLACE"])
    }

    @Test func `an object above 1 GiB is copied in parts whatever the part size`() throws {
        let backend = OSSBackend(try OSSClient.test(FakeOSS()))
        #expect(backend.capabilities.largestCopy == 1 << 30)
        #expect(backend.capabilities.largestPut == 5 << 30)
        #expect(backend.capabilities.parts.minimumSize == 102_400)
        #expect(backend.capabilities.parts.maximumSize == 5_368_709_120)
        #expect(backend.capabilities.parts.maximumCount == 10_000)
        #expect(backend.capabilities.parts.defaultSize == 8 << 20)
        #expect(backend.capabilities.mayDenyHead && backend.capabilities.mayDenyListParts)
        #expect(backend.capabilities.honoursCopyPreconditions)
        #expect(backend.capabilities.checksums == [.crc64])
        #expect(backend.provider == "oss")
    }

    @Test func `what stopped goes on`() async throws {
        let store = MemoryCheckpointStore()
        let hook = OSSCancelHook()
        let oss = oss { request in
            if request.parameter("partNumber") == "3" { hook.cancel() }
            return nil
        }
        let client = try OSSClient.test(oss)
        var first = input(store)
        first.parallel = 1
        first.cancelHook = hook
        #expect(await transferError { _ = try await client.resumableCopyObject(first) }?.code == .paused)
        let sent = oss.requests.count
        #expect(try await client.resumableCopyObject(input(store)).uploadID == "U1")
        let again = oss.requests[sent...].map(\.operation)
        #expect(again.contains("ListParts") && again.count { $0 == "UploadPartCopy" } <= 1)
        #expect(oss.object("examplebucket/copy.mov")?.bytes == bytes)
    }

    @Test func `a copy that stopped is listed, and can be given up`() async throws {
        let store = MemoryCheckpointStore()
        let oss = oss { request in
            request.parameter("partNumber") == "3" ? try .refusal(403, "AccessDenied") : nil
        }
        let client = try OSSClient.test(oss)
        #expect(await transferError { _ = try await client.resumableCopyObject(input(store)) }?.code == .accessDenied)
        let pending = try await client.pendingTransfers(in: store)
        #expect(pending.map(\.kind) == [.copy])
        try await client.discard(try #require(pending.first), in: store)
        #expect(oss.uploads.isEmpty)
        #expect(try await store.pending().isEmpty)
    }

    @Test func `a source that changes meanwhile is no source of the rest`() async throws {
        let changed = (0..<250_000).map { UInt8(truncatingIfNeeded: $0) }
        let oss = LockBox<FakeOSS?>(nil)
        let service = self.oss { request in
            if request.parameter("partNumber") == "2" {
                oss.withLock { $0 }?.change {
                    $0.objects["source/中.mov"] = FakeOSS.Object(bytes: changed, etag: FakeOSS.etag(changed))
                }
            }
            return nil
        }
        oss.withLock { $0 = service }
        var input = input()
        input.parallel = 1
        let error = await transferError { _ = try await OSSClient.test(service).resumableCopyObject(input) }
        #expect(error?.code == .sourceChanged)
        #expect(service.object("examplebucket/copy.mov") == nil && service.uploads.isEmpty)
        oss.withLock { $0 = nil }
    }

    @Test func `bad input is refused by its name before any request`() async throws {
        let oss = oss()
        let client = try OSSClient.test(oss)
        func refusal(_ change: (inout OSSResumableCopyObjectInput) -> Void) async -> TransferError? {
            var input = input()
            change(&input)
            return await transferError { _ = try await client.resumableCopyObject(input) }
        }
        #expect(await refusal { $0.srcBucket = "B" }?.field == "srcBucket")
        #expect(await refusal { $0.srcKey = "" }?.field == "srcKey")
        #expect(await refusal { $0.srcVersionID = "" }?.field == "srcVersionID")
        #expect(await refusal { $0.partSize = 7 }?.field == "partSize")
        #expect(await refusal { $0.trafficLimit = 1 }?.field == "trafficLimit")
        #expect(await refusal { $0.copySourceIfMatch = "" }?.field == "copySourceIfMatch")
        let elsewhere = await refusal { $0.srcRegion = "cn-beijing" }
        #expect(elsewhere?.code == .crossRegion && elsewhere?.field == "srcRegion")
        let itself = await refusal {
            $0.srcBucket = "examplebucket"
            $0.srcKey = "copy.mov"
        }
        #expect(itself?.field == "key")
        #expect(oss.requests.isEmpty)
        let custom = try OSSClient.test(
            oss,
            configuration: .test(
                OSSEndpoint(url: "https://media.example.com", region: "cn-shanghai", isCustomDomain: true)))
        let error = await transferError { _ = try await custom.resumableCopyObject(input()) }
        #expect(error?.field == "srcBucket")
    }
}
