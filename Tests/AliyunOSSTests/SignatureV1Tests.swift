import Testing
import TransferCore
import TransferHTTP
import TransferPrimitives

@testable import AliyunOSS

/// Appendix B of the specification: string to sign and signature of every vector.
@Suite struct SignatureV1Tests {
    private func unsigned(
        _ method: HTTPMethod, bucket: String = Vector.bucket, key: String, _ query: [HTTPRequest.QueryItem] = [],
        _ headers: KeyValuePairs<String, String> = [:]
    ) throws -> HTTPRequest {
        let location = try AddressRule().location(
            bucket: bucket, key: key, at: HTTPEndpoint(parsing: "https://oss-cn-shanghai.aliyuncs.com"))
        var request = HTTPRequest(
            method, at: location.endpoint, path: location.path, query: query, headers: try HTTPHeaders(headers))
        request.canonicalPath = location.canonicalPath
        return request
    }

    private func check(
        _ request: HTTPRequest, _ credentials: Credentials, text: String, signature: String
    ) throws {
        var request = request
        try OSSRequestSigner(.v1, region: "cn-shanghai").sign(&request, with: credentials, at: Vector.date)
        #expect(V1Signer.stringToSign(request, date: "Wed, 15 Jan 2025 08:30:00 GMT") == text)
        #expect(request.headers["Authorization"] == "OSS TESTAKID0001:\(signature)")
        #expect(request.headers["x-oss-security-token"] == credentials.securityToken)
    }

    @Test func `B.1 PutObject`() throws {
        try check(
            unsigned(.put, key: "video/a.mp4", [], ["Content-Type": "video/mp4", "x-oss-meta-author": "alice"]),
            Vector.permanent,
            text: """
                PUT

                video/mp4
                Wed, 15 Jan 2025 08:30:00 GMT
                x-oss-meta-author:alice
                /examplebucket/video/a.mp4
                """, signature: "tcjx+DZtutwed9oQ8ppGvV9P6jg=")
    }

    @Test func `B.2 UploadPart with a token`() throws {
        try check(
            unsigned(
                .put, key: "sv/1f5a/video.mp4", [.init("partNumber", "1"), .init("uploadId", Vector.uploadID)],
                ["Content-Type": "application/octet-stream"]),
            Vector.temporary,
            text: """
                PUT

                application/octet-stream
                Wed, 15 Jan 2025 08:30:00 GMT
                x-oss-security-token:CAIS+tok/en==
                /examplebucket/sv/1f5a/video.mp4?partNumber=1&uploadId=0004B9894A22E5B1888A1E29F823AAAA
                """, signature: "4KqIdslF9uYjt18CfjueTRFk1W0=")
    }

    @Test func `B.3 Initiate of a difficult key with a token`() throws {
        try check(
            unsigned(
                .post, key: Vector.difficultKey, [.init("uploads"), .init("encoding-type", "url")],
                ["Content-Type": "video/mp4", "x-oss-forbid-overwrite": "true"]),
            Vector.temporary,
            text: """
                POST

                video/mp4
                Wed, 15 Jan 2025 08:30:00 GMT
                x-oss-forbid-overwrite:true
                x-oss-security-token:CAIS+tok/en==
                /examplebucket/dir/中文 a+b%c~(1)!*'.mp4?uploads
                """, signature: "hOzJbhhwaS4ZEby5tDMkkvPYuTs=")
    }

    @Test func `B.4 GetObject with a response override`() throws {
        try check(
            unsigned(
                .get, key: "video/a.mp4",
                [.init("max-keys", "7"), .init("response-content-type", "text/plain; a=b")]), Vector.permanent,
            text: """
                GET


                Wed, 15 Jan 2025 08:30:00 GMT
                /examplebucket/video/a.mp4?response-content-type=text/plain; a=b
                """, signature: "C/obMoLPkp0mpMp88OYeBz6aRFs=")
    }

    @Test func `B.5 ListMultipartUploads`() throws {
        try check(
            unsigned(
                .get, key: "",
                [.init("uploads"), .init("encoding-type", "url"), .init("prefix", "a/b c"), .init("max-uploads", "2")]),
            Vector.permanent,
            text: """
                GET


                Wed, 15 Jan 2025 08:30:00 GMT
                /examplebucket/?uploads
                """, signature: "0uVoi9v8rCdBNE4PuMKnKxz3ro0=")
    }

    @Test func `B.6 presigned GET of a difficult key with a token`() throws {
        let presigned = V1Signer().presign(
            try unsigned(.get, key: Vector.difficultKey), with: Vector.temporary, expires: 1_736_933_400)
        var signed = presigned
        signed.query.removeLast(3)
        #expect(
            V1Signer.stringToSign(signed, date: "1736933400") == """
                GET


                1736933400
                /examplebucket/dir/中文 a+b%c~(1)!*'.mp4?security-token=CAIS+tok/en==
                """)
        #expect(
            presigned.url == """
                https://examplebucket.oss-cn-shanghai.aliyuncs.com/dir/\
                %E4%B8%AD%E6%96%87%20a%2Bb%25c~%281%29%21%2A%27.mp4?security-token=CAIS%2Btok%2Fen%3D%3D\
                &OSSAccessKeyId=TESTAKID0001&Expires=1736933400&Signature=mEFVSas82%2FnYZQlu1oqg8r1sdQU%3D
                """)
    }

    private let documented = Credentials(
        accessKey: "44CF9590006BF252F707", secretKey: "OtxrzxIsfpFjA7SwPzILwy8Bw21TLhquhboDYROV")

    @Test func `B.7 the example of the manual in headers`() throws {
        var request = try unsigned(
            .put, bucket: "oss-example", key: "nelson", [],
            [
                "Content-MD5": "ODBGOERFMDMzQTczRUY3NUE3NzA5QzdFNUYzMDQxNEM=", "Content-Type": "text/html",
                "Date": "Thu, 17 Nov 2005 18:49:58 GMT", "X-OSS-Meta-Author": "foo@bar.com",
                "X-OSS-Magic": "abracadabra",
            ])
        #expect(
            V1Signer.stringToSign(request, date: "Thu, 17 Nov 2005 18:49:58 GMT") == """
                PUT
                ODBGOERFMDMzQTczRUY3NUE3NzA5QzdFNUYzMDQxNEM=
                text/html
                Thu, 17 Nov 2005 18:49:58 GMT
                x-oss-magic:abracadabra
                x-oss-meta-author:foo@bar.com
                /oss-example/nelson
                """)
        try V1Signer().sign(&request, with: documented)
        #expect(request.headers["Authorization"] == "OSS 44CF9590006BF252F707:26NBxoKdsyly4EDv6inkoDft/yA=")
    }

    @Test func `B.8 the example of the manual in a URL`() throws {
        let request = try unsigned(.get, bucket: "oss-example", key: "oss-api.pdf")
        #expect(
            V1Signer.stringToSign(request, date: "1141889120") == """
                GET


                1141889120
                /oss-example/oss-api.pdf
                """)
        let presigned = V1Signer().presign(request, with: documented, expires: 1_141_889_120)
        #expect(presigned.query.last == .init("Signature", "EwaNTn1erJGkimiJ9WmXgwnANLc="))
    }

    @Test func `a date of OSS's own takes the line of the date`() throws {
        var request = try unsigned(.get, key: "a", [], ["Date": "one", "x-oss-date": "two"])
        try V1Signer().sign(&request, with: Vector.permanent)
        var again = try unsigned(.get, key: "a", [], ["Date": "other", "x-oss-date": "two"])
        try V1Signer().sign(&again, with: Vector.permanent)
        #expect(request.headers["Authorization"] == again.headers["Authorization"])
    }
}
