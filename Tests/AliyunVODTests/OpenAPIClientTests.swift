import Testing
import TransferCore
import TransferHTTP
import TransferPrimitives

@testable import AliyunVOD

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct OpenAPIClientTests {
    private static let credentials = Credentials(
        accessKey: "TESTAKID0001", secretKey: "TestSecret/With+Chars=0001", securityToken: "CAIS+tok/en==")

    /// A client whose requests are kept, and answered in turn; the last answer stands for all further ones.
    private final class Service: Sendable {
        let requests = LockBox<[HTTPRequest]>([])
        let answers: [HTTPResponse]

        init(_ answers: HTTPResponse...) { self.answers = answers }

        func client(_ change: (inout VODOpenAPIConfiguration) -> Void = { _ in }) throws -> VODOpenAPIClient {
            var configuration = VODOpenAPIConfiguration(credential: OpenAPIClientTests.credentials)
            change(&configuration)
            return try VODOpenAPIClient(
                configuration,
                transport: ClosureTransport { [self] request in
                    let number = requests.withLock { requests in
                        requests.append(request)
                        return requests.count
                    }
                    return answers[min(number, answers.count) - 1]
                }, random: NoJitter())
        }

        var first: HTTPRequest? { requests.withLock { $0.first } }
        var count: Int { requests.withLock { $0.count } }
        func parameters() -> [String: String] {
            Dictionary((first?.query ?? []).map { ($0.name, $0.value ?? "") }) { $1 }
        }
    }

    private static func json(_ status: Int, _ members: [String: String]) -> HTTPResponse {
        HTTPResponse(status: status, body: [UInt8]((try? JSONEncoder().encode(members)) ?? Data()))
    }

    private static let permit = json(
        200,
        [
            "RequestId": "r-1", "VideoId": "v-1", "ImageId": "i-1", "ImageURL": "https://i", "FileURL": "https://f",
            "UploadAddress": "address", "UploadAuth": "auth-secret",
        ])

    @Test func createVideo() async throws {
        let service = Service(Self.permit)
        let permit = try await service.client().createUploadVideo(
            fileName: "a b.mp4", fileSize: 7,
            meta: VODVideoMeta(
                title: "T", desc: "D", coverUrl: "https://c", cateId: 9, tags: "x,y", userData: "{}",
                storageLocation: "s", templateGroupId: "t", workflowId: "w", appId: "app"),
            extra: ["ReferenceId": "abcdef"])
        #expect(permit.videoId == "v-1")
        #expect(permit.requestId == "r-1")
        let request = try #require(service.first)
        #expect(request.method == .post)
        #expect(request.endpoint.authority == "vod.cn-shanghai.aliyuncs.com")
        #expect(request.headers["x-acs-action"] == "CreateUploadVideo")
        #expect(request.headers["x-acs-version"] == "2017-03-21")
        #expect(request.headers["x-acs-security-token"] == "CAIS+tok/en==")
        #expect(request.headers["Accept"] == "application/json")
        #expect(
            service.parameters() == [
                "Title": "T", "FileName": "a b.mp4", "FileSize": "7", "Description": "D", "CoverURL": "https://c",
                "CateId": "9", "Tags": "x,y", "UserData": "{}", "StorageLocation": "s", "TemplateGroupId": "t",
                "WorkflowId": "w", "AppId": "app", "ReferenceId": "abcdef",
            ])
    }

    @Test(arguments: [("film.mp4", "film"), (".mp4", ".mp4"), ("plain", "plain"), ("a.b.mp4", "a.b")])
    func titleIsTheFilesName(_ name: String, _ title: String) async throws {
        let service = Service(Self.permit)
        _ = try await service.client().createUploadVideo(fileName: name)
        #expect(service.parameters() == ["Title": title, "FileName": name])
    }

    @Test func refreshVideo() async throws {
        let service = Service(Self.permit)
        _ = try await service.client().refreshUploadVideo(videoId: "v-1")
        #expect(service.first?.headers["x-acs-action"] == "RefreshUploadVideo")
        #expect(service.parameters() == ["VideoId": "v-1"])
    }

    @Test(arguments: [("a.JPG", "jpg"), ("a.heic", "heic"), ("a.dat", nil), ("a", nil)] as [(String, String?)])
    func createImage(_ name: String, _ ext: String?) async throws {
        let service = Service(Self.permit)
        let permit = try await service.client().createUploadImage(fileName: name, meta: VODImageMeta(title: "I"))
        #expect(permit.imageId == "i-1")
        #expect(permit.imageUrl == "https://i")
        #expect(service.first?.headers["x-acs-action"] == "CreateUploadImage")
        var wanted = ["ImageType": "default", "OriginalFileName": name, "Title": "I"]
        wanted["ImageExt"] = ext
        #expect(service.parameters() == wanted)
    }

    @Test func endpoints() async throws {
        for (change, authority) in [
            ({ $0.region = "eu-central-1" }, "vod.eu-central-1.aliyuncs.com"),
            ({ $0.usesVPC = true }, "vod-vpc.cn-shanghai.aliyuncs.com"),
            ({ $0.endpoint = "http://127.0.0.1:8081" }, "127.0.0.1:8081"),
        ] as [((inout VODOpenAPIConfiguration) -> Void, String)] {
            let service = Service(Self.permit)
            _ = try await service.client(change).refreshUploadVideo(videoId: "v")
            #expect(service.first?.endpoint.authority == authority)
        }
    }

    // MARK: Refusals

    private func failure(_ answers: HTTPResponse..., idempotent: Bool = false) async throws -> (TransferError, Int) {
        let service = Service(answers[0])
        do {
            if idempotent {
                _ = try await service.client().refreshUploadVideo(videoId: "v")
            } else {
                _ = try await service.client().createUploadVideo(fileName: "a.mp4")
            }
        } catch {
            return (try #require(error as? TransferError), service.count)
        }
        Issue.record("this is to fail")
        return (TransferError(.refused, ""), 0)
    }

    @Test(arguments: [
        (403, "Forbidden", TransferError.Code.accessDenied), (404, "InvalidVideo.NotFound", .notFound),
        (400, "MissingParameter", .refused), (400, "SignatureDoesNotMatch", .signatureMismatch),
        (404, "InvalidAccessKeyId.NotFound", .credentialsInvalid),
        (403, "InvalidSecurityToken.Expired", .credentialsExpired), (403, "OperationDenied", .accessDenied),
    ]) func refusal(_ status: Int, _ code: String, _ meaning: TransferError.Code) async throws {
        let (error, count) = try await failure(
            Self.json(status, ["RequestId": "r-9", "HostId": "h", "Code": code, "Message": "it is so"]))
        #expect(error.code == meaning)
        #expect(
            error.service == ServiceInfo(status: status, code: code, message: "it is so", requestID: "r-9", hostID: "h")
        )
        #expect(error.operation == "CreateUploadVideo")
        #expect(count == 1)
        #expect(error.vodCode == code)
    }

    @Test func wrongSecretSaysSoAndQuotesNoRequest() async throws {
        let words = "Specified signature is not matched with our calculation."
        let request = "server CanonicalRequest is:[POST\n/\nAction=x], server StringToSign is:[ACS3-HMAC-SHA256\nabc]"
        let hint = "the access key secret is wrong, or something on the way changes requests"
        for (message, rest) in [("\(words) \(request)", ": \(words)"), (request, "")] {
            let (error, _) = try await failure(
                Self.json(400, ["Code": "SignatureDoesNotMatch", "Message": message, "RequestId": "r-9"]))
            #expect(error.code == .signatureMismatch)
            #expect(error.message == "SignatureDoesNotMatch: \(hint)\(rest)")
            #expect(!error.description.contains("CanonicalRequest"))
            #expect(error.service?.message == (rest.isEmpty ? nil : words))
            #expect(String(reflecting: error).contains("CanonicalRequest"))
        }
        let service = Service(Self.json(400, ["Code": "SignatureDoesNotMatch", "Message": request]))
        let fixture = try Fixture()
        let client = try service.client()
        let error = await uploadError {
            _ = try await fixture.uploader { $0.getAuth = .openAPI(client) }.uploadFile(try fixture.file(count: 10))
        }
        #expect(error?.errorMessage == hint)
        #expect(
            error?.description.hasPrefix("SignatureDoesNotMatch: credentialsUnavailable: \(hint) [") == true,
            "\(error?.description ?? "")")
    }

    @Test func throttlingIsRepeated() async throws {
        let service = Service(Self.json(400, ["Code": "Throttling.User", "Message": "slow down"]), Self.permit)
        _ = try await service.client().createUploadVideo(fileName: "a.mp4")
        #expect(service.count == 2)
        let nonces = service.requests.withLock { $0.map { $0.headers["x-acs-signature-nonce"] } }
        #expect(nonces.allSatisfy { $0 != nil })
    }

    @Test func failedCreationIsNotRepeatedForItMayHaveMadeAVideo() async throws {
        let (error, count) = try await failure(Self.json(500, ["Code": "InternalError", "Message": "oops"]))
        #expect(error.code == .serviceUnavailable)
        #expect(count == 1)
        #expect(try await failure(Self.json(503, ["Code": "ServiceUnAvailable"]), idempotent: true).1 == 4)
    }

    @Test func answerThatIsNone() async throws {
        let (page, _) = try await failure(HTTPResponse(status: 502, body: Array("<html>".utf8)))
        #expect(page.code == .serviceUnavailable)
        let (empty, _) = try await failure(HTTPResponse(status: 200, body: Array("{}".utf8)))
        #expect(empty.code == .malformedResponse)
        let (late, _) = try await failure(Self.json(200, ["Code": "AddVideoFailed", "Message": "m"]))
        #expect(late.service?.code == "AddVideoFailed")
    }

    @Test func skewedClockIsRepaired() async throws {
        var headers = HTTPHeaders()
        try headers.append("Date", "Wed, 15 Jan 2025 08:30:00 GMT")
        var refusal = Self.json(400, ["Code": "InvalidTimeStamp.Expired", "Message": "m"])
        refusal.headers = headers
        let service = Service(refusal, Self.permit)
        _ = try await service.client().createUploadVideo(fileName: "a.mp4")
        let dates = service.requests.withLock { $0.compactMap { $0.headers["x-acs-date"] } }
        #expect(dates.count == 2)
        #expect(dates.last?.hasPrefix("2025-01-15T08:30:0") == true)
    }

    @Test func secretsAreNotPrinted() async throws {
        let service = Service(Self.permit)
        let permit = try await service.client().createUploadVideo(fileName: "a.mp4")
        var dumped = ""
        dump(permit, to: &dumped)
        for text in ["\(permit)", String(reflecting: permit), dumped] { #expect(!text.contains("auth-secret")) }

        let echo = Self.json(
            403,
            ["Code": "SignatureDoesNotMatch", "Message": "token CAIS+tok/en== and CAIS%2Btok%2Fen%3D%3D were signed"])
        let (error, _) = try await failure(echo)
        #expect(!String(reflecting: error).contains("tok/en"))
        #expect(!String(reflecting: error).contains("tok%2Fen"))
    }

    // MARK: As getAuth

    @Test func asGetAuth() async throws {
        let answer = FakeVOD.Answer(videoID: "v-1", key: "k.mp4", token: "t").members
        let service = Service(Self.json(200, answer))
        let fixture = try Fixture()
        let client = try service.client()
        let uploader = try fixture.uploader { $0.getAuth = .openAPI(client) }
        let result = try await uploader.uploadFile(
            try fixture.file("film.mp4", count: 10), options: VODUploadOptions(videoMeta: VODVideoMeta(tags: "x")))
        #expect(result.videoId == "v-1")
        #expect(
            service.parameters() == ["Title": "film", "FileName": "film.mp4", "FileSize": "10", "Tags": "x"])
    }

    @Test func refusalAsGetAuth() async throws {
        let service = Service(Self.json(403, ["RequestId": "r-9", "Code": "OperationDenied", "Message": "not opened"]))
        let fixture = try Fixture()
        let client = try service.client()
        let error = await uploadError {
            _ = try await fixture.uploader { $0.getAuth = .openAPI(client) }.uploadFile(try fixture.file(count: 10))
        }
        #expect(error?.errorCode == "OperationDenied")
        #expect(error?.errorMessage == "not opened")
        #expect(error?.requestId == "r-9")
        #expect(error?.underlying.service?.status == 403)
    }
}
