import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import Testing

/// Spec sections 6.1, 6.3, 6.6, 6.9 and 6.10: a copy that goes well.
@Suite struct ResumableCopyTests {
    @Test func `the requests, events and result of a copy in parts`() async throws {
        let fixture = try await CopyFixture()
        let events = EventLog()
        let output = try await fixture.client.resumableCopyObject(fixture.input(events))

        #expect(
            fixture.operations == [
                "HeadObject", "CreateMultipartUpload", "UploadPartCopy", "UploadPartCopy", "UploadPartCopy",
                "UploadPartCopy", "CompleteMultipartUpload",
            ])
        #expect(
            fixture.server.wireLog.entries(of: .uploadPartCopy).map(\.request.range) == [
                "bytes=0-5242879", "bytes=5242880-10485759", "bytes=10485760-15728639", "bytes=15728640-15728656",
            ])
        for part in fixture.server.wireLog.entries(of: .uploadPartCopy) {
            #expect(part.header("x-tos-copy-source-if-match") == "\"\(fixture.source.etag)\"")
            #expect(part.header("x-tos-copy-source") == "/src-bucket/films/a%20b.mov")
            #expect(part.header("content-length") == "0")
        }
        #expect(fixture.isCopied)

        #expect(events.types == [1, 3, 3, 3, 3, 6])
        for event in events.all {
            #expect(event.bucket == "dst-bucket" && event.key == "copied/a" && event.uploadID == output.uploadID)
            #expect(event.srcBucket == "src-bucket" && event.srcKey == "films/a b.mov" && event.srcVersionID == nil)
            #expect(event.checkpointFile == fixture.checkpoint)
            #expect(event.error == nil)
        }
        let parts = events.all.compactMap(\.copyPartInfo)
        #expect(parts.map(\.partNumber) == [1, 2, 3, 4])
        #expect(parts.map(\.copySourceRangeStart) == [0, 5_242_880, 10_485_760, 15_728_640])
        #expect(parts.map(\.copySourceRangeEnd) == [5_242_879, 10_485_759, 15_728_639, 15_728_656])
        #expect(parts.allSatisfy { $0.eTag?.isEmpty == false })

        #expect(output.bucket == "dst-bucket" && output.key == "copied/a")
        #expect(output.eTag == fixture.target.map { "\"\($0.etag)\"" })
        #expect(output.hashCrc64ecma == fixture.source.crc64)
        #expect(output.verification == .crc64)
        #expect(output.location?.hasSuffix("/dst-bucket/copied/a") == true)
        #expect(output.statusCode == 200)
        #expect(output.requestID == fixture.server.wireLog.entries.last?.requestID)
        #expect(!fixture.hasCheckpoint)
        #expect(fixture.server.storage.uploads.isEmpty)
    }

    @Test(arguments: [
        0, 1, CopyFixture.partSize - 1, CopyFixture.partSize, CopyFixture.partSize + 1, 2 * CopyFixture.partSize,
        2 * CopyFixture.partSize + 1, 3 * CopyFixture.partSize - 1,
    ])
    func `every size tiles exactly`(size: Int) async throws {
        let fixture = try await CopyFixture(size: UInt64(size))
        let events = EventLog()
        let output = try await fixture.client.resumableCopyObject(fixture.input(events))
        let parts = max(1, (size + CopyFixture.partSize - 1) / CopyFixture.partSize)
        #expect(fixture.isCopied)
        #expect(output.hashCrc64ecma == fixture.source.crc64)
        #expect(events.types == [1] + Array(repeating: 3, count: parts) + [6])
        let ranges = fixture.server.wireLog.entries(of: .uploadPartCopy).map(\.request.range)
        #expect(ranges.count == (size == 0 ? 0 : parts))
        if size > 0 { #expect(ranges.last??.hasSuffix("-\(size - 1)") == true) }
        if size == 0 {
            #expect(fixture.server.wireLog.count(of: .uploadPart) == 1)
            #expect(events.all.compactMap(\.copyPartInfo).first?.copySourceRangeEnd == -1)
        }
        #expect(!fixture.hasCheckpoint)
    }

    @Test func `parts are copied several at a time, and no more than asked for`() async throws {
        let fixture = try await CopyFixture(size: 12 * UInt64(CopyFixture.partSize))
        let held = fixture.server.faults.add(.on(.uploadPartCopy), .hold)
        var input = fixture.input()
        input.taskNum = 4
        let copy = try fixture.client.startResumableCopyObject(input)
        try await held.waitUntilHeld(4)
        #expect(fixture.server.wireLog.count(of: .uploadPartCopy) == 4)
        held.release(1)
        try await held.waitUntilHeld(5)
        #expect(held.heldCount == 4)
        held.release()
        _ = try await copy.value
        #expect(fixture.isCopied)
    }

    @Test func `one part more than ten thousand is refused before anything is created`() async throws {
        let fixture = try await CopyFixture(size: 10_000 * UInt64(CopyFixture.partSize) + 1)
        let error = await failure { _ = try await fixture.client.resumableCopyObject(fixture.input()) }
        #expect(error?.field == "partSize")
        #expect(fixture.operations == ["HeadObject"])
    }

    @Test func `without a part size the default grows as far as it must`() async throws {
        // 10,000 parts of 20 MiB are not enough.
        let fixture = try await CopyFixture(size: 10_000 * (20 << 20) + 1)
        fixture.server.faults.add(.on(.uploadPartCopy), .status(403))
        var input = fixture.input()
        input.partSize = 0
        let copy = try fixture.client.startResumableCopyObject(input)
        var raised: UInt64?
        for await event in copy.events {
            if case .partSizeRaised(_, let size) = event { raised = size }
        }
        #expect(raised == 21 << 20)
        _ = await failure { _ = try await copy.value }
    }

    // MARK: What the copy carries

    private func describedFixture() async throws -> CopyFixture {
        let fixture = try await CopyFixture()
        try fixture.server.storage.updateObject(fixture.source.key, in: "src-bucket") { object in
            object.attributes.contentType = "video/mp4"
            object.attributes.cacheControl = "no-store"
            object.attributes.contentDisposition = "attachment; filename=\"%E7%89%87.mp4\""
            object.attributes.contentLanguage = "zh"
            object.attributes.expires = "Wed, 02 Jul 2025 08:00:00 GMT"
            object.attributes.metadata = ["title": "%E7%81%AB", "note": "a%20b"]
            object.attributes.tagging = "k=v%201&l="
            object.attributes.acl = "public-read"
        }
        return fixture
    }

    @Test func `metadata is carried over as a copy by one request does`() async throws {
        let fixture = try await describedFixture()
        _ = try await fixture.client.resumableCopyObject(fixture.input())
        let attributes = try #require(fixture.target?.attributes)
        #expect(attributes.contentType == "video/mp4")
        #expect(attributes.cacheControl == "no-store")
        #expect(attributes.contentDisposition == "attachment; filename=\"%E7%89%87.mp4\"")
        #expect(attributes.contentLanguage == "zh")
        #expect(attributes.expires == "Wed, 02 Jul 2025 08:00:00 GMT")
        #expect(attributes.metadata == ["title": "%E7%81%AB", "note": "a%20b"])
        // Access is the target's own affair, and tags cost a request that the caller did not allow.
        #expect(attributes.acl == nil)
        #expect(attributes.tagging == nil)
    }

    @Test func `what the caller gives counts before the source's`() async throws {
        let fixture = try await describedFixture()
        var input = fixture.input()
        input.contentType = "video/quicktime"
        input.meta = ["own": "1"]
        input.acl = .default
        input.storageClass = .ia
        _ = try await fixture.client.resumableCopyObject(input)
        let attributes = try #require(fixture.target?.attributes)
        #expect(attributes.contentType == "video/quicktime")
        #expect(attributes.cacheControl == "no-store")
        #expect(attributes.metadata == ["own": "1"])
        #expect(attributes.acl == "default")
        #expect(attributes.storageClass == "IA")
    }

    @Test func `nothing is carried over when the caller says so`() async throws {
        let fixture = try await describedFixture()
        var input = fixture.input()
        input.carriesMetadata = false
        _ = try await fixture.client.resumableCopyObject(input)
        let attributes = try #require(fixture.target?.attributes)
        #expect(attributes.cacheControl == nil)
        #expect(attributes.metadata.isEmpty)
    }

    @Test func `tags are carried over when the caller allows the request, else an event tells`() async throws {
        let fixture = try await describedFixture()
        let without = try fixture.client.startResumableCopyObject(fixture.input())
        var left: Int?
        for await event in without.events {
            if case .tagsNotCarried(let count) = event { left = count }
        }
        _ = try await without.value
        #expect(left == 2)
        #expect(fixture.server.wireLog.count(of: .getObjectTagging) == 0)

        var input = fixture.input()
        input.carriesTags = true
        _ = try await fixture.client.resumableCopyObject(input)
        #expect(fixture.target?.attributes.tagging == "k=v%201&l=")
        #expect(fixture.server.wireLog.count(of: .getObjectTagging) == 1)
    }

    @Test func `tags that may not be read are left with an event`() async throws {
        let fixture = try await describedFixture()
        fixture.server.faults.add(.on(.getObjectTagging), .status(403))
        var input = fixture.input()
        input.carriesTags = true
        let copy = try fixture.client.startResumableCopyObject(input)
        var left: Int?
        for await event in copy.events {
            if case .tagsNotCarried(let count) = event { left = count }
        }
        _ = try await copy.value
        #expect(left == 2)
        #expect(fixture.isCopied)
    }

    // MARK: Which source

    @Test(arguments: [
        "a/b c.txt", "foo++bar", "100%.txt", "x#y?z&w=1", "中文/键", ".", "..", "dir/", "a//b", "/lead", "\u{7}bell",
        "e\u{301}", "\u{1F3AC}", "a&uploads", "a;b,c:d@e=$!'()*~", String(repeating: "k", count: 1024),
    ])
    func `odd keys are copied byte for byte`(key: String) async throws {
        let fixture = try await CopyFixture(size: 100, sourceKey: key)
        var input = fixture.input()
        input.key = key
        _ = try await fixture.client.resumableCopyObject(input)
        #expect(fixture.server.storage.object(key, in: "dst-bucket")?.content.crc64 == fixture.source.content.crc64)
        #expect(fixture.server.storage.keys(in: "dst-bucket").map { Array($0.utf8) } == [Array(key.utf8)])
    }

    @Test func `one version of several`() async throws {
        let fixture = try await CopyFixture()
        fixture.server.storage.createBucket("versions", keepsVersions: true)
        let old = try fixture.server.storage.putObject("k", in: "versions", .pretended(length: 6 << 20, seed: 1))
        try fixture.server.storage.putObject("k", in: "versions", .pretended(length: 6 << 20, seed: 2))
        var input = fixture.input()
        input.srcBucket = "versions"
        input.srcKey = "k"
        input.srcVersionID = old.versionID
        let output = try await fixture.client.resumableCopyObject(input)
        #expect(output.hashCrc64ecma == old.crc64)
        #expect(fixture.target?.content.firstDifference(from: old.content) == nil)
    }

    @Test func `an object of the same bucket, and onto itself`() async throws {
        let fixture = try await CopyFixture()
        var input = fixture.input()
        input.bucket = "src-bucket"
        input.key = "other"
        _ = try await fixture.client.resumableCopyObject(input)
        #expect(fixture.server.storage.object("other", in: "src-bucket")?.length == fixture.source.length)
        input.key = input.srcKey
        input.storageClass = .ia
        _ = try await fixture.client.resumableCopyObject(input)
        let same = try #require(fixture.server.storage.object(input.srcKey, in: "src-bucket"))
        #expect(same.attributes.storageClass == "IA")
        #expect(same.content.firstDifference(from: fixture.source.content) == nil)
    }

    @Test func `encrypted with keys of the caller's own, another for the source`() async throws {
        let fixture = try await CopyFixture()
        let sourceKey = EncryptionKey([UInt8](repeating: 1, count: 32))
        var put = TOSPutObjectInput(
            bucket: "src-bucket", key: "secret", content: MemorySource([UInt8](repeating: 9, count: 6 << 20)))
        put.ssecKey = sourceKey
        _ = try await fixture.client.putObject(put)
        var input = fixture.input()
        input.srcKey = "secret"
        input.copySourceSSECKey = sourceKey
        input.ssecKey = EncryptionKey([UInt8](repeating: 2, count: 32))
        let output = try await fixture.client.resumableCopyObject(input)
        #expect(output.ssecAlgorithm == "AES256")
        #expect(output.ssecKeyMD5 != nil)
        #expect(fixture.target?.customerKeyMD5 == output.ssecKeyMD5)
        #expect(output.verification == .crc64)
    }

    @Test func `a link is copied by one request`() async throws {
        let fixture = try await CopyFixture()
        try fixture.server.storage.updateObject(fixture.source.key, in: "src-bucket") { $0.kind = .symlink }
        let events = EventLog()
        let output = try await fixture.client.resumableCopyObject(fixture.input(events))
        #expect(output.uploadID == nil)
        #expect(fixture.server.wireLog.count(of: .copyObject) == 1)
        #expect(fixture.server.wireLog.count(of: .createMultipartUpload) == 0)
        #expect(!fixture.hasCheckpoint)
    }

    @Test func `a condition that does not hold ends the call before anything is created`() async throws {
        let fixture = try await CopyFixture()
        let events = EventLog()
        var input = fixture.input(events)
        input.copySourceIfMatch = "\"another\""
        let error = await failure { _ = try await fixture.client.resumableCopyObject(input) }
        #expect(error?.code == .preconditionFailed)
        input.copySourceIfMatch = nil
        input.copySourceIfNoneMatch = "\"\(fixture.source.etag)\""
        let second = await failure { _ = try await fixture.client.resumableCopyObject(input) }
        #expect(second?.code == .preconditionFailed)
        #expect(fixture.operations == ["HeadObject", "HeadObject"])
        #expect(events.types.isEmpty)
    }

    @Test func `a service without checksums is believed as far as the ETags of the parts go`() async throws {
        let fixture = try await CopyFixture { $0.quirks.reportsChecksums = false }
        let output = try await fixture.client.resumableCopyObject(fixture.input())
        #expect(output.hashCrc64ecma == nil)
        #expect(output.verification != .crc64)
        #expect(fixture.isCopied)
    }

    @Test func `wrapped errors, unquoted tags and another page length make no difference`() async throws {
        let fixture = try await CopyFixture {
            $0.quirks.wrapsErrors = true
            $0.quirks.quotesETagInCopyResults = false
            $0.quirks.quotesETagElsewhere = false
            $0.quirks.maximumPageLength = 1
        }
        fixture.server.faults.add(.on(.uploadPartCopy).part(2).first(1), .status(500))
        _ = try await fixture.client.resumableCopyObject(fixture.input())
        #expect(fixture.isCopied)
    }
}
