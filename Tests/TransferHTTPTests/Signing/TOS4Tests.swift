import Foundation
import Testing
import TransferPrimitives

@testable import TransferHTTP

/// The vectors of the TOS specification, section 5.3, each under its own name.
@Suite("TOS specification 11.2, check 1: the vectors of section 5")
struct TOS4Tests {
    static let date = Date(timeIntervalSince1970: 1_751_356_800)  // 2025-07-01T08:00:00Z
    static let permanent = Credentials(
        accessKey: "AKTPEXAMPLE0000000000000001", secretKey: "ExampleSecretKeyForTestVectorsOnly==")
    static let temporary = Credentials(
        accessKey: permanent.accessKey, secretKey: permanent.secretKey, securityToken: "STSexampleToken+/=abc")

    @Test func keyChain() {
        let signer = V4Signer(.tos4, region: "cn-beijing")
        let chain = signer.keyChain(secret: Self.permanent.secretKey, day: "20250701").map { Hex.encode($0) }
        #expect(
            chain == [
                "e6fc2512cec3465dc1860fc118938569d1e42a196ae38529b2874dda0b63ec39",
                "51910f69c3df8618b2545fedc6ef503d9834318798f5bfffa0833a823e7c890a",
                "7f5e3df1c98d2db0efc748b09e4eee7f297980692fff82704e6fb8f51a1ec604",
                "0345180720cf3f5bb6ef2c89c9196e3dd979085b27ac7aaf5ad694fbc9b7421b",
            ])
    }

    @Test func v1GetObject() throws { try check(.v1) }
    @Test func v2HeadWithReservedCharacters() throws { try check(.v2) }
    @Test func v3CreateWithToken() throws { try check(.v3) }
    @Test func v4UploadPartCopyWithToken() throws { try check(.v4) }
    @Test func v5Complete() throws { try check(.v5) }
    @Test func v5bCompleteAll() throws { try check(.v5b) }
    @Test func v6ListParts() throws { try check(.v6) }
    @Test func v7Abort() throws { try check(.v7) }
    @Test func v8CopyReplacingMetadata() throws { try check(.v8) }
    @Test func v9PutObject() throws { try check(.v9) }
    @Test func v10UploadPart() throws { try check(.v10) }
    @Test func v11ListMultipartUploads() throws { try check(.v11) }
    @Test func v12DeleteVersion() throws { try check(.v12) }

    private func check(_ vector: TOSVector) throws {
        var request = try HTTPRequest(
            vector.method, at: HTTPEndpoint(scheme: .http, host: vector.host), path: vector.path, query: vector.query,
            headers: HTTPHeaders(vector.headers))
        let signer = V4Signer(.tos4, region: "cn-beijing")
        let credentials = vector.hasToken ? Self.temporary : Self.permanent
        try signer.sign(&request, with: credentials, at: Self.date)

        let canonical = signer.canonicalRequest(for: request)
        #expect(String(decoding: canonical.bytes, as: UTF8.self) == vector.canonicalRequest)
        let text = String(
            decoding: signer.stringToSign(canonical.bytes, signer.keys.moment(Self.date)), as: UTF8.self)
        #expect(
            text == """
                TOS4-HMAC-SHA256
                20250701T080000Z
                20250701/cn-beijing/tos/request
                \(vector.canonicalHash)
                """)
        let names = String(decoding: canonical.listedNames, as: UTF8.self)
        #expect(
            request.headers["authorization"]
                == "TOS4-HMAC-SHA256 Credential=\(credentials.accessKey)/20250701/cn-beijing/tos/request, "
                + "SignedHeaders=\(names), Signature=\(vector.signature)")
    }

    @Test func p1PresignedGet() throws {
        let request = try HTTPRequest(
            .get, at: HTTPEndpoint(parsing: "http://src-bucket.tos-cn-beijing.volces.com"), path: "/plain.txt")
        try checkPresigned(
            request, Self.permanent, lifetime: 3600,
            canonical: """
                GET
                /plain.txt
                X-Tos-Algorithm=TOS4-HMAC-SHA256&X-Tos-Credential=AKTPEXAMPLE0000000000000001%2F20250701%2F\
                cn-beijing%2Ftos%2Frequest&X-Tos-Date=20250701T080000Z&X-Tos-Expires=3600&X-Tos-SignedHeaders=host
                host:src-bucket.tos-cn-beijing.volces.com

                host
                UNSIGNED-PAYLOAD
                """,
            hash: "9000b55a78b6d3ab16d000c1f7bfb980b1dd2229ea3d51b8a870bd1568653117",
            url: """
                http://src-bucket.tos-cn-beijing.volces.com/plain.txt?X-Tos-Algorithm=TOS4-HMAC-SHA256&X-Tos-Credential=\
                AKTPEXAMPLE0000000000000001%2F20250701%2Fcn-beijing%2Ftos%2Frequest&X-Tos-Date=20250701T080000Z&\
                X-Tos-Expires=3600&X-Tos-SignedHeaders=host&X-Tos-Signature=\
                5dbdd301764e0b982bee5f4ccaed18940ce48793cdedb11aa82fc431b061089b
                """)
    }

    @Test func p2PresignedPutWithToken() throws {
        let path = "/dir%20a/%E4%B8%AD%E6%96%87%2B%26%3D%27%28%29%2A%21~%2C%3B%40%24%23%3F%25.txt"
        let request = try HTTPRequest(
            .put, at: HTTPEndpoint(parsing: "http://dst-bucket.tos-cn-beijing.volces.com"), path: path,
            query: [.init("partNumber", "2"), .init("uploadId", "f93f6fc9da94371f321e1008")])
        let signature =
            "X-Tos-Algorithm=TOS4-HMAC-SHA256&X-Tos-Credential=AKTPEXAMPLE0000000000000001%2F20250701%2Fcn-beijing"
            + "%2Ftos%2Frequest&X-Tos-Date=20250701T080000Z&X-Tos-Expires=600&X-Tos-Security-Token=STSexampleToken"
            + "%2B%2F%3Dabc&X-Tos-SignedHeaders=host"
        try checkPresigned(
            request, Self.temporary, lifetime: 600,
            canonical: """
                PUT
                \(path)
                \(signature)&partNumber=2&uploadId=f93f6fc9da94371f321e1008
                host:dst-bucket.tos-cn-beijing.volces.com

                host
                UNSIGNED-PAYLOAD
                """,
            hash: "c611e20525662382d11b3a918488cf15adbce4e6546d81147dea62fb7ff00f00",
            url: "http://dst-bucket.tos-cn-beijing.volces.com\(path)?partNumber=2&uploadId=f93f6fc9da94371f321e1008&"
                + "\(signature)&X-Tos-Signature=a85d6b112a689bab77f472dff3e8a2f1cac9f6d42e65fdbb142c1fd6422eb9dc")
    }

    private func checkPresigned(
        _ request: HTTPRequest, _ credentials: Credentials, lifetime: Int, canonical: String, hash: String, url: String
    ) throws {
        let signer = V4Signer(.tos4, region: "cn-beijing")
        var presigned = try signer.presign(request, with: credentials, at: Self.date, lifetime: lifetime)
        #expect(presigned.url == url)
        presigned.query.removeLast()
        let bytes = signer.presignedRequest(presigned).bytes
        #expect(String(decoding: bytes, as: UTF8.self) == canonical)
        #expect(Hex.encode(Digest.sha256(bytes)) == hash)
    }

    /// Go, iOS and Java send no payload header and sign the hash of nothing, whatever the body.
    @Test func n1WithoutPayloadHeader() throws {
        var dialect = V4Dialect.tos4
        dialect.sendsPayloadHeader = false
        let signer = V4Signer(dialect, region: "cn-beijing")
        var request = try HTTPRequest(
            .put, at: HTTPEndpoint(parsing: "http://dst-bucket.tos-cn-beijing.volces.com"),
            path: "/copied/large%20file.bin",
            query: [.init("uploadId", "f93f6fc9da94371f321e1008"), .init("partNumber", "2")],
            headers: HTTPHeaders([
                "x-tos-copy-source": "/src-bucket/a%2Fb%20c.txt",
                "x-tos-copy-source-range": "bytes=20971520-41943039",
                "x-tos-copy-source-if-match": "\"0123456789abcdef0123456789abcdef\"",
            ]))
        try signer.sign(&request, with: Self.permanent, at: Self.date)
        let canonical = signer.canonicalRequest(for: request).bytes
        #expect(
            String(decoding: canonical, as: UTF8.self) == """
                PUT
                /copied/large%20file.bin
                partNumber=2&uploadId=f93f6fc9da94371f321e1008
                host:dst-bucket.tos-cn-beijing.volces.com
                x-tos-copy-source:/src-bucket/a%2Fb%20c.txt
                x-tos-copy-source-if-match:"0123456789abcdef0123456789abcdef"
                x-tos-copy-source-range:bytes=20971520-41943039
                x-tos-date:20250701T080000Z

                host;x-tos-copy-source;x-tos-copy-source-if-match;x-tos-copy-source-range;x-tos-date
                e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
                """)
        #expect(
            Hex.encode(Digest.sha256(canonical)) == "8f89c108d9904acff23f183f1aa8bf2c6e50f8e97a9c6f14a477d437a7665bf0")
        #expect(signature(request) == "1fcce74d09c06c3f6f5dc2d9f6f3c96459e9755fcb8b2a7b375d0295e2d3d15c")
    }

    private static let g = Credentials(
        accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
    private static let gDate = Date(timeIntervalSince1970: 1_626_864_294)  // 2021-07-21T10:44:54Z

    @Test func g1HostWithPort() throws {
        var dialect = V4Dialect.tos4
        dialect.sendsPayloadHeader = false
        let signer = V4Signer(dialect, region: "cn-north-1")
        var request = try HTTPRequest(.get, at: HTTPEndpoint(parsing: "https://test.tos.com:8080"), path: "/test.txt")
        try signer.sign(&request, with: Self.g, at: Self.gDate)
        #expect(
            Hex.encode(Digest.sha256(signer.canonicalRequest(for: request).bytes))
                == "f605e4ae9b95c569ec5a4ebf90ad694c9040702460683f74d368b0dca5906feb")
        #expect(signature(request) == "3453b54ecfc50e6ed3fc15cbdb82f8a18d644063302080fb18ee10daa4f1a23f")
    }

    @Test func g2Presigned() throws {
        let signer = V4Signer(.tos4, region: "cn-north-1")
        let request = try HTTPRequest(.get, at: HTTPEndpoint(parsing: "https://test.tos.com:8080"), path: "/test.txt")
        var presigned = try signer.presign(request, with: Self.g, at: Self.gDate, lifetime: 3600)
        #expect(
            presigned.query.removeLast()
                == .init(
                    "X-Tos-Signature", "decc75e2b2d453117f81e53954eb2cd3a2f56db2951e9b2257863db4c4921111"))
        #expect(
            Hex.encode(Digest.sha256(signer.presignedRequest(presigned).bytes))
                == "307289ef0a01e9e31482342d84a78e039b891a017183113bdd7cd98adcef4868")
    }

    @Test func o1PayloadHashAsHeader() throws {
        let signer = V4Signer(.tos4, region: "cn-beijing")
        var request = try HTTPRequest(
            .get, at: HTTPEndpoint(parsing: "https://examplebucket.tos-cn-beijing.volces.com"), path: "/exampleobject",
            headers: HTTPHeaders(["x-tos-content-sha256": V4Dialect.emptyPayload]))
        // 2022-01-01T00:00:00Z
        try signer.sign(
            &request, with: Credentials(accessKey: "testAK", secretKey: "testSK"),
            at: Date(timeIntervalSince1970: 1_640_995_200))
        #expect(signature(request) == "d40b66cf0054d1642843670d10fa095e1609c7896f25df217770b0abe717693b")
    }

    @Test func o2QueryInNeedOfEncoding() throws {
        var dialect = V4Dialect.tos4
        dialect.sendsPayloadHeader = false
        let signer = V4Signer(dialect, region: "cn-beijing")
        var request = try HTTPRequest(
            .get, at: HTTPEndpoint(parsing: "https://bucket.tos-cn-beijing.volces.com"),
            query: [
                .init("list-type", "2"), .init("prefix", "abc"), .init("delimiter", "/"), .init("max-keys", "5"),
                .init("continuation-token", "whvFnl2rE5vm9cWvQSgxwpc7QXHY7dgUGQ7nxlsVxFymg2+K227j5IHQZ32h"),
            ])
        // 2026-02-03T12:24:12Z
        try signer.sign(
            &request, with: Credentials(accessKey: "testAK", secretKey: "testSK"),
            at: Date(timeIntervalSince1970: 1_770_121_452))
        #expect(signature(request) == "db01ee877fa24847ec042703353a76a0e11bd9b6ce68eabe5ccb2924420156b0")
    }
}

/// What `Authorization` ends in.
func signature(_ request: HTTPRequest) -> String? {
    request.headers["Authorization"].flatMap { $0.components(separatedBy: "Signature=").last }
}
