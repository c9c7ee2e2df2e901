import ObjectStoreStub
import Testing
import TransferPrimitives

/// Refusals as documents and headers, and what faults and quirks make of them.
@Suite struct OSSFaultTests {
    @Test func aRefusalIsADocument() async throws {
        let stub = try await OSSFixture()
        let reply = try stub.send("GET", "video/a.mp4")
        let id = try #require(reply.headers["x-oss-request-id"])
        #expect(reply.status == 404)
        #expect(reply.headers["content-type"] == "application/xml")
        #expect(reply.headers["x-oss-ec"] == "0026-00000001")
        #expect(
            reply.text == """
                <?xml version="1.0" encoding="UTF-8"?>
                <Error>
                  <Code>NoSuchKey</Code>
                  <Message>The specified key does not exist.</Message>
                  <RequestId>\(id)</RequestId>
                  <HostId>\(stub.host)</HostId>
                  <Key>video/a.mp4</Key>
                  <EC>0026-00000001</EC>
                  <RecommendDoc>https://api.aliyun.com/troubleshoot?q=0026-00000001</RecommendDoc>
                </Error>

                """)
        #expect(stub.server.wireLog.entries.first?.code == "NoSuchKey")
        let bucket = try stub.send("GET", "a", in: "no-bucket")
        #expect(try bucket.element("BucketName") == "no-bucket")
    }

    @Test func theRefusalOfAHeadIsInItsHeaders() async throws {
        let stub = try await OSSFixture()
        let reply = try stub.send("HEAD", "video/a.mp4")
        #expect(reply.status == 404)
        #expect(reply.headers["content-length"] == "0")
        #expect(reply.headers["x-oss-ec"] == "0026-00000001")
        let bytes = try #require(reply.headers["x-oss-err"].flatMap { Base64.decode($0) })
        // The worked value of the wire notes, 4.1, with the id and host of this request.
        #expect(
            String(decoding: bytes, as: UTF8.self) == """
                <?xml version="1.0" encoding="UTF-8"?>
                <Error>
                  <Code>NoSuchKey</Code>
                  <Message>The specified key does not exist.</Message>
                  <RequestId>\(reply.headers["x-oss-request-id"] ?? "")</RequestId>
                  <HostId>\(stub.host)</HostId>
                  <Key>video/a.mp4</Key>
                  <EC>0026-00000001</EC>
                </Error>

                """)
    }

    @Test func otherFormsOfDocuments() async throws {
        let stub = try await OSSFixture()
        stub.server.quirks.wrapsErrors = true
        let reply = try stub.send("GET", "none")
        #expect(reply.headers["content-type"] == "application/json")
        #expect(reply.text.hasPrefix(#"{"Error":{"Code":"NoSuchKey","Message":"#))
        stub.server.quirks.namesXMLNamespace = true
        let created = try stub.send("POST", "k", query: [("uploads", "")])
        #expect(
            created.text.contains(
                #"<InitiateMultipartUploadResult xmlns="http://doc.oss-cn-hangzhou.aliyuncs.com">"#))
    }

    @Test func anErrorBehindStatus200() async throws {
        let stub = try await OSSFixture()
        let upload = try stub.createUpload("k")
        let etag = try stub.uploadPart(1, of: upload, "k", [1])
        stub.server.faults.add(.on(.completeMultipartUpload, .copyObject).first(2), .lateError())
        let completed = try stub.complete(upload, "k", [(1, etag)])
        #expect(completed.status == 200)
        #expect(try completed.element("Code") == "InternalError")
        try stub.server.storage.putObject("s", in: "src-bucket", .text("x"))
        let source = [("x-oss-copy-source", "/src-bucket/s")]
        #expect(try stub.send("PUT", "c", headers: source).element("Code") == "InternalError")
        #expect(stub.server.storage.keys(in: "dst-bucket").isEmpty)
        #expect(try stub.complete(upload, "k", [(1, etag)]).status == 200)
    }

    @Test func aCallbackThatFailsLeavesTheObject() async throws {
        let stub = try await OSSFixture()
        let upload = try stub.createUpload("k")
        let etag = try stub.uploadPart(1, of: upload, "k", [1])
        stub.server.faults.add(.on(.completeMultipartUpload, .putObject).first(3), .failedCallback())
        let completed = try stub.complete(upload, "k", [(1, etag)])
        #expect(completed.status == 203)
        #expect(try completed.element("Code") == "CallbackFailed")
        #expect(completed.headers["x-oss-hash-crc64ecma"] != nil)
        #expect(completed.headers["content-type"] == "application/xml")
        let put = try stub.send("PUT", "p", body: [1])
        #expect(put.status == 203)
        #expect(put.headers["etag"] == "\"\(Hex.encode(Digest.md5([1])).uppercased())\"")
        #expect(stub.server.storage.keys(in: "dst-bucket") == ["k", "p"])
        // What fails before anything is stored fails as ever.
        #expect(try stub.complete(upload, "k", [(1, etag)]).element("Code") == "NoSuchUpload")
    }

    @Test func answersThatLie() async throws {
        let stub = try await OSSFixture()
        let faults = stub.server.faults
        faults.add(.on(.putObject).nth(1), .crc64(nil))
        faults.add(.on(.putObject).nth(2), .crc64(7))
        faults.add(.on(.putObject).nth(3), .etag("wrong"))
        faults.add(.on(.putObject).nth(4), .etag(nil))
        #expect(try stub.send("PUT", "a").headers["x-oss-hash-crc64ecma"] == nil)
        #expect(try stub.send("PUT", "a").headers["x-oss-hash-crc64ecma"] == "7")
        #expect(try stub.send("PUT", "a").headers["etag"] == "\"wrong\"")
        #expect(try stub.send("PUT", "a").headers["etag"] == nil)
        stub.server.quirks.quotesETagElsewhere = false
        #expect(try stub.send("PUT", "a").headers["etag"] == "D41D8CD98F00B204E9800998ECF8427E")
        let upload = try stub.createUpload("k")
        let etag = try stub.uploadPart(1, of: upload, "k", [])
        stub.server.quirks.namesETagOfCompleted = false
        #expect(try stub.complete(upload, "k", [(1, etag)]).element("ETag") == "")
    }

    @Test func injectedRefusalsKeepTheirWords() async throws {
        let stub = try await OSSFixture()
        let faults = stub.server.faults
        faults.add(.on(.putObject).nth(1), .status(503, code: "UploadTrafficRateLimitExceeded", retryAfter: 2))
        faults.add(.on(.putObject).nth(2), .status(400, code: "ObjectAlreadyExists"))
        faults.add(.on(.putObject).nth(3), .expiredToken)
        faults.add(.on(.putObject).nth(4), .skewedClock(by: .seconds(3_600)))
        let busy = try stub.send("PUT", "a")
        #expect(busy.status == 503)
        #expect(busy.headers["retry-after"] == "2")
        #expect(try busy.element("Code") == "UploadTrafficRateLimitExceeded")
        #expect(try stub.send("PUT", "a").element("Code") == "ObjectAlreadyExists")
        #expect(try stub.send("PUT", "a").element("Code") == "SecurityTokenExpired")
        let skewed = try stub.send("PUT", "a")
        #expect(try skewed.element("ServerTime") == "2025-01-15T09:30:00.000Z")
        #expect(skewed.headers["date"] == "Wed, 15 Jan 2025 09:30:00 GMT")
        #expect(try stub.send("PUT", "a").status == 200)
    }
}
