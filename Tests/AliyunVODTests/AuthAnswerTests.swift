import Testing
import TransferCore
import TransferHTTP
import TransferPrimitives

@testable import AliyunOSS
@testable import AliyunVOD

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct AuthAnswerTests {
    private static let now = Date(timeIntervalSince1970: 1_736_929_800)  // 2025-01-15T08:30:00Z

    /// The worked example of the specification, section 1.5.
    private static let address =
        "eyJFbmRwb2ludCI6Imh0dHBzOi8vb3NzLWNuLXNoYW5naGFpLmFsaXl1bmNzLmNvbSIsIkJ1Y2tldCI6Im91dGluLTAxMjM0NTY3ODlhYmNkZWYiLCJGaWxlTmFtZSI6InN2LzFmNWEyYjNjLTE5NGMvMWY1YTJiM2MtMTk0Yy5tcDQifQ=="
    private static let auth =
        "eyJTZWN1cml0eVRva2VuIjoiQ0FJUyt0b2svZW49PSIsIkFjY2Vzc0tleUlkIjoiU1RTLlRFU1RBS0lEMDAwMSIsIkV4cGlyZVVUQ1RpbWUiOiIyMDI1LTAxLTE1VDA5OjIwOjAwWiIsIkFjY2Vzc0tleVNlY3JldCI6IlRlc3RTZWNyZXQvV2l0aCtDaGFycz0wMDAxIiwiRXhwaXJhdGlvbiI6IjMwMDAiLCJSZWdpb24iOiJjbi1zaGFuZ2hhaSJ9"

    private static let secrets = ["TestSecret/With+Chars=0001", "CAIS+tok/en==", "STS.TESTAKID0001"]

    private func read(_ members: [String: String], _ kind: VODAuthKind = .createVideo) throws -> AuthAnswer {
        try AuthAnswer(try members.authAnswerJSON(), kind: kind, now: Self.now)
    }

    private func read(address: [String: String], auth: [String: String]) throws -> UploadGrant {
        try read(["VideoId": "v", "UploadAddress": blob(address), "UploadAuth": blob(auth)]).grant
    }

    private func failure(_ body: () throws -> Void) throws -> TransferError {
        let error = #expect(throws: TransferError.self) { try body() }
        let failure = try #require(error)
        for secret in Self.secrets { #expect(!String(reflecting: failure).contains(secret)) }
        #expect(failure.code == .credentialsUnavailable)
        return failure
    }

    private let plainAddress = ["Endpoint": "https://oss-cn-beijing.aliyuncs.com", "Bucket": "b-1", "FileName": "k"]
    private let plainAuth = ["AccessKeyId": "STS.A", "AccessKeySecret": "s"]

    /// Where each field of an answer goes it is one field, or the answer is refused; and no message tells what was in it.
    @Test(
        "Security: no field of an answer is more than that",
        arguments: ["Endpoint", "Bucket", "FileName", "AccessKeyId", "AccessKeySecret", "SecurityToken", "Region"],
        [
            "a\r\nX-Evil: 1", "a\nb", "a\u{0}b", "host/path?x-evil=1#y", "https://user:word@host", "../../b/k",
            "a%0d%0ab",
            "https://oss-cn-beijing.aliyuncs.com\r\nHost: y", "two words", "\u{202E}", "file:///etc/passwd",
            "https://[::1",
        ])
    func hostileFields(_ name: String, _ text: String) throws {
        var (address, auth) = (plainAddress, plainAuth)
        if address[name] != nil { address[name] = text } else { auth[name] = text }
        let grant: UploadGrant
        do {
            grant = try read(address: address, auth: auth)
        } catch let error as TransferError {
            #expect(error.code == .credentialsUnavailable)
            #expect(!String(reflecting: error).contains(text))
            return
        }
        // What signs a request is sent in headers.
        var headers = HTTPHeaders()
        try headers.append("a", grant.credentials.accessKey)
        try headers.append("t", grant.credentials.securityToken ?? "")
        try headers.append("r", grant.region ?? "")
        let request = OSSRequest(.headObject, .head, grant.target)
        guard let request = try? request.httpRequest(at: grant.endpoint, by: AddressRule()) else {
            #expect(["Bucket", "FileName", "Endpoint"].contains(name))
            return
        }
        #expect(request.url.utf8.allSatisfy { (0x21...0x7E).contains($0) })
        #expect(!request.url.contains("?") && !request.url.contains("#") && !request.url.contains("@"))
        #expect(PercentEncoding.decode(request.path) == "/" + grant.target.key)
        if name != "Endpoint" { #expect(request.endpoint.host == "b-1.oss-cn-beijing.aliyuncs.com") }
    }

    @Test func workedExample() throws {
        let answer = try read(["VideoId": "v-1", "UploadAddress": Self.address, "UploadAuth": Self.auth])
        #expect(answer.videoID == "v-1")
        let grant = answer.grant
        #expect(
            grant.target == ObjectLocation(bucket: "outin-0123456789abcdef", key: "sv/1f5a2b3c-194c/1f5a2b3c-194c.mp4"))
        #expect(grant.endpoint.host == "oss-cn-shanghai.aliyuncs.com")
        #expect(grant.endpoint.scheme == .https)
        #expect(grant.credentials.accessKey == "STS.TESTAKID0001")
        #expect(grant.credentials.secretKey == "TestSecret/With+Chars=0001")
        #expect(grant.credentials.securityToken == "CAIS+tok/en==")
        #expect(grant.credentials.expiration == HTTPDate.parseISO8601("2025-01-15T09:20:00Z"))
        #expect(grant.region == "cn-shanghai")
        #expect(grant.isFreshOnArrival)
    }

    enum Disguise: CaseIterable {
        case lineBreaks, noPadding, urlSafe

        func apply(_ text: String) -> String {
            switch self {
            case .lineBreaks: text.prefix(20) + "\r\n \t" + text.dropFirst(20)
            case .noPadding: text.replacing("=", with: "")
            case .urlSafe: text.replacing("+", with: "-").replacing("/", with: "_")
            }
        }
    }

    @Test(arguments: Disguise.allCases) func tolerantBase64(_ disguise: Disguise) throws {
        let answer = try read([
            "VideoId": "v", "UploadAddress": disguise.apply(Self.address), "UploadAuth": disguise.apply(Self.auth),
        ])
        #expect(answer.grant.credentials.securityToken == "CAIS+tok/en==")
    }

    @Test func blobsUnderEachOthersNames() throws {
        let answer = try read(["VideoId": "v", "UploadAddress": Self.auth, "UploadAuth": Self.address])
        #expect(answer.grant.target.bucket == "outin-0123456789abcdef")
    }

    @Test func numbersWhereTextsAreExpected() throws {
        let auth = #"{"AccessKeyId":"STS.A","AccessKeySecret":"s","Expiration":3541,"Extra":{"a":[1]}}"#
        let answer = try read([
            "VideoId": "v", "UploadAddress": blob(plainAddress), "UploadAuth": Base64.encode(auth.utf8),
        ])
        #expect(answer.grant.credentials.expiration == Self.now.addingTimeInterval(3541))
        #expect(answer.grant.credentials.securityToken == nil)
    }

    @Test func withoutAnyEnd() throws {
        let grant = try read(address: plainAddress, auth: plainAuth)
        #expect(grant.credentials.expiration == nil)
        #expect(!grant.isFreshOnArrival)
    }

    @Test(arguments: [
        ("oss-cn-shenzhen", "cn-shenzhen"), ("cn-hongkong", "cn-hongkong"),
    ]) func regionOfTheCredentials(_ told: String, _ region: String) throws {
        var auth = plainAuth
        auth["Region"] = told
        #expect(try read(address: plainAddress, auth: auth).region == region)
    }

    @Test(
        arguments: [
            ("https://oss-cn-beijing.aliyuncs.com", "cn-beijing"),
            ("oss-cn-beijing-internal.aliyuncs.com/", "cn-beijing"),
            ("https://oss-accelerate.aliyuncs.com", nil), ("http://127.0.0.1:8080", nil),
            ("https://media.example.com", nil),
        ] as [(String, String?)])
    func regionOfTheHost(_ endpoint: String, _ region: String?) throws {
        var address = plainAddress
        address["Endpoint"] = endpoint
        #expect(try read(address: address, auth: plainAuth).region == region)
    }

    @Test func endpointWithoutSchemeIsHTTPS() throws {
        var address = plainAddress
        address["Endpoint"] = "oss-cn-beijing.aliyuncs.com/"
        let endpoint = try read(address: address, auth: plainAuth).endpoint
        #expect(endpoint.scheme == .https)
        #expect(endpoint.host == "oss-cn-beijing.aliyuncs.com")
    }

    /// What an application's backend makes of the answer on its way.
    @Test(arguments: [
        (
            #"{"code":0,"data":{"UploadAddress":"x"},"message":"value-of-it"}"#,
            "answered without UploadAddress; it has code, data, message: hand the answer of the OpenAPI on unchanged"
        ),
        (
            #"{"UploadAddress":{"Bucket":"value-of-it"},"UploadAuth":"x"}"#,
            "answered with UploadAddress that is no text: hand the base64 text on as it is"
        ),
        (#"{"UploadAddress":null,"UploadAuth":"x"}"#, "answered with UploadAddress that is no text: hand"),
        ("{}", "answered without UploadAddress"),
    ]) func answerThatWasChangedOnItsWay(_ json: String, _ words: String) throws {
        let error = try failure { _ = try AuthAnswer(Data(json.utf8), kind: .createVideo, now: Self.now) }
        #expect(error.message.hasPrefix("getAuth(create-video) \(words)"))
        #expect(!String(reflecting: error).contains("value-of-it"))
    }

    @Test func wrappedDictionaryShowsItsNames() throws {
        let data = try VODAuthDictionary(["code": 0, "data": ["UploadAddress": "x"]]).authAnswerJSON()
        let error = try failure { _ = try AuthAnswer(data, kind: .createVideo, now: Self.now) }
        #expect(error.message.contains("it has code, data: hand"))
    }

    @Test(arguments: ["UploadAddress", "UploadAuth", "VideoId"])
    func missingKey(_ name: String) throws {
        let error = try failure {
            var members = ["VideoId": "v", "UploadAddress": Self.address, "UploadAuth": Self.auth]
            members[name] = nil
            _ = try read(members)
        }
        #expect(error.message.contains("without \(name)"))
        #expect(error.vodCode == "InvalidParameter.TokenInvalid")
    }

    @Test(arguments: [("VideoId", "videoId"), ("UploadAuth", "uploadAuth"), ("UploadAddress", "upload_address")])
    func wronglyCasedKey(_ name: String, _ wrong: String) throws {
        let error = try failure {
            var members = ["VideoId": "v", "UploadAddress": Self.address, "UploadAuth": Self.auth]
            members[wrong] = members.removeValue(forKey: name)
            _ = try read(members)
        }
        #expect(error.message.contains(name))
        #expect(error.message.contains(wrong))
    }

    @Test(arguments: ["imageUrl", "image_url"]) func imageAddressUnderAnotherName(_ name: String) throws {
        let answer = try read(
            ["ImageId": "i", name: "https://x", "UploadAddress": Self.address, "UploadAuth": Self.auth], .createImage)
        #expect(answer.imageID == "i")
        #expect(answer.imageURL == nil)
    }

    @Test(arguments: ["Endpoint", "Bucket", "FileName"]) func emptyAddressField(_ name: String) throws {
        let error = try failure {
            var address = plainAddress
            address[name] = ""
            _ = try read(address: address, auth: plainAuth)
        }
        #expect(error.message.contains("UploadAddress that has no \(name)"))
    }

    @Test(arguments: ["AccessKeyId", "AccessKeySecret"]) func missingAuthField(_ name: String) throws {
        let error = try failure {
            var auth = plainAuth
            auth[name] = nil
            _ = try read(address: plainAddress, auth: auth)
        }
        #expect(error.message.contains("UploadAuth that has no \(name)"))
    }

    @Test(arguments: [
        ("<html><body>502 \(Self.secrets[0])</body></html>", "a page of HTML"), ("", "nothing"), ("null", "4 bytes"),
        (#"{"UploadAuth":"\#(Self.secrets[1])""#, "bytes"), ("[1]", "3 bytes"),
    ]) func noJSONObject(_ text: String, _ words: String) throws {
        let error = try failure { _ = try AuthAnswer(text.authAnswerJSON(), kind: .createVideo, now: Self.now) }
        #expect(error.message.contains(words))
        #expect(error.vodCode == "InvalidParameter.TokenInvalid")
    }

    @Test func byteOrderMark() throws {
        let json = try ["VideoId": "v", "UploadAddress": Self.address, "UploadAuth": Self.auth].authAnswerJSON()
        let answer = try AuthAnswer(Data([0xEF, 0xBB, 0xBF]) + json, kind: .createVideo, now: Self.now)
        #expect(answer.videoID == "v")
    }

    @Test func blobThatIsNone() throws {
        let error = try failure { _ = try read(["VideoId": "v", "UploadAddress": "%%%", "UploadAuth": Self.auth]) }
        #expect(error.message.contains("UploadAddress that is no base64"))
        let other = try failure { _ = try read(["VideoId": "v", "UploadAddress": "AAAA", "UploadAuth": Self.auth]) }
        #expect(other.message.contains("UploadAddress that holds no JSON object"))
    }

    @Test func refusalGoesThroughUnchanged() throws {
        let error = try failure { _ = try read(refusal("OperationDenied.Suspended")) }
        #expect(error.service?.code == "OperationDenied.Suspended")
        #expect(error.service?.message == "it is so")
        #expect(error.service?.requestID == "vod-request-9")
        #expect(error.vodCode == "OperationDenied.Suspended")
    }

    @Test func credentialThatNoHeaderCarries() throws {
        let error = try failure {
            _ = try read(
                address: plainAddress,
                auth: ["AccessKeyId": "STS.A", "AccessKeySecret": "s", "SecurityToken": "CAIS+tok/en==\r\nX: y"])
        }
        #expect(error.message.contains("SecurityToken"))
    }

    @Test func dictionaryOfAnyValues() throws {
        let dictionary = VODAuthDictionary(["VideoId": "v", "N": 7, "D": ["x": 1], "F": 1.5] as [String: Any])
        let members = try #require(JSONMembers(parsing: try dictionary.authAnswerJSON()))
        #expect(members["VideoId"] == "v")
        #expect(members["N"] == "7")
        #expect(members["D"] == nil)
        #expect(members["F"] == "1.5")
    }
}
