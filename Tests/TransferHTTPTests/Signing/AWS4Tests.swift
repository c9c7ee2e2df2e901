import Foundation
import Testing
import TransferPrimitives

@testable import TransferHTTP

/// The vectors of the TOS specification, section 5.4: the S3-compatible endpoint.
@Suite("TOS specification 11.2, check 1: the vectors of section 5.4")
struct AWS4Tests {
    private let endpoint = "https://dst-bucket.tos-s3-cn-beijing.volces.com"
    private let signer = V4Signer(.aws4, region: "cn-beijing")

    @Test func s1UploadPartCopy() throws {
        var request = try HTTPRequest(
            .put, at: HTTPEndpoint(parsing: endpoint), path: "/copied/large%20file.bin",
            query: [.init("partNumber", "2"), .init("uploadId", "f93f6fc9da94371f321e1008")],
            headers: HTTPHeaders([
                "x-amz-content-sha256": V4Dialect.emptyPayload,
                "x-amz-copy-source": "/src-bucket/a%2Fb%20c.txt",
                "x-amz-copy-source-if-match": "\"0123456789abcdef0123456789abcdef\"",
                "x-amz-copy-source-range": "bytes=20971520-41943039",
            ]))
        try signer.sign(&request, with: TOS4Tests.temporary, at: TOS4Tests.date)
        let canonical = signer.canonicalRequest(for: request)
        #expect(
            String(decoding: canonical.bytes, as: UTF8.self) == """
                PUT
                /copied/large%20file.bin
                partNumber=2&uploadId=f93f6fc9da94371f321e1008
                host:dst-bucket.tos-s3-cn-beijing.volces.com
                x-amz-content-sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
                x-amz-copy-source:/src-bucket/a%2Fb%20c.txt
                x-amz-copy-source-if-match:"0123456789abcdef0123456789abcdef"
                x-amz-copy-source-range:bytes=20971520-41943039
                x-amz-date:20250701T080000Z
                x-amz-security-token:STSexampleToken+/=abc

                host;x-amz-content-sha256;x-amz-copy-source;x-amz-copy-source-if-match;x-amz-copy-source-range;\
                x-amz-date;x-amz-security-token
                e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
                """)
        let text = signer.stringToSign(canonical.bytes, signer.keys.moment(TOS4Tests.date))
        #expect(
            String(decoding: text, as: UTF8.self) == """
                AWS4-HMAC-SHA256
                20250701T080000Z
                20250701/cn-beijing/s3/aws4_request
                572512462dc764a23571700657c8700d9560c3efec712a290aa27f60f339438c
                """)
        #expect(signature(request) == "cd3f3b8cdc2840e03a2e6d76eebbfcc3f381a6cdc29220b76bb5c28c49034daa")
    }

    @Test func s2Complete() throws {
        let body = """
            <CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Part><PartNumber>1</PartNumber>\
            <ETag>"part1"</ETag></Part><Part><PartNumber>2</PartNumber><ETag>"part2"</ETag></Part>\
            </CompleteMultipartUpload>
            """
        var request = try HTTPRequest(
            .post, at: HTTPEndpoint(parsing: endpoint), path: "/copied/large%20file.bin",
            query: [.init("uploadId", "f93f6fc9da94371f321e1008")],
            headers: HTTPHeaders([
                "Content-Type": "application/xml",
                "x-amz-content-sha256": Hex.encode(Digest.sha256(body.utf8)),
            ]),
            body: .bytes(Array(body.utf8)))
        try signer.sign(&request, with: TOS4Tests.temporary, at: TOS4Tests.date)
        #expect(
            Hex.encode(Digest.sha256(signer.canonicalRequest(for: request).bytes))
                == "a8c154abf14b1d3339201cad89d0a3e89d0721b5719962c53b230fe18b9b1c91")
        #expect(signature(request) == "c2a723ef17936dcd432a44c9a00ad2762dd9d49f11580c638b1062cdad7cd2a2")
    }
}
