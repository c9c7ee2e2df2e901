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

/// `S3Client` against the S3 dialect of the local server.
@Suite struct S3ClientTests {
    private static let key = "films/a b+中文?#%.mov"
    private static let size: UInt64 = 3 * S3Fixture.partSize + 17

    private func location(_ key: String = key, in bucket: String = "dst-bucket") -> ObjectLocation {
        ObjectLocation(bucket: bucket, key: key)
    }

    @Test func `objects one by one`() async throws {
        let fixture = try await S3Fixture()
        let client = fixture.client
        var options = ObjectOptions(extras: ["x-amz-website-redirect-location": "/other"])
        options.attributes.contentType = "video/mp4"
        options.attributes.metadata = ["name": "火山", "plain": "a b+c"]
        options.attributes.storageClass = "STANDARD_IA"
        let stored = try await client.putObject(
            MemorySource(Array("hello".utf8)), at: location(), options: options)
        let info = try await client.headObject(location())
        #expect(info.etag == stored.etag)
        #expect(info.attributes.metadata == options.attributes.metadata)
        #expect(info.attributes.contentType == "video/mp4")
        #expect(fixture.object(Self.key)?.attributes.websiteRedirectLocation == "/other")

        let sink = MemorySink()
        let read = try await client.getObject(
            location(), range: ByteRange(offset: 1, length: 3), ifMatch: stored.etag, into: sink)
        #expect(String(decoding: sink.bytes, as: UTF8.self) == "ell")
        #expect(read.size == 5)
        let other = await failure {
            _ = try await client.getObject(location(), ifMatch: ETag("0123"), into: MemorySink())
        }
        #expect(other?.code == .preconditionFailed)

        _ = try await client.copyObject(location(), to: location("copy"))
        #expect(try await client.headObject(location("copy")).attributes.metadata["name"] == "火山")
        options.attributes.metadata = ["b": "ö"]
        _ = try await client.copyObject(location(), to: location("replaced"), options: options)
        #expect(try await client.headObject(location("replaced")).attributes.metadata == ["b": "ö"])

        try await client.deleteObject(location())
        let gone = await failure { _ = try await client.headObject(location()) }
        #expect(gone?.code == .notFound)
        #expect(gone?.provider == "s3")
    }

    @Test func `a bucket may have dots in its name`() async throws {
        let fixture = try await S3Fixture({ $0.buckets = ["my.films.2026", "dst-bucket"] })
        let source = location("a", in: "my.films.2026")
        let content = ObjectContent.generated(seed: 3, length: 2 * S3Fixture.partSize)
        _ = try await fixture.client.putObject(MemorySource(try #require(content.read())), at: source)
        _ = try await fixture.client.resumableCopyObject(
            from: source, to: location("b", in: "my.films.2026"), options: fixture.options())
        _ = try await fixture.client.copyObject(source, to: location("c"))
        #expect(fixture.object("b", in: "my.films.2026")?.content.firstDifference(from: content) == nil)
        #expect(fixture.object("c")?.content.firstDifference(from: content) == nil)
        let url = try await fixture.client.presignedURL(.get, for: source)
        #expect(try PlainHTTP.get(url.url).body == content.read())
        #expect(fixture.server.wireLog.entries.allSatisfy { $0.status == 200 })
    }

    @Test func `a bucket is made once`() async throws {
        let fixture = try await S3Fixture()
        try await fixture.client.createBucket("new-bucket")
        #expect(fixture.server.storage.bucketNames.contains("new-bucket"))
        let again = await failure { try await fixture.client.createBucket("src-bucket") }
        #expect(again == nil || again?.code == .conflict)
        let wrong = await failure { try await fixture.client.createBucket("No") }
        #expect(wrong?.field == "bucket")
    }

    @Test func `a file goes up, paused and resumed, and comes down, paused and resumed`() async throws {
        let fixture = try await S3Fixture()
        let source = try fixture.server.storage.putObject(
            Self.key, in: "src-bucket", .generated(seed: 3, length: Self.size))
        let path = fixture.directory.path + "/film"
        let hook = TransferCancelHook()
        let paused = await failure {
            _ = try await fixture.client.downloadFile(
                location(in: "src-bucket"), to: path, options: fixture.options(hook))
        }
        #expect(paused?.code == .paused)
        #expect(!FileManager.default.fileExists(atPath: path))
        let read = try await fixture.client.downloadFile(
            location(in: "src-bucket"), to: path, options: fixture.options())
        #expect(read.size == Self.size)

        let upload = TransferCancelHook()
        let halted = await failure {
            _ = try await fixture.client.uploadFile(path, to: location(), options: fixture.options(upload))
        }
        #expect(halted?.code == .paused)
        #expect(fixture.hasCheckpoint)
        let pending = try await fixture.client.pendingTransfers(in: FileCheckpointStore(path: fixture.checkpoint))
        #expect(pending.map(\.provider) == ["s3"])
        let stored = try await fixture.client.uploadFile(path, to: location(), options: fixture.options())
        #expect(stored.verification == .partETags)
        #expect(fixture.object(Self.key)?.content.firstDifference(from: source.content) == nil)
        let parts = fixture.server.storage.storedPartCounts["dst-bucket/" + Self.key] ?? [:]
        #expect(parts.values.allSatisfy { $0 == 1 })
        #expect(!fixture.hasCheckpoint)
    }

    /// What servers do beside the manual, each seen on one.
    private static let quirks: [(name: String, change: @Sendable (inout Quirks) -> Void)] = [
        ("as the manual says", { _ in }),
        ("tags without quotes in copy results", { $0.quotesETagInCopyResults = false }),
        ("no tag in the answer to Complete", { $0.namesETagOfCompleted = false }),
        ("Complete must list every part", { $0.completeMustListEveryPart = true }),
        ("conditions of part copies ignored", { $0.honoursCopyConditions = false }),
        (
            "parts in any order, and more of them",
            {
                $0.acceptsPartsOutOfOrder = true
                $0.maximumPartNumber = 20_000
            }
        ),
        ("checksum trailers refused", { $0.refusesChecksumTrailers = true }),
    ]

    @Test(arguments: quirks.indices)
    func `a copy is paused and resumed, whatever the server does beside the manual`(index: Int) async throws {
        let fixture = try await S3Fixture({ Self.quirks[index].change(&$0.quirks) })
        let source = try fixture.server.storage.putObject(Self.key, in: "src-bucket", .pretended(length: Self.size))
        let hook = TransferCancelHook()
        let paused = await failure {
            _ = try await fixture.client.resumableCopyObject(
                from: location(in: "src-bucket"), to: location(), options: fixture.options(hook))
        }
        #expect(paused?.code == .paused)
        let receipt = try await fixture.client.resumableCopyObject(
            from: location(in: "src-bucket"), to: location(), options: fixture.options())
        #expect(receipt.verification == .partETags)
        #expect(fixture.object(Self.key)?.content.firstDifference(from: source.content) == nil)
        // The source is looked at when a call begins, and once more before its copy is completed.
        let looks = fixture.server.wireLog.entries(of: .headObject).count { $0.request.bucket == "src-bucket" }
        #expect(looks == 3)
    }

    @Test func `a source that changes on the way is noticed where its server ignores the condition`() async throws {
        let fixture = try await S3Fixture({ $0.quirks.honoursCopyConditions = false })
        try fixture.server.storage.putObject(Self.key, in: "src-bucket", .pretended(length: Self.size))
        let held = fixture.server.faults.add(.on(.uploadPartCopy).part(2), .hold)
        let copy = try fixture.client.startResumableCopyObject(
            from: location(in: "src-bucket"), to: location(), options: fixture.options())
        try await held.waitUntilHeld(1)
        try fixture.server.storage.putObject(Self.key, in: "src-bucket", .generated(seed: 4, length: Self.size))
        held.release()
        let error = await failure { _ = try await copy.value }
        #expect(error?.code == .sourceChanged)
        #expect(fixture.object(Self.key) == nil)
    }

    @Test func `a source whose key would be decoded twice is encoded twice, or refused where it could be another`()
        async throws
    {
        let key = "films/a%2541.mov"
        let lookAlike = "films/a%41.mov"
        let fixture = try await S3Fixture({ $0.quirks.decodesCopySourceTwice = true })
        let source = try fixture.server.storage.putObject(key, in: "src-bucket", .pretended(length: Self.size))
        let absent = await failure {
            _ = try await fixture.client.resumableCopyObject(from: location(key, in: "src-bucket"), to: location())
        }
        #expect(absent?.code == .notFound)
        try fixture.server.storage.putObject(lookAlike, in: "src-bucket", .generated(seed: 5, length: Self.size))
        let refused = await failure {
            _ = try await fixture.client.resumableCopyObject(from: location(key, in: "src-bucket"), to: location())
        }
        #expect(refused?.code == .unsupported)
        #expect(refused?.field == "srcKey")
        #expect(fixture.object(Self.key) == nil)

        for twice in [true, false] {
            fixture.server.quirks.decodesCopySourceTwice = twice
            let client = try S3Fixture.client(of: fixture.server) { $0.decodesPartCopySourceTwice = twice }
            _ = try await client.resumableCopyObject(
                from: location(key, in: "src-bucket"), to: location("copy-\(twice)"), options: fixture.options())
            #expect(fixture.object("copy-\(twice)")?.content.firstDifference(from: source.content) == nil)
        }
    }

    @Test func `part 10,001 is refused here, whatever the server would take`() async throws {
        let fixture = try await S3Fixture({ $0.quirks.maximumPartNumber = 20_000 })
        try fixture.server.storage.putObject(
            Self.key, in: "src-bucket", .pretended(length: 10_000 * S3Fixture.partSize + 1))
        let error = await failure {
            _ = try await fixture.client.resumableCopyObject(
                from: location(in: "src-bucket"), to: location(), options: fixture.options())
        }
        #expect(error?.field == "partSize")
        #expect(fixture.server.wireLog.count(of: .createMultipartUpload) == 0)
    }

    @Test func `a backend of its own settles a Complete without a tag by the object, and by nothing less`() async throws
    {
        let fixture = try await S3Fixture({ $0.quirks.namesETagOfCompleted = false })
        let backend = S3Backend(fixture.client)
        let upload = try await backend.createMultipartUpload(at: location(), options: ObjectOptions())
        let source = MemorySource(Array("hello".utf8))
        let part = try await backend.uploadPart(1, of: upload, body: PartBody(source))
        fixture.server.faults.add(.on(.headObject).first(1), .status(404))
        let blind = await failure { _ = try await backend.completeMultipartUpload(upload, parts: [part]) }
        #expect(blind?.code == .outcomeUnknown)
        let other = try await backend.createMultipartUpload(at: location(), options: ObjectOptions())
        let again = try await backend.uploadPart(1, of: other, body: PartBody(source))
        let receipt = try await backend.completeMultipartUpload(other, parts: [again])
        #expect(receipt.etag == ETag.multipart([again]))
        #expect(receipt.size == 5)
    }

    @Test func `an upload that its server lists as a missing key is begun again`() async throws {
        let fixture = try await S3Fixture({ $0.quirks.listsMissingUploadAsKey = true })
        let path = fixture.directory.path + "/film"
        let bytes = Data(repeating: 7, count: Int(Self.size))
        try bytes.write(to: URL(filePath: path))
        let paused = await failure {
            _ = try await fixture.client.uploadFile(
                path, to: location(), options: fixture.options(TransferCancelHook()))
        }
        #expect(paused?.code == .paused)
        let pending = try await fixture.client.pendingTransfers(in: FileCheckpointStore(path: fixture.checkpoint))
        let upload = MultipartUpload(id: try #require(pending.first).uploadID, target: location())
        try await S3Backend(fixture.client).abortMultipartUpload(upload)
        let gone = await failure { _ = try await S3Backend(fixture.client).listParts(of: upload) }
        #expect(gone?.code == .uploadNotFound)
        let receipt = try await fixture.client.uploadFile(path, to: location(), options: fixture.options())
        #expect(receipt.verification == .partETags)
        #expect(receipt.uploadID != upload.id)
    }

    @Test func `a presigned URL`() async throws {
        let fixture = try await S3Fixture()
        try fixture.server.storage.putObject(Self.key, in: "dst-bucket", .text("hello"))
        let url = try await fixture.client.presignedURL(
            .get, for: location(), query: ["response-content-type": "text/plain"])
        let answer = try PlainHTTP.get(url.url)
        #expect(String(decoding: answer.body, as: UTF8.self) == "hello")
        #expect(!"\([url])".contains("http"))
        let tooLong = await failure { _ = try await fixture.client.presignedURL(.get, for: location(), lifetime: 0) }
        #expect(tooLong?.field == "lifetime")
    }

    @Test func `credentials that are wrong are told as that`() async throws {
        let fixture = try await S3Fixture()
        let wrong = try S3Fixture.client(of: fixture.server) {
            $0 = S3ClientConfiguration(
                endpoint: $0.endpoint, credential: S3Credential(accessKey: fixture.server.accessKey, secretKey: "no"))
        }
        let error = await failure { try await wrong.deleteObject(location()) }
        #expect(error?.code == .signatureMismatch)
        await wrong.shutdown()
        let disposed = await failure { try await wrong.deleteObject(location()) }
        #expect(disposed?.code == .disposed)
    }
}

/// Keeps what it is given.
private final class MemorySink: PartSink {
    private let box = LockBox<[UInt8]>([])
    var bytes: [UInt8] { box.withLock { $0 } }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws { box.withLock { $0 += bytes } }
}
