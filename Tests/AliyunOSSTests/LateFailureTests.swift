import Testing
import TransferCore
import TransferHTTP
import TransferPrimitives

@testable import AliyunOSS

/// Contract 2: a good status is no success yet. What is wrong with the body decides, and is retried like a 500.
@Suite struct LateFailureTests {
    enum Call: String, CaseIterable, Sendable {
        case initiate, copy, partCopy, complete, listParts, listUploads

        func perform(_ client: OSSClient) async throws {
            switch self {
            case .initiate:
                _ = try await client.initiateMultipartUpload(.init(bucket: "examplebucket", key: "k"))
            case .copy:
                _ = try await client.copyObject(
                    .init(srcBucket: "source", srcKey: "s", bucket: "examplebucket", key: "k"))
            case .partCopy:
                _ = try await client.uploadPartCopy(
                    .init(
                        bucket: "examplebucket", key: "k", uploadID: "u", partNumber: 1, srcBucket: "source",
                        srcKey: "s"))
            case .complete:
                _ = try await client.completeMultipartUpload(
                    .init(
                        bucket: "examplebucket", key: "k", uploadID: "u",
                        parts: [OSSUploadedPart(partNumber: 1, eTag: "e")]))
            case .listParts: _ = try await client.listParts(.init(bucket: "examplebucket", key: "k", uploadID: "u"))
            case .listUploads: _ = try await client.listMultipartUploads(.init(bucket: "examplebucket"))
            }
        }

        var good: String {
            switch self {
            case .initiate: "<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>"
            case .copy: "<CopyObjectResult><ETag>\"e\"</ETag></CopyObjectResult>"
            case .partCopy: "<CopyPartResult><ETag>\"e\"</ETag></CopyPartResult>"
            case .complete: "<CompleteMultipartUploadResult><ETag>\"e-1\"</ETag></CompleteMultipartUploadResult>"
            case .listParts: "<ListPartsResult><IsTruncated>false</IsTruncated></ListPartsResult>"
            case .listUploads: "<ListMultipartUploadsResult/>"
            }
        }

        var emptied: String {
            good.replacing("<ETag>\"e\"</ETag>", with: "").replacing("<ETag>\"e-1\"</ETag>", with: "<ETag/>")
                .replacing("<UploadId>u</UploadId>", with: "<UploadId> </UploadId>")
        }
    }

    static let wrong = [
        "", "<html><body>please log in</body></html>", "<Other/>",
        "<Error><Code>InternalError</Code><Message>m</Message></Error>", #"{"Error":{"Code":"InternalError"}}"#,
    ]

    @Test(arguments: Call.allCases, wrong)
    func `an answer that cannot be right is asked for again`(call: Call, body: String) async throws {
        let type = body.hasPrefix("<html") ? "text/html" : body.hasPrefix("{") ? "application/json" : "application/xml"
        let transport = ScriptedTransport(try .oss(200, body, type: type), try .oss(200, call.good))
        try await call.perform(try OSSClient.test(transport))
        #expect(transport.requests.count == 2)
    }

    @Test(arguments: [Call.initiate, .copy, .partCopy, .complete])
    func `a document without what matters is no success`(call: Call) async throws {
        let transport = ScriptedTransport(try .oss(200, call.emptied))
        let error = await transferError { try await call.perform(try OSSClient.test(transport)) }
        #expect(error?.code == .malformedResponse)
        #expect(error?.attempts == 4)
        #expect(transport.requests.count == 4)
        #expect(error?.service?.requestID == "request-1")
    }

    @Test(arguments: Call.allCases)
    func `a document that ends early is no success`(call: Call) async throws {
        let cut = String(call.good.dropLast())
        let transport = ScriptedTransport(try .oss(200, cut), try .oss(200, call.good))
        try await call.perform(try OSSClient.test(transport))
        #expect(transport.requests.count == 2)
    }

    @Test(arguments: Call.allCases)
    func `blanks that keep a slow answer alive are no part of it`(call: Call) async throws {
        let body = " \r\n \r\n\u{FEFF}<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + call.good
        let transport = ScriptedTransport(try .oss(200, body))
        try await call.perform(try OSSClient.test(transport))
        #expect(transport.requests.count == 1)
    }

    @Test(arguments: Call.allCases)
    func `a late denial is final, and says so`(call: Call) async throws {
        let transport = ScriptedTransport(try .refusal(200, "AccessDenied"))
        let error = await transferError { try await call.perform(try OSSClient.test(transport)) }
        #expect(error?.code == .accessDenied && error?.service?.code == "AccessDenied")
        #expect(transport.requests.count == 1)
    }

    @Test func `a put or a part without its ETag is sent again`() async throws {
        let good = try HTTPResponse.oss(200, "", [("ETag", "\"e\"")])
        let page = try HTTPResponse.oss(200, "<html></html>", type: "text/html", requestID: nil)
        let put = ScriptedTransport(page, good)
        _ = try await OSSClient.test(put).putObject(
            OSSPutObjectInput(bucket: "examplebucket", key: "k", content: MemorySource([1])))
        #expect(put.requests.count == 2)
        let part = ScriptedTransport(page, good)
        _ = try await OSSClient.test(part).uploadPart(
            OSSUploadPartInput(
                bucket: "examplebucket", key: "k", uploadID: "u", partNumber: 1, content: MemorySource([1])))
        #expect(part.requests.count == 2)
    }

    /// A page of a captive portal or a proxy, under a good status.
    @Test func `an answer that does not come from OSS is no success`() async throws {
        let page = try HTTPResponse.oss(
            200, "<html></html>", type: "text/html", [("Content-Length", "13")], requestID: nil)
        let transport = ScriptedTransport(page)
        let client = try OSSClient.test(transport)
        let codes = [
            await transferError { _ = try await client.headObject(.init(bucket: "examplebucket", key: "k")) },
            await transferError { _ = try await client.deleteObject(.init(bucket: "examplebucket", key: "k")) },
            await transferError {
                _ = try await client.abortMultipartUpload(.init(bucket: "examplebucket", key: "k", uploadID: "u"))
            },
            await transferError {
                _ = try await client.getObject(.init(bucket: "examplebucket", key: "k"), into: CollectingSink())
            },
        ].map { $0?.code }
        #expect(codes == Array(repeating: .malformedResponse, count: 4))
    }

    @Test func `a result that names an object without its tag leaves the outcome open`() async throws {
        let transport = ScriptedTransport(
            try .oss(
                200, "<CompleteMultipartUploadResult><Key>k</Key><ETag>\"\"</ETag></CompleteMultipartUploadResult>"))
        let error = await transferError { try await Call.complete.perform(try OSSClient.test(transport)) }
        #expect(error?.code == .outcomeUnknown)
        #expect(transport.requests.count == 1)
    }

    @Test func `a range is refused when another came`() async throws {
        for headers in [
            [("Content-Range", "bytes 0-3/5")], [("Content-Range", "bytes x")], [("Content-Range", "bytes 1-5/6")], [],
        ] {
            let transport = ScriptedTransport(try .oss(206, "hell", headers))
            let error = await transferError {
                _ = try await OSSClient.test(transport).getObject(
                    .init(bucket: "examplebucket", key: "k", range: ByteRange(offset: 1, length: 4)),
                    into: CollectingSink())
            }
            #expect(error?.code == .malformedResponse)
        }
        let whole = ScriptedTransport(try .oss(200, "hello"))
        let error = await transferError {
            _ = try await OSSClient.test(whole).getObject(
                .init(bucket: "examplebucket", key: "k", range: ByteRange(offset: 1, length: 4)),
                into: CollectingSink())
        }
        #expect(error?.code == .malformedResponse)
        let long = ScriptedTransport(try .oss(206, "elloo", [("Content-Range", "bytes 1-4/5")]))
        let surplus = await transferError {
            _ = try await OSSClient.test(long).getObject(
                .init(bucket: "examplebucket", key: "k", range: ByteRange(offset: 1, length: 4)),
                into: CollectingSink())
        }
        #expect(surplus?.code == .lengthMismatch)
    }
}
