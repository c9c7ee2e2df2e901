import Testing
import TransferCore
import TransferPrimitives

@testable import AliyunOSS
@testable import TransferHTTP

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Appendix A of the specification: canonical request, string to sign and signature of every vector.
@Suite struct SignatureV4Tests {
    private let scope = "20250115/cn-shanghai/oss/aliyun_v4_request"

    private func unsigned(
        _ method: HTTPMethod, key: String, _ query: [HTTPRequest.QueryItem] = [],
        _ headers: KeyValuePairs<String, String> = [:], at base: String = "https://oss-cn-shanghai.aliyuncs.com",
        _ rule: AddressRule = AddressRule()
    ) throws -> HTTPRequest {
        let location = try rule.location(bucket: Vector.bucket, key: key, at: HTTPEndpoint(parsing: base))
        var request = HTTPRequest(
            method, at: location.endpoint, path: location.path, query: query, headers: try HTTPHeaders(headers))
        request.canonicalPath = location.canonicalPath
        return request
    }

    /// Signs, and compares all that leads to the signature.
    private func check(
        _ request: HTTPRequest, _ credentials: Credentials, additional: [String] = [], canonical: String,
        digest: String,
        signature: String
    ) throws {
        var request = request
        let signer = V4Signer(.oss4, region: "cn-shanghai", additionalHeaders: additional)
        try OSSRequestSigner(.v4, region: "cn-shanghai", additionalHeaders: additional)
            .sign(&request, with: credentials, at: Vector.date)
        #expect(request.headers["Date"] == "Wed, 15 Jan 2025 08:30:00 GMT")
        let bytes = signer.canonicalRequest(for: request).bytes
        #expect(String(decoding: bytes, as: UTF8.self) == canonical)
        let text = signer.stringToSign(bytes, signer.keys.moment(Vector.date))
        #expect(
            String(decoding: text, as: UTF8.self)
                == "OSS4-HMAC-SHA256\n20250115T083000Z\n\(scope)\n\(digest)")
        let listed = additional.isEmpty ? "" : "AdditionalHeaders=\(additional.joined(separator: ";")),"
        #expect(
            request.headers["Authorization"]
                == "OSS4-HMAC-SHA256 Credential=TESTAKID0001/\(scope),\(listed)Signature=\(signature)")
    }

    @Test func `key chain`() {
        let signer = V4Signer(.oss4, region: "cn-shanghai")
        #expect(
            signer.keyChain(secret: Vector.permanent.secretKey, day: "20250115").map { Hex.encode($0) } == [
                "778b0ab144fc6892a1825d1ee69a8794ae2cb320f1fb7b1a6e715a9040aa7da6",
                "e47d810324413d7cdd075739c2ec138934810cac6440328e65b332a433c760fc",
                "eb123dc82ad7bcafb2debd2a57fa8f7b1eaf188d37603cc4a7587e50de45347d",
                "45ed607db358a24bb3d3fe8fa8d5e5e059966fd7b9793feec4135f1fd5ba8dd2",
            ])
    }

    @Test func `A.1 PutObject`() throws {
        try check(
            unsigned(.put, key: "video/a.mp4", [], ["Content-Type": "video/mp4", "x-oss-meta-author": "alice"]),
            Vector.permanent,
            canonical: """
                PUT
                /examplebucket/video/a.mp4

                content-type:video/mp4
                x-oss-content-sha256:UNSIGNED-PAYLOAD
                x-oss-date:20250115T083000Z
                x-oss-meta-author:alice


                UNSIGNED-PAYLOAD
                """,
            digest: "12ce4b9e62f84308a08adbe998b044b79f641b8f8d33b4509593ad70b31326c4",
            signature: "7cfd806ae228fb29d604355c5c0c47a107e79ebe15421d527596ef748aa2488d")
    }

    @Test func `A.2 UploadPart with a token`() throws {
        try check(
            unsigned(
                .put, key: "sv/1f5a/video.mp4", [.init("partNumber", "1"), .init("uploadId", Vector.uploadID)],
                ["Content-Type": "application/octet-stream"]),
            Vector.temporary,
            canonical: """
                PUT
                /examplebucket/sv/1f5a/video.mp4
                partNumber=1&uploadId=0004B9894A22E5B1888A1E29F823AAAA
                content-type:application/octet-stream
                x-oss-content-sha256:UNSIGNED-PAYLOAD
                x-oss-date:20250115T083000Z
                x-oss-security-token:CAIS+tok/en==


                UNSIGNED-PAYLOAD
                """,
            digest: "721ec4ca1be6eef5177c6a88559a9b4e0e0f86e73ac69a8858ffdcfe71572faa",
            signature: "31245b87e844212aef59bd2dae1427a18247654c2d924693c935642b4b01807f")
    }

    @Test func `A.3 Initiate of a difficult key with forbid-overwrite`() throws {
        try check(
            unsigned(
                .post, key: Vector.difficultKey, [.init("uploads"), .init("encoding-type", "url")],
                ["Content-Type": "video/mp4", "x-oss-forbid-overwrite": "true"]),
            Vector.temporary,
            canonical: """
                POST
                /examplebucket/dir/%E4%B8%AD%E6%96%87%20a%2Bb%25c~%281%29%21%2A%27.mp4
                encoding-type=url&uploads
                content-type:video/mp4
                x-oss-content-sha256:UNSIGNED-PAYLOAD
                x-oss-date:20250115T083000Z
                x-oss-forbid-overwrite:true
                x-oss-security-token:CAIS+tok/en==


                UNSIGNED-PAYLOAD
                """,
            digest: "1c1e711305c71f33edb46346654ed1f5296cda3f24d518796e63acc4bf55ac4c",
            signature: "25ef29e2165c9c756b4cd52886d44825b1479b78dda87670b45e1cb894b9ab0f")
    }

    @Test func `A.4 GetObject with range and host as additional headers`() throws {
        try check(
            unsigned(
                .get, key: Vector.difficultKey, [.init("versionId", "CAEQ/a+b==")], ["Range": "bytes=0-99"]),
            Vector.permanent, additional: ["host", "range"],
            canonical: """
                GET
                /examplebucket/dir/%E4%B8%AD%E6%96%87%20a%2Bb%25c~%281%29%21%2A%27.mp4
                versionId=CAEQ%2Fa%2Bb%3D%3D
                host:examplebucket.oss-cn-shanghai.aliyuncs.com
                range:bytes=0-99
                x-oss-content-sha256:UNSIGNED-PAYLOAD
                x-oss-date:20250115T083000Z

                host;range
                UNSIGNED-PAYLOAD
                """,
            digest: "affd2fa0c82fbf2eaccf03c9d9a1dd47e9cb05c614ba1179d6a2499b4bf0bdfa",
            signature: "16c28b770b1a881729b44904929e8835cadc72fbc5a2b2ea661e2061eb4f959d")
    }

    @Test func `A.5 Complete with Content-MD5 and Content-Type`() throws {
        try check(
            unsigned(
                .post, key: "sv/1f5a/video.mp4",
                [.init("uploadId", Vector.uploadID), .init("encoding-type", "url")],
                ["Content-Type": "application/xml", "Content-MD5": "1B2M2Y8AsgTpgAmY7PhCfg=="]),
            Vector.temporary,
            canonical: """
                POST
                /examplebucket/sv/1f5a/video.mp4
                encoding-type=url&uploadId=0004B9894A22E5B1888A1E29F823AAAA
                content-md5:1B2M2Y8AsgTpgAmY7PhCfg==
                content-type:application/xml
                x-oss-content-sha256:UNSIGNED-PAYLOAD
                x-oss-date:20250115T083000Z
                x-oss-security-token:CAIS+tok/en==


                UNSIGNED-PAYLOAD
                """,
            digest: "9ca561d859f2115dba14f831df6d83d16f23304b398afa6e26b8f46fc8ae5aca",
            signature: "369b4fdd73d1cacc710703b6e6a326d63d0a64323e24c92c6b13938b277df3f2")
    }

    @Test func `A.6 ListMultipartUploads of a bucket`() throws {
        try check(
            unsigned(
                .get, key: "",
                [.init("uploads"), .init("encoding-type", "url"), .init("prefix", "a/b c"), .init("max-uploads", "2")]),
            Vector.permanent,
            canonical: """
                GET
                /examplebucket/
                encoding-type=url&max-uploads=2&prefix=a%2Fb%20c&uploads
                x-oss-content-sha256:UNSIGNED-PAYLOAD
                x-oss-date:20250115T083000Z


                UNSIGNED-PAYLOAD
                """,
            digest: "a5bbea65cb764212c2467698c2a6f955a7b6e97fc1db68d9b7c2fed169c350d8",
            signature: "a087a30e9d6efd99eb6ebf24cccdae48c892e74fc2d45c1d3aae97fa2aad67f3")
    }

    /// Presigns, and compares all that leads to the signature. The order of parameters in a URL is free.
    private func checkURL(
        _ request: HTTPRequest, _ credentials: Credentials, additional: [String] = [], lifetime: Int, canonical: String,
        digest: String, url: String
    ) throws {
        let signer = V4Signer(.oss4, region: "cn-shanghai", additionalHeaders: additional)
        let presigned = try signer.presign(request, with: credentials, at: Vector.date, lifetime: lifetime)
        var unsigned = presigned
        unsigned.query.removeLast()
        let bytes = signer.presignedRequest(unsigned).bytes
        #expect(String(decoding: bytes, as: UTF8.self) == canonical)
        let text = signer.stringToSign(bytes, signer.keys.moment(Vector.date))
        #expect(
            String(decoding: text, as: UTF8.self) == "OSS4-HMAC-SHA256\n20250115T083000Z\n\(scope)\n\(digest)")
        #expect(sortedURL(presigned.url) == sortedURL(url))
        #expect(presigned.query.last?.name == "x-oss-signature")
    }

    private func sortedURL(_ url: String) -> [String] {
        url.split(separator: "?", maxSplits: 1).flatMap { $0.split(separator: "&").map(String.init).sorted() }
    }

    @Test func `A.7 presigned GET with a token and a response override`() throws {
        var overrides = OSSResponseOverrides()
        overrides.contentDisposition = "attachment; filename=\"a b.mp4\""
        try checkURL(
            unsigned(.get, key: Vector.difficultKey, overrides.query), Vector.temporary, lifetime: 3600,
            canonical: """
                GET
                /examplebucket/dir/%E4%B8%AD%E6%96%87%20a%2Bb%25c~%281%29%21%2A%27.mp4
                response-content-disposition=attachment%3B%20filename%3D%22a%20b.mp4%22&\
                x-oss-credential=TESTAKID0001%2F20250115%2Fcn-shanghai%2Foss%2Faliyun_v4_request&\
                x-oss-date=20250115T083000Z&x-oss-expires=3600&x-oss-security-token=CAIS%2Btok%2Fen%3D%3D&\
                x-oss-signature-version=OSS4-HMAC-SHA256


                UNSIGNED-PAYLOAD
                """,
            digest: "98017277e25e4cc1e64c49ec9d47029cb033ba7ee5c7dee7424600d24f80c23e",
            url: """
                https://examplebucket.oss-cn-shanghai.aliyuncs.com/dir/\
                %E4%B8%AD%E6%96%87%20a%2Bb%25c~%281%29%21%2A%27.mp4\
                ?response-content-disposition=attachment%3B%20filename%3D%22a%20b.mp4%22\
                &x-oss-signature-version=OSS4-HMAC-SHA256&x-oss-date=20250115T083000Z&x-oss-expires=3600\
                &x-oss-credential=TESTAKID0001%2F20250115%2Fcn-shanghai%2Foss%2Faliyun_v4_request\
                &x-oss-security-token=CAIS%2Btok%2Fen%3D%3D\
                &x-oss-signature=d16219b4472f13f28eef40f9a4a4032f6c34bbca943719bdbe8577de7c3071bb
                """)
    }

    @Test func `A.8 presigned PUT with Content-Type and host signed`() throws {
        try checkURL(
            unsigned(.put, key: "video/a.mp4", [], ["Content-Type": "video/mp4"]), Vector.permanent,
            additional: ["host"], lifetime: 900,
            canonical: """
                PUT
                /examplebucket/video/a.mp4
                x-oss-additional-headers=host&\
                x-oss-credential=TESTAKID0001%2F20250115%2Fcn-shanghai%2Foss%2Faliyun_v4_request&\
                x-oss-date=20250115T083000Z&x-oss-expires=900&x-oss-signature-version=OSS4-HMAC-SHA256
                content-type:video/mp4
                host:examplebucket.oss-cn-shanghai.aliyuncs.com

                host
                UNSIGNED-PAYLOAD
                """,
            digest: "ae8627dfd4d69ee4ab7890d202ea7d153c051874753035a6f8ebf106caeab83b",
            url: """
                https://examplebucket.oss-cn-shanghai.aliyuncs.com/video/a.mp4\
                ?x-oss-signature-version=OSS4-HMAC-SHA256&x-oss-date=20250115T083000Z&x-oss-expires=900\
                &x-oss-credential=TESTAKID0001%2F20250115%2Fcn-shanghai%2Foss%2Faliyun_v4_request\
                &x-oss-additional-headers=host\
                &x-oss-signature=75b431758f59039103cf8d4d9a1d82d13e88af9c76493cadaf64dded6ee0f47c
                """)
    }

    /// The request of the public vectors of A.9.
    private func published(_ headers: KeyValuePairs<String, String>) throws -> HTTPRequest {
        var request = HTTPRequest(
            .put, at: try HTTPEndpoint(parsing: "https://bucket.oss-cn-hangzhou.aliyuncs.com"),
            path: "/1234%2B-/123/1.txt",
            query: [
                .init("param1", "value1"), .init("+param1", "value3"), .init("|param1", "value4"), .init("+param2"),
                .init("|param2"), .init("param2"),
            ], headers: try HTTPHeaders(headers))
        request.canonicalPath = "/bucket/1234%2B-/123/1.txt"
        return request
    }

    private static let headerVectors: [(time: Double, token: String?, additional: [String], signature: String)] = [
        (1_702_743_657, nil, [], "e21d18daa82167720f9b1047ae7e7f1ce7cb77a31e8203a7d5f4624fa0284afe"),
        (1_702_784_856, "token", [], "b94a3f999cf85bcdc00d332fbd3734ba03e48382c36fa4d5af5df817395bd9ea"),
        (1_702_747_512, nil, ["abc", "ZAbc"], "4a4183c187c07c8947db7620deb0a6b38d9fbdd34187b6dbaccb316fa251212f"),
    ]

    @Test(arguments: headerVectors.indices)
    func `A.9 public vectors in headers`(row: Int) throws {
        let vector = Self.headerVectors[row]
        var request = try published([
            "x-oss-head1": "value", "abc": "value", "ZAbc": "value", "XYZ": "value", "content-type": "text/plain",
        ])
        let signer = V4Signer(.oss4, region: "cn-hangzhou", additionalHeaders: vector.additional)
        let credentials = Credentials(accessKey: "ak", secretKey: "sk", securityToken: vector.token)
        try signer.sign(&request, with: credentials, at: Date(timeIntervalSince1970: vector.time))
        #expect(request.headers["Authorization"]?.hasSuffix("Signature=\(vector.signature)") == true)
        if row == 2 { #expect(request.headers["Authorization"]?.contains("AdditionalHeaders=abc;zabc,") == true) }
        guard row == 0 else { return }
        let canonical = signer.canonicalRequest(for: request).bytes
        #expect(
            String(decoding: canonical, as: UTF8.self) == """
                PUT
                /bucket/1234%2B-/123/1.txt
                %2Bparam1=value3&%2Bparam2&%7Cparam1=value4&%7Cparam2&param1=value1&param2
                content-type:text/plain
                x-oss-content-sha256:UNSIGNED-PAYLOAD
                x-oss-date:20231216T162057Z
                x-oss-head1:value


                UNSIGNED-PAYLOAD
                """)
        #expect(
            Hex.encode(Digest.sha256(canonical)) == "f4613657f1b108998e8dbd10a1aa5da621dc2c6e02c9ddec0f163664848704c4")
    }

    private static let urlVectors: [(time: Double, token: String?, signature: String)] = [
        (1_702_781_677, nil, "a39966c61718be0d5b14e668088b3fa07601033f6518ac7b523100014269c0fe"),
        (1_702_785_388, "token", "3817ac9d206cd6dfc90f1c09c00be45005602e55898f26f5ddb06d7892e1f8b5"),
    ]

    @Test(arguments: urlVectors.indices)
    func `A.9 public vectors in URLs`(row: Int) throws {
        let vector = Self.urlVectors[row]
        let request = try published([
            "x-oss-head1": "value", "abc": "value", "ZAbc": "value", "XYZ": "value",
            "content-type": "application/octet-stream",
        ])
        let presigned = try V4Signer(.oss4, region: "cn-hangzhou").presign(
            request, with: Credentials(accessKey: "ak", secretKey: "sk", securityToken: vector.token),
            at: Date(timeIntervalSince1970: vector.time), lifetime: 599)
        #expect(presigned.query.last == .init("x-oss-signature", vector.signature))
    }

    @Test func `A.10 the signature does not depend on the addressing`() throws {
        let places: [(String, AddressRule)] = [
            ("https://oss-cn-shanghai.aliyuncs.com", AddressRule()),
            ("https://media.example.com", AddressRule(isCustomDomain: true)),
            ("http://192.0.2.1", AddressRule()), ("http://localhost:9000", AddressRule()),
        ]
        var urls: Set<String> = []
        for (base, rule) in places {
            let request = try unsigned(
                .put, key: "video/a.mp4", [], ["Content-Type": "video/mp4", "x-oss-meta-author": "alice"], at: base,
                rule)
            var signed = request
            try OSSRequestSigner(.v4, region: "cn-shanghai").sign(&signed, with: Vector.permanent, at: Vector.date)
            #expect(
                signed.headers["Authorization"]?.hasSuffix(
                    "Signature=7cfd806ae228fb29d604355c5c0c47a107e79ebe15421d527596ef748aa2488d") == true)
            urls.insert(request.url)
        }
        #expect(
            urls == [
                "https://examplebucket.oss-cn-shanghai.aliyuncs.com/video/a.mp4",
                "https://media.example.com/video/a.mp4",
                "http://192.0.2.1/examplebucket/video/a.mp4", "http://localhost:9000/examplebucket/video/a.mp4",
            ])
    }
}
