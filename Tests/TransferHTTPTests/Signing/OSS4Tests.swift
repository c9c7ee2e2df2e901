import Foundation
import Testing
import TransferPrimitives

@testable import TransferHTTP

/// Vectors A.1 to A.8 of the Aliyun specification: the same signer with OSS's values.
@Suite struct OSS4Tests {
    private static let date = Date(timeIntervalSince1970: 1_736_929_800)  // 2025-01-15T08:30:00Z
    private static let permanent = Credentials(accessKey: "TESTAKID0001", secretKey: "TestSecret/With+Chars=0001")
    private static let temporary = Credentials(
        accessKey: permanent.accessKey, secretKey: permanent.secretKey, securityToken: "CAIS+tok/en==")
    private static let uploadID = "0004B9894A22E5B1888A1E29F823AAAA"
    private static let difficultPath = PercentEncoding.path("dir/中文 a+b%c~(1)!*'.mp4")

    private func request(
        _ method: HTTPMethod, _ path: String, _ query: [HTTPRequest.QueryItem] = [],
        _ headers: KeyValuePairs<String, String> = [:]
    ) throws -> HTTPRequest {
        var request = try HTTPRequest(
            method, at: HTTPEndpoint(parsing: "https://examplebucket.oss-cn-shanghai.aliyuncs.com"), path: "/" + path,
            query: query, headers: HTTPHeaders(headers))
        request.canonicalPath = "/examplebucket/" + path
        return request
    }

    private func signed(
        _ request: HTTPRequest, _ credentials: Credentials, additional: [String] = []
    ) throws -> String? {
        var request = request
        let signer = V4Signer(.oss4, region: "cn-shanghai", additionalHeaders: additional)
        try signer.sign(&request, with: credentials, at: Self.date)
        let prefix = "OSS4-HMAC-SHA256 Credential=TESTAKID0001/20250115/cn-shanghai/oss/aliyun_v4_request,"
        let authorization = try #require(request.headers["Authorization"])
        #expect(authorization.hasPrefix(prefix))
        return String(authorization.dropFirst(prefix.count))
    }

    @Test func a1PutObject() throws {
        let request = try request(.put, "video/a.mp4", [], ["Content-Type": "video/mp4", "x-oss-meta-author": "alice"])
        #expect(
            try signed(request, Self.permanent)
                == "Signature=7cfd806ae228fb29d604355c5c0c47a107e79ebe15421d527596ef748aa2488d")
    }

    @Test func a2UploadPart() throws {
        let request = try request(
            .put, "sv/1f5a/video.mp4", [.init("partNumber", "1"), .init("uploadId", Self.uploadID)],
            ["Content-Type": "application/octet-stream"])
        #expect(
            try signed(request, Self.temporary)
                == "Signature=31245b87e844212aef59bd2dae1427a18247654c2d924693c935642b4b01807f")
    }

    @Test func a3InitiateOfADifficultKey() throws {
        let request = try request(
            .post, Self.difficultPath, [.init("uploads"), .init("encoding-type", "url")],
            ["Content-Type": "video/mp4", "x-oss-forbid-overwrite": "true"])
        #expect(
            try signed(request, Self.temporary)
                == "Signature=25ef29e2165c9c756b4cd52886d44825b1479b78dda87670b45e1cb894b9ab0f")
    }

    @Test func a4AdditionalHeaders() throws {
        let request = try request(
            .get, Self.difficultPath, [.init("versionId", "CAEQ/a+b==")], ["Range": "bytes=0-99"])
        #expect(
            try signed(request, Self.permanent, additional: ["Range", "Host", "x-oss-date"])
                == "AdditionalHeaders=host;range,"
                + "Signature=16c28b770b1a881729b44904929e8835cadc72fbc5a2b2ea661e2061eb4f959d")
    }

    @Test func a5Complete() throws {
        let request = try request(
            .post, "sv/1f5a/video.mp4", [.init("uploadId", Self.uploadID), .init("encoding-type", "url")],
            ["Content-Type": "application/xml", "Content-MD5": "1B2M2Y8AsgTpgAmY7PhCfg=="])
        #expect(
            try signed(request, Self.temporary)
                == "Signature=369b4fdd73d1cacc710703b6e6a326d63d0a64323e24c92c6b13938b277df3f2")
    }

    @Test func a6ListUploads() throws {
        let request = try request(
            .get, "",
            [.init("uploads"), .init("encoding-type", "url"), .init("prefix", "a/b c"), .init("max-uploads", "2")])
        #expect(
            try signed(request, Self.permanent)
                == "Signature=a087a30e9d6efd99eb6ebf24cccdae48c892e74fc2d45c1d3aae97fa2aad67f3")
    }

    @Test func a7PresignedGet() throws {
        let request = try request(
            .get, Self.difficultPath, [.init("response-content-disposition", "attachment; filename=\"a b.mp4\"")])
        let presigned = try V4Signer(.oss4, region: "cn-shanghai").presign(
            request, with: Self.temporary, at: Self.date, lifetime: 3600)
        #expect(
            presigned.query.last
                == .init("x-oss-signature", "d16219b4472f13f28eef40f9a4a4032f6c34bbca943719bdbe8577de7c3071bb"))
        #expect(!presigned.query.contains { $0.name == "x-oss-additional-headers" })
    }

    @Test func a8PresignedPutWithSignedHeaders() throws {
        let request = try request(.put, "video/a.mp4", [], ["Content-Type": "video/mp4"])
        let signer = V4Signer(.oss4, region: "cn-shanghai", additionalHeaders: ["host"])
        let presigned = try signer.presign(request, with: Self.permanent, at: Self.date, lifetime: 900)
        #expect(
            presigned.query.last
                == .init("x-oss-signature", "75b431758f59039103cf8d4d9a1d82d13e88af9c76493cadaf64dded6ee0f47c"))
    }
}
