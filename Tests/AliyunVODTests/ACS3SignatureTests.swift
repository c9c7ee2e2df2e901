import Testing
import TransferHTTP
import TransferPrimitives

@testable import AliyunVOD

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The vectors of the specification, appendix C.2.
@Suite struct ACS3SignatureTests {
    private static let nonce = "9b7a44b0-3be1-11e5-8c73-08002700c460"
    private static let date = Date(timeIntervalSince1970: 1_736_929_800)  // 2025-01-15T08:30:00Z
    private static let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    private func createUploadVideo() throws -> HTTPRequest {
        var headers = HTTPHeaders()
        try headers.append("Accept", "application/json")
        try headers.append("x-acs-action", "CreateUploadVideo")
        try headers.append("x-acs-version", "2017-03-21")
        let values = OpenAPIParameters.createVideo(
            fileName: "dir/我的 a.mp4", fileSize: 1234,
            meta: VODVideoMeta(
                title: "My 视频 a+b*c~", coverUrl: "https://example.com/c.jpg", cateId: 1000, tags: "t1,t2",
                userData: #"{"Type":"oss","Domain":"oss-accelerate.aliyuncs.com"}"#), extra: [:]
        ).values
        return HTTPRequest(
            .post, at: try HTTPEndpoint(parsing: "https://vod.cn-shanghai.aliyuncs.com"),
            query: values.map { HTTPRequest.QueryItem($0.key, $0.value) }, headers: headers)
    }

    private func signed(_ token: String?) throws -> HTTPRequest {
        var request = try createUploadVideo()
        let credentials = Credentials(
            accessKey: "TESTAKID0001", secretKey: "TestSecret/With+Chars=0001", securityToken: token)
        try ACS3Signer { Self.nonce }.sign(&request, with: credentials, at: Self.date)
        return request
    }

    private func canonicalDigest(_ request: HTTPRequest) -> String {
        Hex.encode(Digest.sha256(ACS3Signer.canonicalRequest(request, payload: Self.empty).text.utf8))
    }

    @Test func permanentKey() throws {
        let request = try signed(nil)
        #expect(canonicalDigest(request) == "23b8f94e4bcaa37fedda5798b1dc70954a5f44dd1b60a6b31bcc972888e160a0")
        #expect(
            request.headers["Authorization"]
                == """
                ACS3-HMAC-SHA256 Credential=TESTAKID0001,SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;\
                x-acs-signature-nonce;x-acs-version,\
                Signature=5f6fbb092ee4e48bba67de7c38dce318e82abab3c81043e9ff4f9d46577bae83
                """)
    }

    @Test func temporaryKey() throws {
        let request = try signed("CAIS+tok/en==")
        #expect(canonicalDigest(request) == "80bac8ace7352690b45f3c0ab0391f4e572186d1c75d2b999bdbb61f9a2f5801")
        let authorization = try #require(request.headers["Authorization"])
        #expect(authorization.hasSuffix("827031b65c62ca14685ea62e16303da8e5a8db98948455a16bd6ae34d0423bde"))
        #expect(authorization.contains(";x-acs-security-token;"))
    }

    @Test func publishedExampleOfECS() throws {
        var headers = HTTPHeaders()
        try headers.append("x-acs-action", "RunInstances")
        try headers.append("x-acs-version", "2014-05-26")
        var request = HTTPRequest(
            .post, at: try HTTPEndpoint(parsing: "https://ecs.cn-shanghai.aliyuncs.com"),
            query: [
                .init("RegionId", "cn-shanghai"),
                .init("ImageId", "win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd"),
            ], headers: headers)
        let date = try #require(HTTPDate.parseISO8601("2023-10-26T10:22:32Z"))
        try ACS3Signer { "3156853299f313e23d1673dc12e1703d" }.sign(
            &request, with: Credentials(accessKey: "YourAccessKeyId", secretKey: "YourAccessKeySecret"), at: date)
        #expect(canonicalDigest(request) == "7ea06492da5221eba5297e897ce16e55f964061054b7695beedaac1145b1e259")
        #expect(
            request.headers["Authorization"]?.hasSuffix(
                "06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0") == true)
    }

    @Test func blanksGoAsPercentTwenty() throws {
        #expect(try signed(nil).url.contains("Title=My%20%E8%A7%86%E9%A2%91%20a%2Bb%2Ac~"))
    }
}
