import Testing
import TransferCore
import TransferHTTP
import TransferPrimitives

@testable import VolcanoTOS

/// Contract 2 and spec section 4.13: a good status is no success yet.
@Suite struct LateFailureTests {
    /// What takes an answer of 200 with a document.
    enum Call: CaseIterable, Sendable {
        case create, copy, partCopy, complete

        func run(_ client: TOSClient) async throws {
            switch self {
            case .create:
                _ = try await client.createMultipartUpload(
                    TOSCreateMultipartUploadInput(bucket: "dst-bucket", key: "k"))
            case .copy:
                _ = try await client.copyObject(
                    TOSCopyObjectInput(srcBucket: "src-bucket", srcKey: "s", bucket: "dst-bucket", key: "k"))
            case .partCopy:
                _ = try await client.uploadPartCopy(
                    TOSUploadPartCopyInput(
                        bucket: "dst-bucket", key: "k", uploadID: "u", partNumber: 1, srcBucket: "src-bucket",
                        srcKey: "s"))
            case .complete:
                _ = try await client.completeMultipartUpload(
                    TOSCompleteMultipartUploadInput(
                        bucket: "dst-bucket", key: "k", uploadID: "u",
                        parts: [TOSUploadedPart(partNumber: 1, eTag: "a")]))
            }
        }

        var good: String { self == .create ? #"{"UploadId":"u"}"# : #"{"ETag":"\"e\""}"# }
    }

    @Test(arguments: Call.allCases)
    func `an error under a 200 is repeated like a 500`(call: Call) async throws {
        let transport = ScriptedTransport(
            try .tos(200, #"{"Code":"InternalError","Message":"late","RequestId":"r"}"#), try .tos(200, call.good))
        try await call.run(try .test(transport))
        #expect(transport.requests.count == 2)
    }

    @Test(arguments: Call.allCases)
    func `an error under every 200 fails with its code and request id`(call: Call) async throws {
        let transport = ScriptedTransport(
            try .tos(200, "\n\n  " + #"{"Code":"InternalError","Message":"late","RequestId":"r-9"}"#))
        let client = try TOSClient.test(transport)
        let error = await transferError { try await call.run(client) }
        #expect(error?.code == .serviceUnavailable)
        #expect(error?.service?.status == 200)
        #expect(error?.service?.code == "InternalError")
        #expect(error?.service?.requestID == "r-9")
        #expect(error?.attempts == 4)
        #expect(transport.requests.count == 4)
    }

    @Test(arguments: Call.allCases)
    func `a denial under a 200 is final`(call: Call) async throws {
        let transport = ScriptedTransport(try .tos(200, #"{"Code":"AccessDenied","Message":"no"}"#))
        let client = try TOSClient.test(transport)
        let error = await transferError { try await call.run(client) }
        #expect(error?.code == .accessDenied)
        #expect(transport.requests.count == 1)
    }

    @Test(
        arguments: Call.allCases, ["", "{}", #"{"ETag":"#, #"{"ETag":"","UploadId":""}"#, "[]", "null", "<html>", "OK"])
    func `a 200 without its result is no success`(call: Call, body: String) async throws {
        let transport = ScriptedTransport(try .tos(200, body), try .tos(200, call.good))
        try await call.run(try .test(transport))
        #expect(transport.requests.count == 2)
    }

    @Test(arguments: Call.allCases)
    func `a 200 that never has its result fails`(call: Call) async throws {
        let client = try TOSClient.test(ScriptedTransport(try .tos(200, "<html>log in</html>", type: "text/html")))
        let error = await transferError { try await call.run(client) }
        #expect(error?.code == .malformedResponse)
        #expect(error?.service?.requestID == "request-1")
    }

    @Test(arguments: Call.allCases)
    func `blanks that kept the connection alive are no part of the answer`(call: Call) async throws {
        let transport = ScriptedTransport(try .tos(200, " \r\n  \n" + call.good))
        try await call.run(try .test(transport))
        #expect(transport.requests.count == 1)
    }

    @Test func `a completed object without its ETag is neither a success nor a failure`() async throws {
        let transport = ScriptedTransport(try .tos(200, #"{"Bucket":"dst-bucket","Key":"k","ETag":""}"#))
        let client = try TOSClient.test(transport)
        let error = await transferError { try await Call.complete.run(client) }
        #expect(error?.code == .outcomeUnknown)
        #expect(transport.requests.count == 1)
    }

    @Test func `a completed object whose callback failed stands`() async throws {
        let transport = ScriptedTransport(
            try .tos(
                203, #"{"Code":"CallbackFailed","Message":"callback answered 500"}"#,
                [("ETag", "\"e-1\""), ("Location", "http://l"), ("x-tos-version-id", "v")]))
        let client = try TOSClient.test(transport)
        let upload = MultipartUpload(
            id: "u", target: ObjectLocation(bucket: "dst-bucket", key: "k"),
            options: ObjectOptions(extras: ["x-tos-callback": "e30="]))
        let error = await transferError {
            _ = try await TOSBackend(client).completeMultipartUpload(
                upload, parts: [CompletedPart(number: 1, etag: ETag("a"))])
        }
        #expect(error?.code == .storedCallbackFailed)
        #expect(error?.receipt?.etag == ETag("e-1"))
        #expect(error?.receipt?.location == "http://l")
        #expect(transport.requests.first?.headers["x-tos-callback"] == "e30=")
        #expect(transport.requests.count == 1)
    }
}
