import ObjectStoreStub
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct VODSignatureTests {
    private func server(for vector: VODVector) async throws -> ObjectStoreStub {
        var configuration = StubConfiguration()
        configuration.clock = ManualClock(start: Date(timeIntervalSince1970: vector.time))
        configuration.accounts = [
            StubAccount(accessKey: vector.accessKey, secretKey: vector.secretKey, sessionToken: vector.token)
        ]
        return try await ObjectStoreStub.start(configuration)
    }

    private func send(_ bytes: [UInt8], to server: ObjectStoreStub) throws -> RawClient.Reply {
        let client = try RawClient(port: server.port)
        try client.send(bytes)
        return try client.receive()
    }

    @Test(arguments: VODVector.all)
    func acceptsWhatOfficialClientsSign(vector: VODVector) async throws {
        let server = try await server(for: vector)
        let reply = try send(vector.bytes(), to: server)
        #expect(reply.status == vector.status, "\(reply.text)")
        #expect(server.wireLog.entries.first?.code == vector.code)
        #expect(server.wireLog.entries.first?.diagnosis == nil)
    }

    /// One thing changed in a request that was signed well.
    struct Change: Sendable, CustomTestStringConvertible {
        let vector: VODVector
        let old: String
        let new: String
        var code = "SignatureDoesNotMatch"
        var diagnosis: String? = "unknown: the secret key, a value or more than one component differs"

        var testDescription: String { "\(vector.testDescription): \(old) → \(new)" }
    }

    private static let headerChanges = [
        Change(vector: .createByHeader, old: "Title=My", new: "Title=Mx"),
        Change(vector: .createByHeader, old: "FileSize=1234", new: "FileSize=1235"),
        Change(vector: .createByHeader, old: "CateId=1000&", new: ""),
        Change(
            vector: .createByHeader, old: "CateId=1000", new: "CateId=1000&AppId=app-1",
            diagnosis: "query AppId: sent but not signed"),
        Change(vector: .createByHeader, old: "POST /", new: "GET /", diagnosis: "method: signed as POST"),
        Change(vector: .createByHeader, old: "Host: vod.cn-shanghai", new: "Host: vod.cn-beijing"),
        Change(
            vector: .createByHeader, old: "aliyuncs.com\n", new: "aliyuncs.com:80\n",
            diagnosis: "host: signed without its port"),
        Change(vector: .createByHeader, old: "action: CreateUploadVideo", new: "action: RefreshUploadVideo"),
        Change(vector: .createByHeader, old: "08:30:00Z", new: "08:30:01Z"),
        Change(vector: .createByHeader, old: "nonce: 9b", new: "nonce: 9c"),
        Change(vector: .createByHeader, old: "version: 2017-03-21", new: "version: 2017-03-22"),
        Change(
            vector: .createByHeader, old: "sha256: e3b0", new: "sha256: e3b1"),
        Change(vector: .createByHeader, old: "Signature=5f", new: "Signature=6f"),
        Change(
            vector: .createByHeader, old: "Content-Length: 0", new: "Content-Type: text/plain\nContent-Length: 0",
            diagnosis: "content-type is sent but not signed"),
        Change(
            vector: .createByHeader, old: "Content-Length: 0", new: "x-acs-extra: 1\nContent-Length: 0",
            diagnosis: "x-acs-extra is sent but not signed"),
        Change(
            vector: .createByHeader, old: "x-acs-version: 2017-03-21\n", new: "",
            diagnosis: "x-acs-version is signed but not sent"),
        Change(
            vector: .createByHeader, old: "=host;", new: "=", diagnosis: "host is not signed"),
        Change(
            vector: .createByHeader, old: "Content-Length: 0", new: "Content-Length: 4\n\na=bc",
            diagnosis: nil),
        Change(
            vector: .createByHeader, old: "TESTAKID0001,", new: "TESTAKID0002,", code: "InvalidAccessKeyId.NotFound",
            diagnosis: nil),
        Change(
            vector: .createByHeader, old: "x-acs-signature-nonce: 9b7a44b0-3be1-11e5-8c73-08002700c460\n", new: "",
            code: "MissingParameter", diagnosis: nil),
        Change(
            vector: .createByHeader, old: "ACS3-HMAC-SHA256 C", new: "ACS3-RSA-SHA256 C", code: "IncompleteSignature",
            diagnosis: "The authorization header does not begin with ACS3-HMAC-SHA256."),
        Change(
            vector: .createByHeaderWithToken, old: "CAIS+", new: "CAIS-",
            code: "InvalidSecurityToken.MismatchWithAccessKey", diagnosis: "the token is not that of the keys"),
        Change(
            vector: .createByHeaderWithToken, old: "x-acs-security-token: CAIS+tok/en==\n", new: "",
            code: "InvalidSecurityToken.MismatchWithAccessKey", diagnosis: "no token, though the keys need one"),
    ]

    private static let parameterChanges = [
        Change(vector: .createByParameter, old: "Title=My", new: "Title=Mx"),
        Change(vector: .createByParameter, old: "CateId=1000&", new: ""),
        Change(
            vector: .createByParameter, old: "CateId=1000", new: "CateId=1000&AppId=app-1",
            diagnosis: "parameter AppId: sent but not signed"),
        Change(vector: .createByParameter, old: "POST /", new: "GET /", diagnosis: "method: signed as POST"),
        Change(vector: .createByParameter, old: "08%3A30%3A00Z", new: "08%3A30%3A01Z"),
        Change(vector: .createByParameter, old: "Nonce=9b", new: "Nonce=9c"),
        Change(vector: .createByParameter, old: "2017-03-21", new: "2017-03-22"),
        Change(vector: .createByParameter, old: "Action=Create", new: "Action=Refresh"),
        Change(vector: .createByParameter, old: "Signature=%2B%2F0", new: "Signature=%2B%2F1"),
        Change(vector: .createByForm, old: "Title=My", new: "Title=Mx"),
        Change(vector: .refreshByParameter, old: "VideoId=93", new: "VideoId=94"),
        Change(
            vector: .refreshByParameter, old: "GET /", new: "POST /", diagnosis: "method: signed as GET"),
        Change(
            vector: .refreshByParameter, old: "SecurityToken=CAIS%2Btok%2Fen%3D%3D&", new: "",
            code: "InvalidSecurityToken.MismatchWithAccessKey", diagnosis: "no token, though the keys need one"),
        Change(
            vector: .refreshByParameter, old: "TESTAKID0001", new: "TESTAKID0002", code: "InvalidAccessKeyId.NotFound",
            diagnosis: nil),
        Change(
            vector: .refreshByParameter, old: "HMAC-SHA1", new: "HMAC-SHA256", code: "InvalidParameter", diagnosis: nil),
        Change(
            vector: .refreshByParameter, old: "SignatureNonce=9b7a44b0-3be1-11e5-8c73-08002700c460&", new: "",
            code: "MissingParameter", diagnosis: nil),
    ]

    @Test(arguments: headerChanges + parameterChanges)
    func refusesWhatWasNotSigned(change: Change) async throws {
        let server = try await server(for: change.vector)
        try #require(change.vector.request.contains(change.old))
        let reply = try send(
            change.vector.bytes { $0.replacing(change.old, with: change.new, maxReplacements: 1) }, to: server)
        #expect(reply.status == (change.code == "InvalidAccessKeyId.NotFound" ? 404 : 400))
        #expect(try reply.member("Code") == change.code)
        let entry = try #require(server.wireLog.entries.first)
        #expect(entry.code == change.code)
        if change.diagnosis != nil || change.code != "SignatureDoesNotMatch" {
            #expect(entry.diagnosis == change.diagnosis)
        } else {
            #expect(entry.diagnosis?.hasPrefix("body: its SHA-256 is ") == true)
        }
        #expect(server.vod.videos.isEmpty)
    }

    @Test func aBlankMayBeAPlusOnTheWire() async throws {
        for vector in [VODVector.createByHeader, .createByParameter] {
            let server = try await server(for: vector)
            let reply = try send(vector.bytes { $0.replacing("%20a%2Bb", with: "+a%2Bb") }, to: server)
            #expect(reply.status == 200)
            #expect(server.vod.videos.first?.title == "My 视频 a+b*c~")
        }
    }

    /// What clients are known to do wrong, and what the log must name.
    struct Slip: Sendable, CustomTestStringConvertible {
        let way: VODFixture.Way
        var keySuffix = "&"
        var secret: String?
        var slip: @Sendable (String) -> String = { $0 }
        let diagnosis: String

        var testDescription: String { "\(way): \(diagnosis)" }
    }

    private static let slips = [
        Slip(way: .headerPost, slip: { $0.replacing("%20", with: "+") }, diagnosis: "query: blanks as +"),
        Slip(way: .headerPost, slip: { $0.replacing("%2F", with: "/") }, diagnosis: "query: / not encoded"),
        Slip(
            way: .headerGet, slip: { $0.replacing("GET\n/\n", with: "GET\n\n") }, diagnosis: "path: signed as empty"),
        Slip(
            way: .headerPost, slip: { $0.replacing(OpenAPITestSigner.text(VODFixture.video), with: "") },
            diagnosis: "query: left out"),
        Slip(
            way: .headerForm, slip: { $0.replacing("x-acs-version:2017-03-21\n", with: "x-acs-version:\n") },
            diagnosis: "header x-acs-version: signed as empty"),
        Slip(
            way: .headerPost, secret: "ExampleSecretKeyForTestVectorsOnly==&",
            diagnosis: "secret: used with & behind it"),
        Slip(way: .headerPost, secret: "of another", diagnosis: "secret: it is that of the access key OTHER"),
        Slip(way: .parameterPost, secret: "of another", diagnosis: "secret: it is that of the access key OTHER"),
        Slip(way: .parameterGet, keySuffix: "", diagnosis: "secret: used without & behind it"),
        Slip(
            way: .parameterGet, slip: { $0.replacing("&%2F&", with: "&/&") },
            diagnosis: "path: signed without its encoding"),
        Slip(way: .parameterForm, slip: { $0.replacing("%2520", with: "%2B") }, diagnosis: "parameters: blanks as +"),
        Slip(
            way: .parameterForm, slip: { $0.replacing("%26Title%3DA%2520title", with: "") },
            diagnosis: "parameter Title: sent but not signed"),
    ]

    @Test(arguments: slips)
    func namesTheComponentThatDiffers(slip: Slip) async throws {
        var vod = try await VODFixture()
        vod.server.accounts.add(StubAccount(accessKey: "OTHER", secretKey: "of another"))
        vod.signer.keySuffix = slip.keySuffix
        vod.signer.slip = slip.slip
        if let secret = slip.secret { vod.signer.secretKey = secret }
        let reply = try vod.call(slip.way, "CreateUploadVideo", VODFixture.video)
        #expect(try reply.member("Code") == "SignatureDoesNotMatch")
        #expect(vod.server.wireLog.entries.first?.diagnosis == slip.diagnosis)
    }

    @Test func aRefusalShowsWhatTheServerWouldHaveSigned() async throws {
        var vod = try await VODFixture()
        vod.signer.secretKey = "another"
        let byHeader = try vod.call(.headerPost, "CreateUploadVideo", VODFixture.video)
        #expect(try byHeader.member("Message").contains("server CanonicalRequest is:[POST"))
        let byParameter = try vod.call(.parameterPost, "CreateUploadVideo", VODFixture.video)
        #expect(try byParameter.member("Message").contains("server string to sign is:POST&%2F&AccessKeyId%3D"))
        for reply in [byHeader, byParameter] { #expect(!reply.text.contains(vod.stub.signer.secretKey)) }
    }

    @Test func aNonceIsGoodOnce() async throws {
        let vod = try await VODFixture()
        let host = vod.host
        func byHeader(_ signer: OpenAPITestSigner) throws -> RawClient.Reply {
            try vod.send(signer.headerSigned("POST", "CreateUploadVideo", host: host, query: VODFixture.video))
        }
        func byParameter(_ signer: OpenAPITestSigner) throws -> RawClient.Reply {
            try vod.send(signer.parameterSigned("POST", "CreateUploadVideo", host: host, query: VODFixture.video))
        }
        var signer = vod.signer
        #expect(try byHeader(signer).status == 200)
        let again = try byHeader(signer)
        #expect(again.status == 400)
        #expect(try again.member("Code") == "SignatureNonceUsed")
        #expect(try byParameter(signer).member("Code") == "SignatureNonceUsed")
        signer.nonce = "another"
        #expect(try byParameter(signer).status == 200)
        #expect(try byParameter(signer).member("Code") == "SignatureNonceUsed")
        // A request that was refused for its signature has not spent its nonce.
        signer.nonce = "third"
        var wrong = signer
        wrong.secretKey = "wrong"
        #expect(try byHeader(wrong).member("Code") == "SignatureDoesNotMatch")
        #expect(try byHeader(signer).status == 200)
        #expect(vod.server.vod.videos.count == 3)
    }

    @Test(arguments: [VODFixture.Way.headerPost, .parameterGet, .parameterForm], [-16, -14, 14, 16])
    func aClockMayDifferByFifteenMinutes(way: VODFixture.Way, minutes: Int) async throws {
        let vod = try await VODFixture()
        vod.stub.clock.jumpWallClock(by: Double(minutes * 60))
        let reply = try vod.call(way, "CreateUploadVideo", VODFixture.video)
        if abs(minutes) < 15 {
            #expect(reply.status == 200)
        } else {
            #expect(reply.status == 400)
            #expect(try reply.member("Code") == "InvalidTimeStamp.Expired")
            let date = minutes > 0 ? "Tue, 01 Jul 2025 08:16:00 GMT" : "Tue, 01 Jul 2025 07:44:00 GMT"
            #expect(reply.headers["date"] == date)
        }
    }

    @Test(arguments: ["", "20250701T080000Z", "2025-07-01T08:00:00+00:00", "2025-13-01T08:00:00Z", "yesterday"])
    func aTimeStampHasOneForm(date: String) async throws {
        var vod = try await VODFixture()
        vod.signer.date = date
        for way in [VODFixture.Way.headerPost, .parameterPost] {
            let reply = try vod.call(way, "CreateUploadVideo", VODFixture.video)
            #expect(reply.status == 400)
            #expect(try reply.member("Code") == (date.isEmpty ? "MissingParameter" : "InvalidTimeStamp.Format"))
        }
    }

    @Test(arguments: [VODFixture.Way.headerPost, .parameterGet])
    func sessionTokensOfTheCaller(way: VODFixture.Way) async throws {
        var vod = try await VODFixture()
        let end = Date(timeIntervalSince1970: 1_751_356_800 + 60)
        vod.server.accounts.add(
            StubAccount(accessKey: "STS.CALLER", secretKey: "s", sessionToken: "token+/=", expires: end))
        vod.signer.accessKey = "STS.CALLER"
        vod.signer.secretKey = "s"
        #expect(
            try vod.call(way, "CreateUploadVideo", VODFixture.video).member("Code")
                == "InvalidSecurityToken.MismatchWithAccessKey")
        vod.signer.token = "token+/="
        #expect(try vod.call(way, "CreateUploadVideo", VODFixture.video).status == 200)
        vod.stub.clock.advance(by: .seconds(60))
        let expired = try vod.call(way, "CreateUploadVideo", VODFixture.video)
        #expect(expired.status == 400)
        #expect(try expired.member("Code") == "InvalidSecurityToken.Expired")
    }

    @Test func withoutASignatureNothingIsDone() async throws {
        let vod = try await VODFixture()
        let query = "Action=CreateUploadVideo&Version=2017-03-21&Title=t&FileName=a.mp4"
        let reply = try vod.send(Array("GET /?\(query) HTTP/1.1\r\nHost: \(vod.host)\r\n\r\n".utf8))
        #expect(reply.status == 400)
        #expect(try reply.member("Code") == "MissingParameter")
        #expect(try reply.member("Message").contains("AccessKeyId"))
        #expect(vod.server.vod.videos.isEmpty)
    }
}
