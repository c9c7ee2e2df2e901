import Foundation
import Testing
import TransferCore
import TransferHTTP
import TransferPrimitives

@testable import S3Wire

/// Requests as the S3-compatible wire writes them (TOS specification, section 5.4).
@Suite struct S3RequestTests {
    private let target = ObjectLocation(bucket: "dst-bucket", key: "copied/large file.bin")
    private let date = Date(timeIntervalSince1970: 1_751_356_800)
    private let credentials = Credentials(
        accessKey: "AKTPEXAMPLE0000000000000001", secretKey: "ExampleSecretKeyForTestVectorsOnly==",
        securityToken: "STSexampleToken+/=abc")

    private func signed(_ request: S3Request) throws -> HTTPRequest {
        let base = try HTTPEndpoint(parsing: "https://tos-s3-cn-beijing.volces.com")
        var http = try request.httpRequest(at: AddressRule(base: base, style: .virtualHost), .test)
        try V4Signer(.aws4, region: "cn-beijing").sign(&http, with: credentials, at: date)
        return http
    }

    @Test func `vector S2: CompleteMultipartUpload is the document and the signature of the specification`() throws {
        let upload = MultipartUpload(id: "f93f6fc9da94371f321e1008", target: target)
        let request = try signed(
            try S3Dialect.test.completeMultipartUpload(
                upload,
                parts: [
                    CompletedPart(number: 2, etag: ETag("part2")), CompletedPart(number: 1, etag: ETag("\"part1\"")),
                ]))
        #expect(
            request.body.text == """
                <CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Part><PartNumber>1</PartNumber>\
                <ETag>"part1"</ETag></Part><Part><PartNumber>2</PartNumber><ETag>"part2"</ETag></Part>\
                </CompleteMultipartUpload>
                """)
        #expect(request.headers["Content-Type"] == "application/xml")
        #expect(
            request.headers["Authorization"]?.hasSuffix(
                "Signature=c2a723ef17936dcd432a44c9a00ad2762dd9d49f11580c638b1062cdad7cd2a2") == true)
    }

    @Test func `vector S1: UploadPartCopy has the headers of the specification, and names the digest of nothing`()
        throws
    {
        let upload = MultipartUpload(id: "f93f6fc9da94371f321e1008", target: target)
        let request = try signed(
            try S3Dialect.test.uploadPartCopy(
                2, of: upload, from: ObjectLocation(bucket: "src-bucket", key: "a/b c.txt"),
                range: ByteRange(offset: 20_971_520, length: 20_971_520),
                conditions: ObjectConditions(ifMatch: "\"0123456789abcdef0123456789abcdef\"")))
        #expect(
            request.url
                == "https://dst-bucket.tos-s3-cn-beijing.volces.com/copied/large%20file.bin?partNumber=2&uploadId=f93f6fc9da94371f321e1008"
        )
        #expect(request.headers["x-amz-copy-source"] == "/src-bucket/a/b%20c.txt")
        #expect(request.headers["x-amz-copy-source-range"] == "bytes=20971520-41943039")
        #expect(request.headers["x-amz-copy-source-if-match"] == "\"0123456789abcdef0123456789abcdef\"")
        #expect(request.headers["x-amz-content-sha256"] == V4Dialect.emptyPayload)
        #expect(request.headers["x-amz-security-token"] == "STSexampleToken+/=abc")
        #expect(
            request.headers["Authorization"]?.hasPrefix(
                "AWS4-HMAC-SHA256 Credential=AKTPEXAMPLE0000000000000001/20250701/cn-beijing/s3/aws4_request, ") == true
        )
        #expect(!request.headers.contains { $0.name.lowercased().hasPrefix("x-tos-") })
    }

    @Test func `bytes of an object are not hashed`() throws {
        let body = HTTPBody.source(MemorySource([1]))
        let request = try signed(try S3Dialect.test.putObject(body, at: target, options: ObjectOptions()))
        #expect(request.headers["x-amz-content-sha256"] == V4Dialect.unsignedPayload)
    }

    @Test func `attributes have the names of S3`() throws {
        var options = ObjectOptions(extras: ["x-amz-grant-read": "id=1", "x-amz-website-redirect-location": "/o"])
        options.attributes.metadata = ["name": "火山", "plain": "a b+c", "percent": "100%", "two words": "%E7"]
        options.attributes.storageClass = "STANDARD_IA"
        options.attributes.acl = "private"
        options.attributes.tags = ["a": "x y"]
        options.attributes.encryption = .keyManagement(keyID: "key-1")
        let headers = try S3Dialect.test.createMultipartUpload(at: target, options: options).headers
        #expect(
            Dictionary(uniqueKeysWithValues: headers.map { ($0.name, $0.value) }) == [
                "x-amz-meta-name": "%E7%81%AB%E5%B1%B1", "x-amz-meta-plain": "a b+c", "x-amz-meta-percent": "100%",
                "x-amz-meta-two%20words": "%E7",
                "x-amz-storage-class": "STANDARD_IA", "x-amz-acl": "private", "x-amz-tagging": "a=x%20y",
                "x-amz-server-side-encryption": "aws:kms", "x-amz-server-side-encryption-aws-kms-key-id": "key-1",
                "x-amz-grant-read": "id=1", "x-amz-website-redirect-location": "/o",
            ])
    }

    @Test(arguments: [
        ["name": "火山"], ["k": "a b+c%20"], ["p": "100% sure"], ["e": ""], ["s": " blanks "], ["m": "%E7%81%AB"],
        ["q": "a;b,c=\"d\""], ["w": "%25E7%2581%25AB"], ["t": "a%20b%25"], ["ä b": "c"], ["n%20m": "%20"],
    ])
    func `metadata comes back as it was given`(metadata: [String: String]) throws {
        let options = ObjectOptions(attributes: ObjectAttributes(metadata: metadata))
        let headers = try S3Dialect.test.createMultipartUpload(at: target, options: options).headers
        #expect(MetadataCoding.whenNeeded.read(headers, prefix: "x-amz-meta-") == metadata)
    }

    @Test func `metadata that another client wrote is taken as it is`() throws {
        let headers = try HTTPHeaders(["x-amz-meta-a": "a%20b", "x-amz-meta-b": "50%", "x-amz-other": "c"])
        #expect(MetadataCoding.whenNeeded.read(headers, prefix: "x-amz-meta-") == ["a": "a%20b", "b": "50%"])
    }

    /// As a copy by one request would carry it.
    @Test(arguments: ["a%20b", "50% off", "100%25", "%e7%81%ab", "%E7%81%AB", "%2541", "a%2520", "plain", "%", "%E7"])
    func `a copy carries the bytes that another client wrote`(value: String) throws {
        let headers = try HTTPHeaders(["x-amz-meta-a": value])
        let read = MetadataCoding.whenNeeded.read(headers, prefix: "x-amz-meta-")
        let options = ObjectOptions(attributes: ObjectAttributes(metadata: read))
        let written = try S3Dialect.test.createMultipartUpload(at: target, options: options).headers
        #expect(written["x-amz-meta-a"] == value)
    }

    @Test(arguments: [
        ("x-amz-forbid-overwrite", "forbidOverwrite"), ("x-amz-callback", "callback"), ("x-amz-date", "extras"),
        ("x-amz-copy-source", "extras"), ("x-amz-meta-a", "extras"), ("x-amz-server-side-encryption-x", "extras"),
        ("x-tos-acl", "extras"), ("host", "extras"),
    ])
    func `an extra that is not known is refused by name`(extra: String, field: String) throws {
        #expect { try S3Dialect.test.check(ObjectOptions(extras: [extra: "true"])) } throws: {
            ($0 as? TransferError)?.field == field
        }
    }

    /// As names of headers are.
    @Test func `an extra is known in any case`() throws {
        var dialect = S3Dialect.test
        dialect.unknownExtras = [:]
        let options = ObjectOptions(extras: ["X-Amz-Callback": "Y2I=", "X-Amz-Forbid-Overwrite": "true"])
        let put = try dialect.putObject(.none, at: target, options: options)
        #expect(put.headers["x-amz-callback"] == "Y2I=")
        #expect(!put.isIdempotent)
        #expect(dialect.hasCallback(options))
        let upload = MultipartUpload(id: "u", target: target, options: options)
        let complete = try dialect.completeMultipartUpload(
            upload, parts: [CompletedPart(number: 1, etag: ETag("e"))])
        #expect(complete.headers["x-amz-callback"] == "Y2I=")
        #expect(complete.headers["x-amz-forbid-overwrite"] == "true")
    }

    @Test func `what has no twin is refused, not dropped`() throws {
        let upload = MultipartUpload(id: "u", target: target)
        #expect { try S3Dialect.test.check(trafficLimit: 819_200) } throws: {
            ($0 as? TransferError)?.code == .unsupported && ($0 as? TransferError)?.field == "trafficLimit"
        }
        #expect { try S3Dialect.test.completeMultipartUploadOfAll(upload) } throws: {
            ($0 as? TransferError)?.code == .unsupported && ($0 as? TransferError)?.field == "completeAll"
        }
        let forbidding = MultipartUpload(
            id: "u", target: target, options: ObjectOptions(extras: ["x-amz-forbid-overwrite": "true"]))
        let parts = [CompletedPart(number: 1, etag: ETag("e"))]
        #expect { try S3Dialect.test.completeMultipartUpload(forbidding, parts: parts) } throws: {
            ($0 as? TransferError)?.field == "forbidOverwrite"
        }
    }

    @Test func `a list of uploads begins behind its marker`() throws {
        let request = S3Dialect.test.listMultipartUploads(
            in: "dst-bucket", prefix: "a b", delimiter: "/", marker: UploadsMarker(key: "k", uploadID: "u"))
        #expect(
            try signed(request).url
                == "https://dst-bucket.tos-s3-cn-beijing.volces.com/?uploads=&encoding-type=url&prefix=a%20b&delimiter=%2F&key-marker=k&upload-id-marker=u&max-uploads=1000"
        )
    }
}
