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

/// Every operation of the client, in both signatures, against a server that checks them.
@Suite struct OSSOperationsTests {
    private final class Collector: PartSink {
        let box = LockBox<[UInt8]>([])
        var bytes: [UInt8] { box.withLock { $0 } }
        func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) { box.withLock { $0 += Array(bytes) } }
    }

    private static let key = "films/a b+c%ü/中文 🎬.mp4"

    @Test(arguments: OSSSignatureVersion.allCases, [OSSAddressing.path, .virtual])
    func anObjectsLife(_ signature: OSSSignatureVersion, _ addressing: OSSAddressing) async throws {
        let fixture = try await OSSFixture(client: {
            $0.signature = signature
            $0.addressing = addressing
            // A name under which buckets can be addressed as part of the host, and which is this machine.
            if addressing == .virtual {
                $0.endpoint.url = $0.endpoint.url.replacing("127.0.0.1", with: "localhost")
                $0.transport.resolver = LoopbackResolver()
            }
        })
        let client = fixture.client
        let bytes = VODFixture.bytes(100_000)
        var put = OSSPutObjectInput(bucket: OSSFixture.bucket, key: Self.key, content: MemorySource(bytes))
        put.contentType = "video/mp4"
        put.metadata = ["title": "Ferien – 假期", "plain": "x"]
        put.storageClass = .ia
        put.tagging = ["a": "1", "b c": "ä"]
        let stored = try await client.putObject(put)
        #expect(stored.hashCrc64ecma == fixture.object(Self.key)?.crc64)
        #expect(fixture.object(Self.key)?.content.read() == bytes)

        let head = try await client.headObject(OSSHeadObjectInput(bucket: OSSFixture.bucket, key: Self.key))
        #expect(head.contentLength == 100_000)
        #expect(head.eTag == stored.eTag)
        #expect(head.contentType == "video/mp4")
        #expect(head.metadata == ["title": "Ferien – 假期", "plain": "x"])
        #expect(head.storageClass == .ia)
        #expect(head.taggingCount == 2)

        let whole = Collector()
        _ = try await client.getObject(OSSGetObjectInput(bucket: OSSFixture.bucket, key: Self.key), into: whole)
        #expect(whole.bytes == bytes)
        let middle = Collector()
        _ = try await client.getObject(
            OSSGetObjectInput(
                bucket: OSSFixture.bucket, key: Self.key, range: ByteRange(offset: 1000, length: 500)), into: middle)
        #expect(middle.bytes == Array(bytes[1000..<1500]))

        var copy = OSSCopyObjectInput(
            srcBucket: OSSFixture.bucket, srcKey: Self.key, bucket: "archive", key: "copy of a")
        copy.copySourceIfMatch = stored.eTag
        let copied = try await client.copyObject(copy)
        #expect(copied.eTag == stored.eTag)
        #expect(fixture.server.storage.object("copy of a", in: "archive")?.content.read() == bytes)

        _ = try await client.deleteObject(OSSDeleteObjectInput(bucket: OSSFixture.bucket, key: Self.key))
        let error = await failure {
            _ = try await client.headObject(OSSHeadObjectInput(bucket: OSSFixture.bucket, key: Self.key))
        }
        #expect(error?.code == .notFound)
        // A HEAD has no body; code and EC come by header.
        #expect(error?.service?.code == "NoSuchKey")
        #expect(error?.service?.requestID != nil)
    }

    @Test(arguments: OSSSignatureVersion.allCases) func multipartByHand(_ signature: OSSSignatureVersion) async throws {
        let fixture = try await OSSFixture(client: { $0.signature = signature })
        let client = fixture.client
        let bytes = VODFixture.bytes(250_000)
        try fixture.server.storage.putObject("source", in: "archive", .bytes(bytes))
        let upload = try await client.initiateMultipartUpload(
            OSSInitiateMultipartUploadInput(bucket: OSSFixture.bucket, key: Self.key))
        let id = upload.uploadID
        let first = try await client.uploadPart(
            OSSUploadPartInput(
                bucket: OSSFixture.bucket, key: Self.key, uploadID: id, partNumber: 1,
                content: MemorySource(Array(bytes[..<120_000]))))
        var second = OSSUploadPartCopyInput(
            bucket: OSSFixture.bucket, key: Self.key, uploadID: id, partNumber: 2, srcBucket: "archive",
            srcKey: "source")
        second.copySourceRange = ByteRange(offset: 120_000, length: 130_000)
        _ = try await client.uploadPartCopy(second)
        let listed = try await client.listAllParts(bucket: OSSFixture.bucket, key: Self.key, uploadID: id)
        #expect(listed.map(\.partNumber) == [1, 2])
        #expect(listed.map(\.size) == [120_000, 130_000])
        #expect(listed.first?.eTag == first.eTag)
        let uploads = try await client.listMultipartUploads(OSSListMultipartUploadsInput(bucket: OSSFixture.bucket))
        #expect(uploads.uploads.map(\.key) == [Self.key])
        #expect(uploads.uploads.map(\.uploadID) == [id])
        let object = try await client.completeMultipartUpload(
            OSSCompleteMultipartUploadInput(bucket: OSSFixture.bucket, key: Self.key, uploadID: id, parts: listed))
        #expect(object.hashCrc64ecma == fixture.object(Self.key)?.crc64)
        #expect(fixture.object(Self.key)?.content.read() == bytes)

        let other = try await client.initiateMultipartUpload(
            OSSInitiateMultipartUploadInput(bucket: OSSFixture.bucket, key: "other"))
        _ = try await client.abortMultipartUpload(
            OSSAbortMultipartUploadInput(bucket: OSSFixture.bucket, key: "other", uploadID: other.uploadID))
        #expect(fixture.server.storage.uploads.isEmpty)
    }

    @Test(arguments: OSSSignatureVersion.allCases) func pages(_ signature: OSSSignatureVersion) async throws {
        let fixture = try await OSSFixture(client: { $0.signature = signature })
        for number in 1...5 {
            _ = try await fixture.client.initiateMultipartUpload(
                OSSInitiateMultipartUploadInput(bucket: OSSFixture.bucket, key: "k/\(number)&<>\n"))
        }
        var input = OSSListMultipartUploadsInput(bucket: OSSFixture.bucket)
        input.maxUploads = 2
        input.prefix = "k/"
        var keys: [String] = []
        repeat {
            let page = try await fixture.client.listMultipartUploads(input)
            #expect(page.uploads.count <= 2)
            keys += page.uploads.map(\.key)
            input.marker = page.nextMarker
        } while input.marker != nil && keys.count < 100
        #expect(keys == (1...5).map { "k/\($0)&<>\n" })
    }

    @Test(arguments: OSSSignatureVersion.allCases)
    func presignedURLs(_ signature: OSSSignatureVersion) async throws {
        let fixture = try await OSSFixture(
            { $0.accounts = [StubAccount(accessKey: "STS.K", secretKey: "s", sessionToken: "t+/=")] },
            client: { $0.signature = signature })
        try fixture.server.storage.putObject(Self.key, in: OSSFixture.bucket, .text("hello"))
        var input = OSSPresignInput(.get, bucket: OSSFixture.bucket, key: Self.key)
        input.overrides.contentType = "text/plain; charset=utf-8"
        let output = try await fixture.client.presign(input)
        let answer = try PlainHTTP.get(output.url)
        #expect(answer.head.hasPrefix("HTTP/1.1 200"), "\(answer.head)")
        #expect(answer.head.lowercased().contains("content-type: text/plain; charset=utf-8"))
        #expect(String(decoding: answer.body, as: UTF8.self) == "hello")
        let changed = try PlainHTTP.get(output.url.replacing("text%2Fplain", with: "text%2Fhtml"))
        #expect(changed.head.hasPrefix("HTTP/1.1 403"))
    }

    @Test func attributesReachTheObject() async throws {
        let fixture = try await OSSFixture()
        var put = OSSPutObjectInput(bucket: OSSFixture.bucket, key: "k", content: MemorySource([1]))
        put.acl = .publicRead
        put.cacheControl = "no-cache"
        put.contentDisposition = "attachment; filename=ü.txt"
        put.serverSideEncryption = "KMS"
        put.serverSideEncryptionKeyID = "key-1"
        _ = try await fixture.client.putObject(put)
        let attributes = try #require(fixture.object("k")).attributes
        #expect(attributes.acl == "public-read")
        #expect(attributes.cacheControl == "no-cache")
        #expect(attributes.contentDisposition == "attachment; filename=%C3%BC.txt")
        #expect(attributes.serverSideEncryption == "KMS")
        #expect(attributes.encryptionKeyID == "key-1")
        put.forbidOverwrite = true
        let error = await failure { [put] in _ = try await fixture.client.putObject(put) }
        #expect(error?.service?.code == "FileAlreadyExists")
    }

    @Test(arguments: OSSSignatureVersion.allCases)
    func aWrongSecretIsNamedAndNotShown(_ signature: OSSSignatureVersion) async throws {
        let fixture = try await OSSFixture()
        let server = fixture.server
        var configuration = OSSClientConfiguration(
            endpoint: OSSEndpoint(url: server.endpoint, region: "cn-shanghai"),
            credential: OSSCredential(accessKey: server.accessKey, secretKey: "NotTheSecret000"))
        configuration.signature = signature
        configuration.transport.proxy = .none
        let client = try OSSClient(configuration: configuration)
        let error = await failure {
            _ = try await client.putObject(
                OSSPutObjectInput(bucket: OSSFixture.bucket, key: "k", content: MemorySource([1])))
        }
        #expect(error?.code == .signatureMismatch)
        #expect(!String(reflecting: error).contains("NotTheSecret000"))
        #expect(server.wireLog.entries.count == 1)
    }

    @Test(arguments: OSSSignatureVersion.allCases)
    func aClockThatIsWrongIsPutRight(_ signature: OSSSignatureVersion) async throws {
        let server = ShiftedClock(by: 3600)
        let fixture = try await OSSFixture({ $0.clock = server }, client: { $0.signature = signature })
        _ = try await fixture.client.putObject(
            OSSPutObjectInput(bucket: OSSFixture.bucket, key: "k", content: MemorySource([1])))
        _ = try await fixture.client.headObject(OSSHeadObjectInput(bucket: OSSFixture.bucket, key: "k"))
        // Once refused, then right for good.
        #expect(fixture.server.wireLog.entries.compactMap(\.status) == [403, 200, 200])
    }
}

/// Takes every name for this machine.
private struct LoopbackResolver: HostResolver {
    func addresses(of host: String) async throws -> [String] { ["127.0.0.1"] }
}
