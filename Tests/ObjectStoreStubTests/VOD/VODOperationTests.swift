import ObjectStoreStub
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct VODOperationTests {
    typealias Way = VODFixture.Way

    // MARK: Success

    @Test(arguments: Way.allCases)
    func aVideoIsCreatedAndRefreshed(way: Way) async throws {
        let vod = try await VODFixture()
        let created = try vod.call(way, "CreateUploadVideo", VODFixture.video)
        #expect(created.status == 200, "\(created.text)")
        #expect(created.headers["x-acs-request-id"] == (try created.member("RequestId")))
        let video = try #require(vod.server.vod.videos.first)
        #expect(try created.member("VideoId") == video.id)
        #expect(video.id.count == 32)
        #expect(video.title == "A title")
        #expect(video.parameters == ["Title": "A title", "FileName": "dir/我的 a.MP4", "FileSize": "1234"])

        let address = try created.blob("UploadAddress")
        #expect(try address.member("Endpoint") == vod.server.endpoint)
        #expect(try address.member("Bucket") == "vod-bucket")
        #expect(try address.member("FileName") == video.key)
        #expect(video.key.hasPrefix("sv/") && video.key.hasSuffix(".mp4"))
        #expect(vod.server.storage.bucketNames.contains("vod-bucket"))

        let auth = try created.blob("UploadAuth")
        #expect(try auth.member("AccessKeyId").hasPrefix("STS."))
        #expect(try auth.member("ExpireUTCTime") == "2025-07-01T08:50:00Z")
        #expect(try auth.member("Expiration") == "3000")
        #expect(try auth.member("Region") == "cn-shanghai")
        #expect(try !auth.member("SecurityToken").isEmpty && !auth.member("AccessKeySecret").isEmpty)

        vod.stub.clock.advance(by: .seconds(10))
        let refreshed = try vod.call(way, "RefreshUploadVideo", [("VideoId", video.id)])
        #expect(refreshed.status == 200)
        #expect(try refreshed.member("VideoId") == video.id)
        #expect(try refreshed.member("UploadAddress") == created.member("UploadAddress"))
        #expect(try refreshed.blob("UploadAuth").member("ExpireUTCTime") == "2025-07-01T08:50:10Z")
        #expect(try refreshed.blob("UploadAuth").member("AccessKeyId") != auth.member("AccessKeyId"))
        #expect(vod.server.vod.videos.map(\.refreshCount) == [1])
        #expect(vod.server.vod.videos.first?.accessKeys.count == 2)

        let operations = [StoreOperation.createUploadVideo, .refreshUploadVideo]
        // The action is in the body alone there, and the log tells what the head says.
        #expect(
            vod.server.wireLog.entries.map(\.operation)
                == (way == .parameterAllInForm ? [.unknown, .unknown] : operations))
    }

    @Test(arguments: Way.allCases)
    func anImageIsCreated(way: Way) async throws {
        let vod = try await VODFixture()
        let reply = try vod.call(
            way, "CreateUploadImage",
            [("ImageType", "cover"), ("ImageExt", "jpg"), ("OriginalFileName", "my pic.png"), ("Title", "A picture")])
        #expect(reply.status == 200, "\(reply.text)")
        let image = try #require(vod.server.vod.images.first)
        #expect(try reply.member("ImageId") == image.id)
        #expect(try reply.member("ImageURL") == image.imageURL)
        #expect(try reply.member("FileURL") == "\(vod.server.endpoint)/vod-bucket/\(image.key)")
        #expect(try reply.blob("UploadAddress").member("FileName") == image.key)
        #expect(try reply.blob("UploadAuth").member("AccessKeyId") == image.accessKey)
        #expect(image.key.hasPrefix("image/cover/") && image.key.hasSuffix(".jpg"))
        #expect(image.title == "A picture")
        #expect(image.parameters["OriginalFileName"] == "my pic.png")
        #expect(vod.server.vod.videos.isEmpty)
    }

    @Test func everyCreationMakesAnotherMedium() async throws {
        let vod = try await VODFixture()
        let replies = try (1...2).map { _ in try vod.call(.headerPost, "CreateUploadVideo", VODFixture.video) }
        #expect(Set(vod.server.vod.videos.map(\.id)).count == 2)
        #expect(Set(vod.server.vod.videos.map(\.key)).count == 2)
        #expect(Set(try replies.map { try $0.blob("UploadAuth").member("AccessKeyId") }).count == 2)
        #expect(Set(try replies.map { try $0.member("RequestId") }).count == 2)
    }

    @Test func aReferenceIdStandsForTheVideo() async throws {
        let vod = try await VODFixture()
        let parameters = VODFixture.video + [("ReferenceId", "my-file_1")]
        let created = try vod.call(.headerPost, "CreateUploadVideo", parameters)
        let refreshed = try vod.call(.headerPost, "RefreshUploadVideo", [("ReferenceId", "my-file_1")])
        #expect(try refreshed.member("VideoId") == created.member("VideoId"))
        let again = try vod.call(.headerPost, "CreateUploadVideo", parameters)
        #expect(again.status == 400)
        #expect(try again.member("Code") == "InvalidParameter")
        #expect(vod.server.vod.videos.count == 1)
    }

    @Test(arguments: [
        ("{\"Type\":\"oss\",\"Domain\":\"oss-accelerate.aliyuncs.com\"}", true),
        ("{\"AccelerateConfig\":{\"Type\":\"oss\",\"Domain\":\"oss-accelerate.aliyuncs.com\"}}", true),
        ("{\"MessageCallback\":{\"CallbackURL\":\"http://x\"},\"Extend\":{\"a\":[1,{}]}}", false),
        ("{\"Type\":\"oss\",\"Domain\":\"oss-cn-beijing.aliyuncs.com\"}", false),
    ])
    func userDataMayAskForAcceleration(userData: String, isAsked: Bool) async throws {
        let vod = try await VODFixture()
        let parameters = VODFixture.video + [("UserData", userData)]
        let reply = try vod.call(.headerPost, "CreateUploadVideo", parameters)
        let accelerated = "http://localhost:\(vod.server.port)"
        #expect(
            try reply.blob("UploadAddress").member("Endpoint") == (isAsked ? accelerated : vod.server.endpoint))
        #expect(vod.server.vod.videos.first?.parameters["UserData"] == userData)
        vod.server.vod.settings.accelerateEndpoint = "http://oss-accelerate.example:1"
        let other = try vod.call(.headerPost, "CreateUploadVideo", parameters)
        #expect(
            try other.blob("UploadAddress").member("Endpoint")
                == (isAsked ? "http://oss-accelerate.example:1" : vod.server.endpoint))
    }

    @Test func theStorageLocationNamesTheBucket() async throws {
        let vod = try await VODFixture { $0.vod.bucket = "mine" }
        _ = try vod.call(.app, "CreateUploadVideo", VODFixture.video)
        _ = try vod.call(
            .app, "CreateUploadVideo",
            VODFixture.video + [("StorageLocation", "outin-0123.oss-cn-shanghai.aliyuncs.com")])
        #expect(vod.server.vod.videos.map(\.bucket) == ["mine", "outin-0123"])
        #expect(Set(vod.server.storage.bucketNames).isSuperset(of: ["mine", "outin-0123"]))
    }

    // MARK: Keys

    /// The handed-out keys as a signer of object requests.
    private func signer(_ reply: RawClient.Reply) throws -> TestSigner {
        let auth = try reply.blob("UploadAuth")
        var signer = TestSigner()
        signer.accessKey = try auth.member("AccessKeyId")
        signer.secretKey = try auth.member("AccessKeySecret")
        signer.token = try auth.member("SecurityToken")
        return signer
    }

    @Test func keysOpenTheirObjectForTheirLife() async throws {
        let vod = try await VODFixture { $0.vod.tokenLife = .seconds(60) }
        let created = try vod.call(.app, "CreateUploadVideo", VODFixture.video)
        let key = try created.blob("UploadAddress").member("FileName")
        var stub = vod.stub
        stub.signer = try signer(created)
        #expect(try stub.send("PUT", "/vod-bucket/\(key)", body: [1, 2, 3]).status == 200)
        #expect(vod.server.storage.object(key, in: "vod-bucket")?.length == 3)

        // Nothing else is open to them, not even as the source of a copy.
        #expect(try stub.send("PUT", "/vod-bucket/other", body: [1]).member("Code") == "AccessDenied")
        #expect(try stub.send("PUT", "/dst-bucket/\(key)", body: [1]).member("Code") == "AccessDenied")
        let copy = try stub.send(
            "PUT", "/vod-bucket/\(key)", headers: [("x-tos-copy-source", "/src-bucket/secret")])
        #expect(try copy.member("Code") == "AccessDenied")

        vod.stub.clock.advance(by: .seconds(59))
        #expect(try stub.send("HEAD", "/vod-bucket/\(key)").status == 200)
        vod.stub.clock.advance(by: .seconds(1))
        #expect(try stub.send("PUT", "/vod-bucket/\(key)", body: [1]).member("Code") == "ExpiredToken")

        stub.signer = try signer(try vod.call(.app, "RefreshUploadVideo", [("VideoId", created.member("VideoId"))]))
        #expect(try stub.send("PUT", "/vod-bucket/\(key)", body: [1]).status == 200)
    }

    @Test func keysOfAnUploadDoNotCallTheOpenAPI() async throws {
        var vod = try await VODFixture()
        let keys = try signer(try vod.call(.app, "CreateUploadVideo", VODFixture.video))
        vod.signer.accessKey = keys.accessKey
        vod.signer.secretKey = keys.secretKey
        vod.signer.token = keys.token
        for way in [Way.headerPost, .parameterGet] {
            let reply = try vod.call(way, "CreateUploadVideo", VODFixture.video)
            #expect(reply.status == 403)
            #expect(try reply.member("Code") == "Forbidden")
        }
    }

    @Test func lifeCountsInWholeSecondsOfTheServersClock() async throws {
        let vod = try await VODFixture { $0.vod.tokenLife = .milliseconds(1_500) }
        vod.stub.clock.advance(by: .milliseconds(700))
        let auth = try vod.call(.app, "CreateUploadVideo", VODFixture.video).blob("UploadAuth")
        // 0.7 s + 1.5 s, rounded up to what the text can say.
        #expect(try auth.member("ExpireUTCTime") == "2025-07-01T08:00:03Z")
        #expect(try auth.member("Expiration") == "2")
        vod.server.vod.settings.tokenLife = .seconds(-60)
        let expired = try vod.call(.app, "CreateUploadVideo", VODFixture.video).blob("UploadAuth")
        #expect(try expired.member("ExpireUTCTime") == "2025-07-01T07:59:01Z")
        #expect(try expired.member("Expiration") == "0")
    }

    @Test func aRefreshMayRepeatTheKeysWhileTheyAreGood() async throws {
        let vod = try await VODFixture { $0.vod.refreshRepeatsToken = true }
        let created = try vod.call(.app, "CreateUploadVideo", VODFixture.video)
        let first = try created.blob("UploadAuth")
        vod.stub.clock.advance(by: .seconds(59))
        let same = try vod.call(.app, "RefreshUploadVideo", [("VideoId", created.member("VideoId"))])
            .blob("UploadAuth")
        for name in ["AccessKeyId", "AccessKeySecret", "SecurityToken", "ExpireUTCTime"] {
            #expect(try same.member(name) == first.member(name))
        }
        #expect(try same.member("Expiration") == "2941")
        vod.stub.clock.advance(by: .seconds(2_941))
        let other = try vod.call(.app, "RefreshUploadVideo", [("VideoId", created.member("VideoId"))])
            .blob("UploadAuth")
        #expect(try other.member("AccessKeyId") != first.member("AccessKeyId"))
        #expect(vod.server.vod.videos.map(\.refreshCount) == [2])
    }

    @Test func aRefreshMayMoveTheUpload() async throws {
        let vod = try await VODFixture()
        let created = try vod.call(.app, "CreateUploadVideo", VODFixture.video)
        vod.server.vod.settings.refreshedBucket = "moved"
        vod.server.vod.settings.refreshedEndpoint = "http://localhost:\(vod.server.port)"
        let moved = try vod.call(.app, "RefreshUploadVideo", [("VideoId", created.member("VideoId"))])
        let address = try moved.blob("UploadAddress")
        let key = try created.blob("UploadAddress").member("FileName")
        #expect(try address.member("Bucket") == "moved")
        #expect(try address.member("Endpoint") == "http://localhost:\(vod.server.port)")
        #expect(try address.member("FileName") == key)
        var stub = vod.stub
        stub.signer = try signer(moved)
        #expect(try stub.send("PUT", "/moved/\(key)", body: [1]).status == 200)
        #expect(try stub.send("PUT", "/vod-bucket/\(key)", body: [1]).status == 403)
    }

    // MARK: Refusals

    struct Refusal: Sendable, CustomTestStringConvertible {
        let action: String
        let parameters: [(String, String)]
        let code: String
        var status = 400

        var testDescription: String {
            "\(action) \(parameters.map { "\($0.0)=\($0.1.prefix(40))" }.joined(separator: " ")): \(code)"
        }
    }

    private static func video(_ name: String, _ value: String, _ code: String = "InvalidParameter") -> Refusal {
        Refusal(
            action: "CreateUploadVideo", parameters: VODFixture.video.filter { $0.0 != name } + [(name, value)],
            code: code)
    }

    private static func image(_ name: String, _ value: String, _ code: String = "InvalidParameter") -> Refusal {
        Refusal(
            action: "CreateUploadImage",
            parameters: [("ImageType", "default"), ("ImageExt", "png")].filter { $0.0 != name } + [(name, value)],
            code: code)
    }

    private static let refusals = [
        video("FileName", "noextension", "InvalidParameter.FileName"),
        video("FileName", "a.exe", "InvalidParameter.FileName"),
        video("FileName", "dir.mp4/a", "InvalidParameter.FileName"),
        video("FileName", "a.", "InvalidParameter.FileName"),
        video("Title", String(repeating: "题", count: 129)),
        video("Description", String(repeating: "d", count: 1_025)),
        video("Tags", (1...17).map { "t\($0)" }.joined(separator: ",")),
        video("Tags", String(repeating: "t", count: 33)),
        video("CateId", "many"), video("FileSize", "-1"), video("FileSize", "1e3"), video("UserData", "no JSON"),
        video("UserData", "[1]"), video("ReferenceId", "short"), video("ReferenceId", "with blanks"),
        image("ImageType", "large"), image("ImageExt", "bmp"), image("Title", String(repeating: "t", count: 129)),
        Refusal(
            action: "RefreshUploadVideo", parameters: [("VideoId", "93ab850b4f6f44eab54b6e91d24d81d4")],
            code: "InvalidVideo.NotFound", status: 404),
        Refusal(action: "RefreshUploadVideo", parameters: [], code: "MissingParameter"),
        Refusal(action: "CreateUploadVideo", parameters: [("Title", "t")], code: "MissingParameter"),
    ]

    @Test(arguments: refusals, [Way.headerPost, .parameterForm, .app])
    func refusesWrongParameters(refusal: Refusal, way: Way) async throws {
        let vod = try await VODFixture()
        let reply = try vod.call(way, refusal.action, refusal.parameters)
        #expect(reply.status == refusal.status, "\(reply.text)")
        #expect(try reply.member("Code") == refusal.code)
        #expect(try reply.member("RequestId") == reply.headers["x-acs-request-id"])
        #expect(try reply.member("HostId") == "127.0.0.1")
        #expect(try !reply.member("Message").isEmpty)
        #expect(vod.server.wireLog.entries.first?.code == refusal.code)
        #expect(vod.server.vod.videos.isEmpty && vod.server.vod.images.isEmpty)
        #expect(!vod.server.storage.bucketNames.contains("vod-bucket"))
    }

    @Test(arguments: [Way.headerPost, .parameterForm])
    func theOpenAPIAsksForTitleAndImageType(way: Way) async throws {
        let vod = try await VODFixture()
        let video = try vod.call(way, "CreateUploadVideo", [("FileName", "a.mp4")])
        #expect(try video.member("Code") == "MissingParameter")
        #expect(try video.member("Message").contains("Title"))
        let image = try vod.call(way, "CreateUploadImage", [("ImageExt", "png")])
        #expect(try image.member("Code") == "MissingParameter")
        #expect(try image.member("Message").contains("ImageType"))
    }

    @Test func limitsAreInclusive() async throws {
        let vod = try await VODFixture()
        let reply = try vod.call(
            .headerForm, "CreateUploadVideo",
            [
                ("Title", String(repeating: "题", count: 128)), ("FileName", "a.mp4"),
                ("Description", String(repeating: "d", count: 1_024)),
                ("Tags", (1...16).map { _ in String(repeating: "t", count: 32) }.joined(separator: ",")),
                ("ReferenceId", "123456"),
            ])
        #expect(reply.status == 200, "\(reply.text)")
    }

    @Test(arguments: [Way.headerPost, .headerGet, .parameterGet, .parameterAllInForm])
    func unknownActionsAndVersions(way: Way) async throws {
        var vod = try await VODFixture()
        let unknown = try vod.call(way, "DeleteEverything", [])
        #expect(unknown.status == 404)
        #expect(try unknown.member("Code") == "InvalidAction.NotFound")
        vod.signer.version = "2016-01-01"
        #expect(try vod.call(way, "CreateUploadVideo", VODFixture.video).member("Code") == "InvalidVersion")
    }

    @Test func oddRequestsAreAnswered() async throws {
        let vod = try await VODFixture()
        let host = vod.host
        func send(_ text: String) throws -> RawClient.Reply { try vod.send(Array(text.utf8)) }
        let put = try vod.send(vod.signer.headerSigned("PUT", "CreateUploadVideo", host: host))
        #expect(put.status == 405)
        let path = try send("POST /path HTTP/1.1\r\nHost: \(host)\r\nx-acs-action: CreateUploadVideo\r\n\r\n")
        #expect(path.status == 404)
        let broken = try send("GET /?Action=%zz HTTP/1.1\r\nHost: vod.cn-shanghai.aliyuncs.com\r\n\r\n")
        #expect(try broken.member("Message") == "The query cannot be decoded.")
        let empty = try send("GET / HTTP/1.1\r\nHost: vod.cn-shanghai.aliyuncs.com\r\n\r\n")
        #expect(try empty.member("Code") == "MissingParameter")
        let json = try send(
            "POST /?Action=CreateUploadVideo HTTP/1.1\r\nHost: \(host)\r\nContent-Type: application/json\r\n"
                + "Content-Length: 2\r\n\r\n{}")
        #expect(try json.member("Code") == "UnsupportedContentType")
        let form = "POST / HTTP/1.1\r\nHost: \(host)\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        let notText = try vod.send(Array((form + "Content-Length: 4\r\n\r\n").utf8) + [0x61, 0x3D, 0xFF, 0xFE])
        #expect(try notText.member("Message") == "The form cannot be decoded.")
        let huge = try send(form + "Content-Length: 300000\r\n\r\n" + String(repeating: "a", count: 300_000))
        #expect(huge.status == 413)
        #expect(try vod.call(.parameterGet, "CreateUploadVideo", VODFixture.video).status == 200)
    }

    @Test func onlyJSONIsSpoken() async throws {
        var vod = try await VODFixture()
        vod.signer.nonce = "x"
        // Format is signed like any other parameter; the one of the signer comes second.
        let reply = try vod.send(
            vod.signer.headerSigned(
                "POST", "CreateUploadVideo", host: vod.host, query: VODFixture.video + [("Format", "XML")]))
        #expect(try reply.member("Message").contains("Format"))
    }

    // MARK: Faults

    @Test(arguments: [Way.headerPost, .parameterGet, .parameterForm, .app])
    func faultsMeetTheOperations(way: Way) async throws {
        let vod = try await VODFixture()
        vod.server.faults.add(.on(.createUploadVideo).first(1), .status(503, code: "ServiceUnAvailable"))
        vod.server.faults.add(.on(.refreshUploadVideo).first(1), .expiredToken)
        vod.server.faults.add(.on(.createUploadImage).first(1), .answer(200, body: "<html>"))

        let refused = try vod.call(way, "CreateUploadVideo", VODFixture.video)
        #expect(refused.status == 503)
        #expect(try refused.member("Code") == "ServiceUnAvailable")
        #expect(vod.server.vod.videos.isEmpty)
        let id = try vod.call(way, "CreateUploadVideo", VODFixture.video).member("VideoId")
        #expect(
            try vod.call(way, "RefreshUploadVideo", [("VideoId", id)]).member("Code") == "InvalidSecurityToken.Expired")
        #expect(try vod.call(way, "RefreshUploadVideo", [("VideoId", id)]).status == 200)
        #expect(try vod.call(way, "CreateUploadImage", [("ImageType", "default")]).text == "<html>")
        #expect(vod.server.vod.images.isEmpty)
        #expect(
            vod.server.wireLog.entries.map { $0.request.dialect }
                == Array(repeating: way == .app ? "app" : "vod", count: 5))
    }

    @Test func aLostAnswerHasMadeTheVideo() async throws {
        let vod = try await VODFixture()
        vod.server.faults.add(.on(.createUploadVideo).first(1), .loseAnswer)
        #expect(throws: RawClient.Failure.reset) { try vod.call(.app, "CreateUploadVideo", VODFixture.video) }
        #expect(vod.server.vod.videos.count == 1)
    }
}
