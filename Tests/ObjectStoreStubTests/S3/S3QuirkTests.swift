import ObjectStoreStub
import Testing
import TransferPrimitives

/// Each way in which services that speak S3 differ from its manual.
@Suite struct S3QuirkTests {
    private func upload(_ change: (inout Quirks) -> Void) async throws -> (S3Fixture, String) {
        var quirks = Quirks()
        change(&quirks)
        let s3 = try await S3Fixture { $0.quirks = quirks }
        try s3.server.storage.putObject("s", in: "src-bucket", .pretended(length: 5 << 20))
        return (s3, try s3.createUpload("/dst-bucket/k"))
    }

    @Test func thePathMayNotNameTheBucket() async throws {
        let s3 = try await S3Fixture { $0.quirks.refusesPathStyle = true }
        try s3.server.storage.putObject("a", in: "dst-bucket", .text("x"))
        let reply = try s3.send("GET", "/dst-bucket/a")
        #expect(reply.status == 403)
        #expect(try reply.element("Code") == "InvalidPathAccess")
        let client = try s3.stub.connect()
        try client.send(s3.stub.signer.request("GET", "/a", host: "dst-bucket.tos-s3-cn-beijing.volces.com"))
        #expect(try client.receive().text == "x")
        var tos = s3.stub
        tos.signer.wire = .tos
        #expect(try tos.send("GET", "/dst-bucket/a").status == 200)
    }

    @Test func copiesLeaveOutTheQuotesThatListsHave() async throws {
        let (s3, upload) = try await upload { $0.quotesETagInCopyResults = false }
        let etag = try s3.copyPart(1, of: upload).element("ETag")
        #expect(!etag.contains("\""))
        #expect(try s3.send("GET", "/dst-bucket/k", query: [("uploadId", upload)]).element("ETag") == "\"\(etag)\"")
        let copied = try s3.send("PUT", "/dst-bucket/c", headers: [("x-amz-copy-source", "/src-bucket/s")])
        #expect(try !copied.element("ETag").contains("\""))
    }

    @Test func completeNamesNoETag() async throws {
        let (s3, upload) = try await upload { $0.namesETagOfCompleted = false }
        let done = try s3.complete(upload, [(1, try s3.copyPart(1, of: upload).element("ETag"))])
        #expect(done.status == 200)
        #expect(done.text.contains("<ETag></ETag>"))
        #expect(s3.server.storage.object("k", in: "dst-bucket") != nil)
    }

    @Test func completeMustListEveryPart() async throws {
        let (s3, upload) = try await upload { $0.completeMustListEveryPart = true }
        let first = try s3.copyPart(1, of: upload).element("ETag")
        let second = try s3.copyPart(2, of: upload).element("ETag")
        let partial = try s3.complete(upload, [(1, first)])
        #expect(partial.status == 400)
        #expect(try partial.element("Code") == "InvalidPart")
        #expect(try s3.complete(upload, [(1, first), (2, second)]).status == 200)
    }

    @Test func conditionsOnTheSourceAreIgnored() async throws {
        let (s3, upload) = try await upload { $0.honoursCopyConditions = false }
        #expect(try s3.copyPart(1, of: upload, headers: [("x-amz-copy-source-if-match", "\"0\"")]).status == 200)
    }

    @Test func theCopySourceIsDecodedTwice() async throws {
        let (s3, upload) = try await upload { $0.decodesCopySourceTwice = true }
        try s3.server.storage.putObject("a%20b", in: "src-bucket", .text("four"))
        try s3.server.storage.putObject("a b", in: "src-bucket", .text("x"))
        #expect(try s3.copyPart(1, of: upload, from: "/src-bucket/a%2520b").status == 200)
        #expect(s3.server.storage.upload(upload)?.parts.first?.length == 1)
        s3.server.quirks.decodesCopySourceTwice = false
        #expect(try s3.copyPart(1, of: upload, from: "/src-bucket/a%2520b").status == 200)
        #expect(s3.server.storage.upload(upload)?.parts.first?.length == 4)
    }

    @Test func partsInAnyOrderAndMoreOfThem() async throws {
        let (s3, upload) = try await upload {
            $0.acceptsPartsOutOfOrder = true
            $0.maximumPartNumber = 20_000
        }
        let last = try s3.copyPart(10_001, of: upload).element("ETag")
        let first = try s3.copyPart(1, of: upload).element("ETag")
        #expect(try s3.complete(upload, [(10_001, last), (1, first)]).status == 200)
        s3.server.quirks = Quirks()
        let manual = try s3.createUpload("/dst-bucket/k")
        #expect(try s3.copyPart(10_001, of: manual).element("Code") == "InvalidArgument")
    }
}
