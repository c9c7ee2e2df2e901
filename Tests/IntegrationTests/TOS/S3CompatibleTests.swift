import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import TestSupport
import Testing

/// Transfers over the S3-compatible wire of TOS (spec section 5.4), where that differs.
@Suite struct S3CompatibleTests {
    private func fixture(
        size: UInt64 = 3 * UInt64(CopyFixture.partSize) + 17,
        _ changeServer: (inout StubConfiguration) -> Void = { _ in }
    ) async throws -> CopyFixture {
        try await CopyFixture(size: size, changeServer, client: { $0.wireFormat = .s3Compatible })
    }

    @Test func `a copy in parts: requests, events and result`() async throws {
        let fixture = try await fixture()
        let events = EventLog()
        let output = try await fixture.client.resumableCopyObject(fixture.input(events))
        #expect(
            fixture.operations == [
                "HeadObject", "CreateMultipartUpload", "UploadPartCopy", "UploadPartCopy", "UploadPartCopy",
                "UploadPartCopy", "CompleteMultipartUpload",
            ])
        for entry in fixture.server.wireLog.entries {
            #expect(entry.request.dialect == "s3")
            #expect(entry.header("authorization")?.hasPrefix("AWS4-HMAC-SHA256 ") == true)
            #expect(entry.header("x-amz-content-sha256") != "UNSIGNED-PAYLOAD")
        }
        for part in fixture.server.wireLog.entries(of: .uploadPartCopy) {
            #expect(part.header("x-amz-copy-source-if-match") == "\"\(fixture.source.etag)\"")
            #expect(part.header("x-amz-copy-source") == "/src-bucket/films/a%20b.mov")
        }
        #expect(fixture.isCopied)
        #expect(events.types == [1, 3, 3, 3, 3, 6])
        #expect(output.hashCrc64ecma == nil)
        #expect(output.verification == .partETags)
        #expect(!fixture.hasCheckpoint)
    }

    @Test func `a pause over one wire is resumed over the other`() async throws {
        let fixture = try await fixture()
        var input = fixture.input()
        let hook = TOSCancelHook()
        input.cancelHook = hook
        input.pauseGrace = .seconds(3600)
        input.copyEventListener = { if $0.type == .uploadPartCopySucceed { hook.cancel() } }
        let error = await failure { [input] in _ = try await fixture.client.resumableCopyObject(input) }
        #expect(error?.code == .paused)
        let native = try CopyFixture.client(of: fixture.server)
        let output = try await native.resumableCopyObject(fixture.input())
        #expect(fixture.isCopied)
        #expect(output.verification == .crc64)
        #expect(fixture.storedParts.values.allSatisfy { $0 == 1 })
    }

    @Test(arguments: [0, 1, CopyFixture.partSize])
    func `small and empty objects`(size: Int) async throws {
        let fixture = try await fixture(size: UInt64(size))
        _ = try await fixture.client.resumableCopyObject(fixture.input())
        #expect(fixture.isCopied)
    }

    @Test func `an error under a 200 is repeated`() async throws {
        let fixture = try await fixture()
        for operation in [StoreOperation.createMultipartUpload, .uploadPartCopy, .completeMultipartUpload] {
            fixture.server.faults.add(.on(operation).first(1), .lateError())
        }
        _ = try await fixture.client.resumableCopyObject(fixture.input())
        #expect(fixture.isCopied)
    }

    @Test func `a Complete without an ETag is settled by a look at the object`() async throws {
        let fixture = try await fixture { $0.quirks.namesETagOfCompleted = false }
        let output = try await fixture.client.resumableCopyObject(fixture.input())
        #expect(output.verification == .partETags)
        #expect(fixture.isCopied)
    }

    @Test func `a token that ends and a clock that is wrong are repaired`() async throws {
        let fixture = try await CopyFixture(
            { $0.clock = ShiftedClock(by: 7200) }, client: { $0.wireFormat = .s3Compatible })
        _ = try await fixture.client.resumableCopyObject(fixture.input())
        #expect(fixture.isCopied)
    }

    @Test func `a bucket in the path, where the service wants it in the host, is told as that`() async throws {
        let fixture = try await fixture { $0.quirks.refusesPathStyle = true }
        let error = await failure { _ = try await fixture.client.resumableCopyObject(fixture.input()) }
        #expect(error?.code == .refused)
        #expect(error?.service?.code == "InvalidPathAccess")
    }

    @Test func `what this wire does not know is refused by name, before any request`() async throws {
        let fixture = try await fixture()
        let client = fixture.client
        func refused(_ change: @escaping (inout TOSResumableCopyObjectInput) -> Void) async -> String? {
            var input = fixture.input()
            change(&input)
            let error = await failure { [input] in _ = try await client.resumableCopyObject(input) }
            #expect(error?.code == .unsupported)
            return error?.field
        }
        #expect(await refused { $0.forbidOverwrite = true } == "forbidOverwrite")
        #expect(await refused { $0.objectExpires = 3 } == "objectExpires")
        #expect(await refused { $0.trafficLimit = 819_200 } == "trafficLimit")
        var put = TOSPutObjectInput(bucket: "dst-bucket", key: "k", content: MemorySource([1]))
        put.callback = "e30="
        let callback = await failure { [put] in _ = try await client.putObject(put) }
        #expect(callback?.field == "callback")
        let all = TOSCompleteMultipartUploadInput(bucket: "dst-bucket", key: "k", uploadID: "u", completeAll: true)
        let completing = await failure { _ = try await client.completeMultipartUpload(all) }
        #expect(completing?.field == "completeAll")
        var upload = TOSUploadFileInput(bucket: "dst-bucket", key: "k", filePath: fixture.checkpoint)
        upload.trafficLimit = 819_200
        let limited = await failure { [upload] in _ = try await client.uploadFile(upload) }
        #expect(limited?.field == "trafficLimit")
        #expect(fixture.server.wireLog.entries.isEmpty)
    }

    @Test func `files there and back`() async throws {
        let fixture = try await fixture()
        let path = fixture.directory.path + "/film"
        let download = TOSDownloadFileInput(bucket: "src-bucket", key: fixture.source.key, filePath: path)
        let read = try await fixture.client.downloadFile(download)
        #expect(read.size == fixture.source.length)
        var upload = TOSUploadFileInput(bucket: "dst-bucket", key: "copied/a", filePath: path)
        upload.partSize = CopyFixture.partSize
        upload.taskNum = 3
        let output = try await fixture.client.uploadFile(upload)
        #expect(fixture.isCopied)
        #expect(output.verification == .partETags)
    }
}
