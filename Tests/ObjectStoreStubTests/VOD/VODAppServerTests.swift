import ObjectStoreStub
import Testing

@Suite struct VODAppServerTests {
    @Test func theAddressIsBelowTheEndpoint() async throws {
        let vod = try await VODFixture()
        #expect(vod.server.appServerURL == "http://127.0.0.1:\(vod.server.port)/app")
    }

    @Test func everyFieldBecomesItsParameter() async throws {
        let vod = try await VODFixture()
        let reply = try vod.app(
            "create-video",
            """
            {"kind":"create-video","fileName":"a \\u4e2d.mp4","fileSize":42949672960,"title":"t","desc":"d",
            "coverUrl":"https://e.com/c.jpg?a=1&b=2","cateId":1000,"tags":"x,y","userData":"{\\"Extend\\":{\\"k\\":1}}",
            "storageLocation":"b.oss-cn-shanghai.aliyuncs.com","templateGroupId":"tg","workflowId":"wf",
            "appId":"app-1000000","unknown":{"a":[1]},"videoId":null}
            """)
        #expect(reply.status == 200, "\(reply.text)")
        #expect(
            vod.server.vod.videos.first?.parameters == [
                "FileName": "a 中.mp4", "FileSize": "42949672960", "Title": "t", "Description": "d",
                "CoverURL": "https://e.com/c.jpg?a=1&b=2", "CateId": "1000", "Tags": "x,y",
                "UserData": "{\"Extend\":{\"k\":1}}", "StorageLocation": "b.oss-cn-shanghai.aliyuncs.com",
                "TemplateGroupId": "tg", "WorkflowId": "wf", "AppId": "app-1000000",
            ])
    }

    @Test func whatTheOpenAPIRequiresIsMadeOfTheFilesName() async throws {
        let vod = try await VODFixture()
        let name = String(repeating: "n", count: 130) + ".mp4"
        #expect(try vod.app("create-video", "{\"fileName\":\"\(name)\"}").status == 200)
        #expect(vod.server.vod.videos.first?.title == String(repeating: "n", count: 128))
        for fileName in ["a.JPG", "b.bmp", "noextension"] {
            #expect(try vod.app("create-image", "{\"fileName\":\"\(fileName)\"}").status == 200)
        }
        #expect(vod.server.vod.images.map { $0.parameters["ImageExt"] } == ["jpg", nil, nil])
        #expect(vod.server.vod.images.map { $0.parameters["ImageType"] } == ["default", "default", "default"])
        #expect(vod.server.vod.images.map { $0.key.split(separator: ".").last } == ["jpg", "png", "png"])
        #expect(try vod.app("create-image", "{}").status == 200)
    }

    @Test(arguments: [
        "", "null", "[]", "42", "\"text\"", "<html></html>", "{\"fileName\":\"a.mp4\"", "{\"fileName\":\"a.mp4\"} x",
    ])
    func whatIsNoJSONObjectIsRefused(body: String) async throws { try await expectRefusal(of: body) }

    @Test func jsonWithoutEndIsRefused() async throws {
        try await expectRefusal(of: String(repeating: "[", count: 200_000))
        try await expectRefusal(of: "{\"a\":" + String(repeating: "[", count: 100_000))
    }

    private func expectRefusal(of body: String) async throws {
        let vod = try await VODFixture()
        let reply = try vod.app("create-video", body)
        #expect(reply.status == 400)
        #expect(try reply.member("Code") == "InvalidParameter")
        #expect(try vod.app("create-video", "{\"fileName\":\"a.mp4\"}").status == 200)
    }

    @Test(arguments: [
        ("create-video", "{}", "MissingParameter", 400),
        ("create-video", "{\"filename\":\"a.mp4\"}", "MissingParameter", 400),
        ("create-video", "{\"fileName\":\"a.mp4\",\"userData\":{\"Type\":\"oss\"}}", "InvalidParameter", 400),
        ("create-video", "{\"fileName\":\"a.mp4\",\"fileSize\":-1}", "InvalidParameter", 400),
        ("create-video", "{\"fileName\":\"a.mp4\",\"title\":[]}", "InvalidParameter", 400),
        ("create-video", "{\"kind\":\"refresh-video\",\"fileName\":\"a.mp4\"}", "InvalidParameter", 400),
        ("refresh-video", "{\"fileName\":\"a.mp4\"}", "MissingParameter", 400),
        ("refresh-video", "{\"videoId\":\"none\"}", "InvalidVideo.NotFound", 404),
        ("create-image", "{\"fileName\":\"a.jpg\",\"imageType\":\"x\"}", "InvalidParameter", 400),
        ("delete-video", "{}", "InvalidAction.NotFound", 404), ("", "{}", "InvalidAction.NotFound", 404),
        ("create-video/", "{}", "InvalidAction.NotFound", 404),
    ])
    func refusalsAreThoseOfTheOpenAPI(page: String, body: String, code: String, status: Int) async throws {
        let vod = try await VODFixture()
        let reply = try vod.app(page, body)
        #expect(reply.status == status)
        #expect(try reply.member("Code") == code)
        #expect(try reply.member("RequestId") == reply.headers["x-acs-request-id"])
        #expect(vod.server.vod.videos.isEmpty && vod.server.vod.images.isEmpty)
    }

    @Test(arguments: ["GET", "PUT", "DELETE"])
    func onlyPostIsTaken(method: String) async throws {
        let vod = try await VODFixture()
        let reply = try vod.app("create-video", "{\"fileName\":\"a.mp4\"}", method: method)
        #expect(reply.status == 405)
        #expect(try reply.member("Code") == "UnsupportedHTTPMethod")
    }

    @Test func credentialsOfTheApplicationArePassedOver() async throws {
        let vod = try await VODFixture()
        let body = "{\"fileName\":\"a.mp4\"}"
        let head =
            "POST /app/create-video HTTP/1.1\r\nHost: \(vod.host)\r\nAuthorization: Bearer abc\r\nContent-Length: "
        let reply = try vod.send(Array("\(head)\(body.utf8.count)\r\n\r\n\(body)".utf8))
        #expect(reply.status == 200)
    }

    @Test func aHugeBodyIsRefused() async throws {
        let vod = try await VODFixture()
        let body = "{\"fileName\":\"" + String(repeating: "a", count: 300_000) + ".mp4\"}"
        let reply = try vod.app("create-video", body)
        #expect(reply.status == 413)
        #expect(vod.server.vod.videos.isEmpty)
    }

    @Test func aBucketOfTheSameNameStaysReachable() async throws {
        let vod = try await VODFixture { $0.buckets = ["app"] }
        #expect(try vod.stub.send("PUT", "/app/create-video", body: [1]).status == 200)
        #expect(vod.server.storage.keys(in: "app") == ["create-video"])
    }
}
