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

/// Spec section 4, each operation over both wires against one server.
@Suite struct TOSOperationsTests {
    private static let key = "films/a b+中文?#%.mov"

    private func fixture(
        _ wire: TOSWireFormat, _ changeServer: (inout StubConfiguration) -> Void = { _ in }
    ) async throws -> CopyFixture {
        try await CopyFixture(changeServer, client: { $0.wireFormat = wire })
    }

    private func read(_ client: TOSClient, _ input: TOSGetObjectInput) async throws -> ([UInt8], TOSGetObjectOutput) {
        let sink = CollectingSink()
        let output = try await client.getObject(input, into: sink)
        return (sink.bytes, output)
    }

    @Test(arguments: TOSWireFormat.allCases)
    func `an object with everything it may carry is stored, read and removed`(wire: TOSWireFormat) async throws {
        let fixture = try await fixture(wire)
        let key = EncryptionKey([UInt8](repeating: 7, count: 32))
        var put = TOSPutObjectInput(bucket: "dst-bucket", key: Self.key, content: MemorySource(Array("hello".utf8)))
        put.contentType = "video/mp4"
        put.cacheControl = "no-store"
        put.contentDisposition = "attachment; filename=\"片.mp4\""
        put.expires = Date(timeIntervalSince1970: 1_751_356_800)
        put.meta = ["name": "火山 引擎", "plain": "a b+c", "rate": "100%"]
        put.acl = .publicRead
        put.grantRead = "id=\"1\""
        put.storageClass = .ia
        put.tagging = ["a": "x y"]
        put.websiteRedirectLocation = "/other"
        put.ssecKey = key
        let stored = try await fixture.client.putObject(put)
        #expect(stored.statusCode == 200)
        #expect(stored.requestID?.isEmpty == false)
        #expect((stored.hashCrc64ecma != nil) == (wire == .native))

        var head = TOSHeadObjectInput(bucket: "dst-bucket", key: Self.key)
        head.ssecKey = key
        let info = try await fixture.client.headObject(head)
        #expect(info.contentLength == 5)
        #expect(info.contentType == "video/mp4")
        #expect(info.cacheControl == "no-store")
        #expect(info.contentDisposition == "attachment; filename=\"%E7%89%87.mp4\"")
        #expect(info.expires?.timeIntervalSince1970 == 1_751_356_800)
        #expect(info.meta == put.meta)
        #expect(info.storageClass == .ia)
        #expect(info.taggingCount == 1)
        #expect(info.eTag == stored.eTag)
        #expect(info.response.headers["content-type"] == "video/mp4")
        let attributes = try #require(fixture.server.storage.object(Self.key, in: "dst-bucket")).attributes
        #expect(attributes.acl == "public-read")
        #expect(attributes.websiteRedirectLocation == "/other")
        #expect(attributes.grants["grant-read"] == "id=\"1\"")

        var get = TOSGetObjectInput(
            bucket: "dst-bucket", key: Self.key, range: ByteRange(offset: 1, length: 3))
        get.ssecKey = key
        let (bytes, output) = try await read(fixture.client, get)
        #expect(String(decoding: bytes, as: UTF8.self) == "ell")
        #expect(output.object.size == 5)
        #expect(output.statusCode == 206)
        get.range = nil
        get.conditions.ifNoneMatch = stored.eTag
        let unchanged = await failure { [get] in _ = try await read(fixture.client, get) }
        #expect(unchanged?.code == .preconditionFailed)

        _ = try await fixture.client.deleteObject(TOSDeleteObjectInput(bucket: "dst-bucket", key: Self.key))
        let gone = await failure { [head] in _ = try await fixture.client.headObject(head) }
        #expect(gone?.code == .notFound)
        #expect(gone?.service?.requestID?.isEmpty == false)
    }

    @Test(arguments: TOSWireFormat.allCases)
    func `a copy by one request keeps or replaces what describes it`(wire: TOSWireFormat) async throws {
        let fixture = try await fixture(wire)
        var put = TOSPutObjectInput(bucket: "src-bucket", key: Self.key, content: MemorySource([1, 2, 3]))
        put.contentType = "video/mp4"
        put.meta = ["a": "ä"]
        put.tagging = ["t": "1"]
        _ = try await fixture.client.putObject(put)
        var copy = TOSCopyObjectInput(
            srcBucket: "src-bucket", srcKey: Self.key, bucket: "dst-bucket", key: "kept " + Self.key)
        let kept = try await fixture.client.copyObject(copy)
        #expect(kept.lastModified != nil)
        let described = try await fixture.client.headObject(TOSHeadObjectInput(bucket: "dst-bucket", key: copy.key))
        #expect(described.meta == ["a": "ä"])
        #expect(described.contentType == "video/mp4")

        copy.key = "replaced"
        copy.metadataDirective = .replace
        copy.meta = ["b": "ö"]
        copy.tagging = ["u": "2"]
        _ = try await fixture.client.copyObject(copy)
        let replaced = try await fixture.client.headObject(TOSHeadObjectInput(bucket: "dst-bucket", key: "replaced"))
        #expect(replaced.meta == ["b": "ö"])
        #expect(fixture.server.storage.object("replaced", in: "dst-bucket")?.attributes.tagging == "u=2")

        copy.copySourceIfMatch = "\"0123456789abcdef0123456789abcdef\""
        let changed = await failure { [copy] in _ = try await fixture.client.copyObject(copy) }
        #expect(changed?.code == .preconditionFailed)
    }

    @Test(arguments: TOSWireFormat.allCases)
    func `the three steps by hand, with every form of a part copy`(wire: TOSWireFormat) async throws {
        let fixture = try await fixture(wire) {
            $0.quirks.maximumPageLength = 2
            $0.quirks.minimumPartLength = 1
        }
        let client = fixture.client
        let bytes = (0..<100).map { UInt8($0) }
        _ = try await client.putObject(
            TOSPutObjectInput(bucket: "src-bucket", key: "s", content: MemorySource(bytes)))
        let created = try await client.createMultipartUpload(
            TOSCreateMultipartUploadInput(bucket: "dst-bucket", key: Self.key))
        func copied(_ number: Int, _ change: (inout TOSUploadPartCopyInput) -> Void) async throws -> TOSUploadedPart {
            var part = TOSUploadPartCopyInput(
                bucket: "dst-bucket", key: Self.key, uploadID: created.uploadID, partNumber: number,
                srcBucket: "src-bucket", srcKey: "s")
            change(&part)
            let output = try await client.uploadPartCopy(part)
            return TOSUploadedPart(partNumber: output.partNumber, eTag: output.eTag)
        }
        var parts = [
            try await copied(4) { $0.copySourceRange = ByteRange(offset: 10, length: 1) },
            try await copied(1) { _ in },
            try await copied(2) { $0.copySourceRangeStart = 90 },
            try await copied(3) { $0.copySourceRangeStart = 0 },
        ]
        let sent = try await client.uploadPart(
            TOSUploadPartInput(
                bucket: "dst-bucket", key: Self.key, uploadID: created.uploadID, partNumber: 5,
                content: MemorySource([255])))
        parts.append(TOSUploadedPart(partNumber: 5, eTag: sent.eTag))

        var list = TOSListPartsInput(bucket: "dst-bucket", key: Self.key, uploadID: created.uploadID)
        list.maxParts = 2
        var pages: [[Int]] = []
        for try await page in client.listPartsPages(list) { pages.append(page.parts.map(\.partNumber)) }
        #expect(pages == [[1, 2], [3, 4], [5]])
        let sizes = try await client.listPartsPages(list).reduce(into: []) { $0 += $1.parts.map(\.size) }
        #expect(sizes == [100, 10, 100, 1, 1])

        let completed = try await client.completeMultipartUpload(
            TOSCompleteMultipartUploadInput(
                bucket: "dst-bucket", key: Self.key, uploadID: created.uploadID, parts: parts))
        #expect(completed.location?.hasSuffix("films/a%20b%2B%E4%B8%AD%E6%96%87%3F%23%25.mov") == true)
        let (read, _) = try await read(client, TOSGetObjectInput(bucket: "dst-bucket", key: Self.key))
        #expect(read == bytes + bytes[90...] + bytes + [10, 255])
        let beyond = await failure { _ = try await copied(6) { $0.copySourceRangeStart = 100 } }
        #expect(beyond?.field == "copySourceRangeStart")
        let both = await failure {
            _ = try await copied(6) {
                $0.copySourceRangeStart = 1
                $0.copySourceRange = ByteRange(offset: 0, length: 1)
            }
        }
        #expect(both?.field == "copySourceRangeStart")
    }

    @Test func `an upload is completed with whatever parts there are`() async throws {
        let fixture = try await fixture(.native) { $0.quirks.minimumPartLength = 1 }
        let client = fixture.client
        let created = try await client.createMultipartUpload(
            TOSCreateMultipartUploadInput(bucket: "dst-bucket", key: "k"))
        for number in [3, 1] {
            _ = try await client.uploadPart(
                TOSUploadPartInput(
                    bucket: "dst-bucket", key: "k", uploadID: created.uploadID, partNumber: number,
                    content: MemorySource([UInt8(number)])))
        }
        var input = TOSCompleteMultipartUploadInput(
            bucket: "dst-bucket", key: "k", uploadID: created.uploadID, completeAll: true)
        let output = try await client.completeMultipartUpload(input)
        #expect(output.completedParts.map(\.partNumber) == [1, 3])
        #expect(try await read(client, TOSGetObjectInput(bucket: "dst-bucket", key: "k")).0 == [1, 3])
        input.parts = [TOSUploadedPart(partNumber: 1, eTag: "e")]
        let refusal = await failure { [input] in _ = try await client.completeMultipartUpload(input) }
        #expect(refusal?.field == "parts")
    }

    @Test(arguments: TOSWireFormat.allCases)
    func `uploads are listed page by page, and given up`(wire: TOSWireFormat) async throws {
        let fixture = try await fixture(wire)
        let client = fixture.client
        let keys = ["a b", "a+", "dir/1", "dir/2", "片", "片"]
        for key in keys {
            _ = try await client.createMultipartUpload(TOSCreateMultipartUploadInput(bucket: "dst-bucket", key: key))
        }
        var input = TOSListMultipartUploadsInput(bucket: "dst-bucket")
        input.maxUploads = 2
        var listed: [TOSListedUpload] = []
        var pages = 0
        for try await page in client.listMultipartUploadsPages(input) {
            listed += page.uploads
            pages += 1
        }
        #expect(pages == 3)
        #expect(listed.map(\.key) == keys)
        #expect(Set(listed.map(\.uploadID)).count == 6)
        #expect(listed.allSatisfy { $0.initiated != nil })
        input.delimiter = "/"
        input.maxUploads = 1000
        let grouped = try await client.listMultipartUploads(input)
        #expect(grouped.commonPrefixes == ["dir/"])
        #expect(grouped.uploads.map(\.key) == ["a b", "a+", "片", "片"])
        for upload in listed {
            _ = try await client.abortMultipartUpload(
                TOSAbortMultipartUploadInput(bucket: "dst-bucket", key: upload.key, uploadID: upload.uploadID))
        }
        #expect(fixture.server.storage.uploads.isEmpty)
        // A second time is no error.
        if let upload = listed.first {
            _ = try await client.abortMultipartUpload(
                TOSAbortMultipartUploadInput(bucket: "dst-bucket", key: upload.key, uploadID: upload.uploadID))
        }
    }

    @Test(arguments: TOSWireFormat.allCases)
    func `a presigned URL is good for what it was made for, and nothing else`(wire: TOSWireFormat) async throws {
        let account = StubAccount(accessKey: "STSKEY", secretKey: "secret", sessionToken: "t+/=")
        let fixture = try await fixture(wire) { $0.accounts = [account] }
        try fixture.server.storage.putObject(Self.key, in: "dst-bucket", .text("hello"))
        var input = TOSPreSignedURLInput(.get, bucket: "dst-bucket", key: Self.key)
        input.query = ["response-content-type": "text/plain"]
        let output = try await fixture.client.preSignedURL(input)
        let answer = try PlainHTTP.get(output.url)
        #expect(answer.head.hasPrefix("HTTP/1.1 200"), "\(answer.head)")
        #expect(answer.head.lowercased().contains("content-type: text/plain"))
        #expect(String(decoding: answer.body, as: UTF8.self) == "hello")
        #expect(!"\([output])".contains("http"))
        let changed = try PlainHTTP.get(output.url.replacing("text%2Fplain", with: "text%2Fhtml"))
        #expect(changed.head.hasPrefix("HTTP/1.1 403"))
        input.expires = 604_801
        let tooLong = await failure { [input] in _ = try await fixture.client.preSignedURL(input) }
        #expect(tooLong?.field == "expires")
        input.expires = 60
        input.query = [wire == .native ? "X-Tos-Date" : "X-Amz-Date": "x"]
        let ofSignature = await failure { [input] in _ = try await fixture.client.preSignedURL(input) }
        #expect(ofSignature?.field == "query")
        input.query = [:]
        input.headers = ["Host": "cdn.example.com"]
        let ofURL = await failure { [input] in _ = try await fixture.client.preSignedURL(input) }
        #expect(ofURL?.field == "headers")
    }

    @Test func `a custom domain stands for its bucket`() async throws {
        let fixture = try await CopyFixture({ $0.customDomains = ["127.0.0.1": "dst-bucket"] })
        let client = try CopyFixture.client(of: fixture.server) { $0.endpoint.isCustomDomain = true }
        _ = try await client.putObject(
            TOSPutObjectInput(bucket: "dst-bucket", key: "k", content: MemorySource([1, 2])))
        #expect(fixture.server.storage.object("k", in: "dst-bucket")?.length == 2)
        #expect(fixture.server.wireLog.entries.last?.request.target.hasPrefix("/k") == true)
        let copy = TOSResumableCopyObjectInput(srcBucket: "src-bucket", srcKey: "s", bucket: "dst-bucket", key: "c")
        let refusal = await failure { _ = try await client.resumableCopyObject(copy) }
        #expect(refusal?.field == "srcBucket")
    }

    @Test func `reading without credentials`() async throws {
        let fixture = try await CopyFixture()
        let client = try CopyFixture.client(of: fixture.server) { configuration in
            configuration = TOSClientConfiguration(endpoint: configuration.endpoint, credential: .anonymous)
        }
        var put = TOSPutObjectInput(bucket: "dst-bucket", key: "open", content: MemorySource(Array("hi".utf8)))
        put.acl = .publicRead
        _ = try await fixture.client.putObject(put)
        _ = try await fixture.client.putObject(
            TOSPutObjectInput(bucket: "dst-bucket", key: "closed", content: MemorySource([1])))
        let (bytes, _) = try await read(client, TOSGetObjectInput(bucket: "dst-bucket", key: "open"))
        #expect(String(decoding: bytes, as: UTF8.self) == "hi")
        #expect(fixture.server.wireLog.entries.last?.header("authorization") == nil)
        let closed = TOSGetObjectInput(bucket: "dst-bucket", key: "closed")
        let denied = await failure { _ = try await read(client, closed) }
        #expect(denied?.code == .accessDenied)
        let presigned = await failure { _ = try await client.preSignedURL(.init(.get, bucket: "dst-bucket", key: "k")) }
        #expect(presigned?.code == .credentialsUnavailable)
    }
}

/// Keeps what it is given.
private final class CollectingSink: PartSink {
    private let box = LockBox<[UInt8]>([])
    var bytes: [UInt8] { box.withLock { $0 } }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws {
        box.withLock { $0 += bytes }
    }
}
