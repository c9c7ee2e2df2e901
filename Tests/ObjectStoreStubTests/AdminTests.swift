import ObjectStoreStub
import Testing

@Suite struct AdminTests {
    private func get(_ stub: StubFixture, _ path: String, method: String = "GET") throws -> RawClient.Reply {
        let client = try stub.connect()
        try client.send("\(method) /_stub/\(path) HTTP/1.1\r\nHost: x\r\n\r\n")
        return try client.receive()
    }

    @Test func describesAnObject() async throws {
        let stub = try await StubFixture()
        _ = try stub.send("PUT", "/dst-bucket/a%20b/c", headers: [("x-tos-meta-k", "v")], body: Array("hello".utf8))
        let reply = try get(stub, "objects/dst-bucket/a%20b/c")
        #expect(
            reply.text
                == "{\"length\":5,\"crc64\":\"11177612005948864433\",\"etag\":\"5d41402abc4b2a76b9719d911017c592\","
                + "\"versionId\":null,\"contentType\":null,\"metadata\":{\"k\":\"v\"}}")
        #expect(try get(stub, "objects/dst-bucket/none").status == 404)
        #expect(try get(stub, "nothing").status == 501)
    }

    @Test func countsRequestsAndParts() async throws {
        let stub = try await StubFixture()
        let upload = try stub.createUpload("/dst-bucket/k")
        for number in ["1", "2", "1"] {
            _ = try stub.send("PUT", "/dst-bucket/k", query: [("partNumber", number), ("uploadId", upload)], body: [1])
        }
        #expect(try get(stub, "parts").text == "{\"dst-bucket/k\":{\"1\":2,\"2\":1}}")
        #expect(
            try get(stub, "uploads").text
                == "[{\"bucket\":\"dst-bucket\",\"key\":\"k\",\"uploadId\":\"\(upload)\",\"parts\":[1,2]}]")
        let log = try get(stub, "log").text
        #expect(log.hasSuffix("\"operations\":{\"CreateMultipartUpload\":1,\"UploadPart\":3}}"))
        let lines = try get(stub, "requests").text.split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines[3].hasSuffix("UploadPart dst-bucket/k part 1 → 200"))
        #expect(try get(stub, "log", method: "DELETE").status == 204)
        #expect(try get(stub, "log").text.hasSuffix("\"operations\":{}}"))
    }

    @Test func listsTheMediaOfVOD() async throws {
        let vod = try await VODFixture()
        #expect(try get(vod.stub, "vod").text == "{\"videos\":[],\"images\":[]}")
        let id = try vod.call(.app, "CreateUploadVideo", VODFixture.video).member("VideoId")
        _ = try vod.call(.app, "RefreshUploadVideo", [("VideoId", id)])
        _ = try vod.call(.app, "CreateUploadImage", [("ImageType", "cover")])
        let video = try #require(vod.server.vod.videos.first)
        let image = try #require(vod.server.vod.images.first)
        #expect(
            try get(vod.stub, "vod").text
                == "{\"videos\":[{\"id\":\"\(id)\",\"title\":\"A title\",\"bucket\":\"vod-bucket\","
                + "\"key\":\"\(video.key)\",\"refreshes\":1}],"
                + "\"images\":[{\"id\":\"\(image.id)\",\"title\":null,\"bucket\":\"vod-bucket\","
                + "\"key\":\"\(image.key)\"}]}")
    }

    @Test func faultsLeaveTheAdminPagesAlone() async throws {
        let stub = try await StubFixture()
        stub.server.faults.add(.any, .status(500))
        #expect(try get(stub, "log").status == 200)
        #expect(stub.server.wireLog.entries.isEmpty)
    }
}
