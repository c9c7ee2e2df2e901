import Testing
import TransferCore
import TransferHTTP
import TransferPrimitives

@testable import AliyunOSS

/// Spec section 2.13 and FR-086: the called server's word in place of OSS's, and calls that fail.
@Suite struct CallbackTests {
    private let callback = OSSCallback(
        url: "http://app.example.com/done", host: "app.example.com",
        body: "bucket=${bucket}&object=${object}&u=${x:user}",
        bodyType: .form, variables: ["x:user": "中"])

    private var complete: OSSCompleteMultipartUploadInput {
        var input = OSSCompleteMultipartUploadInput(
            bucket: "examplebucket", key: "k", uploadID: "u", parts: [OSSUploadedPart(partNumber: 1, eTag: "e")])
        input.callback = callback
        return input
    }

    private var put: OSSPutObjectInput {
        var input = OSSPutObjectInput(bucket: "examplebucket", key: "k", content: MemorySource([1]))
        input.callback = callback
        return input
    }

    @Test func `it is asked for in base64 of JSON, by the request that makes the object`() async throws {
        let transport = ScriptedTransport(
            try .oss(200, #"{"ok":true}"#, type: "application/json", [("ETag", "\"e\"")]))
        let client = try OSSClient.test(transport)
        #expect(try await client.putObject(put).callbackResponse == #"{"ok":true}"#)
        #expect(try await client.completeMultipartUpload(complete).callbackResponse == #"{"ok":true}"#)
        for request in transport.requests {
            func text(_ name: String) throws -> String {
                String(decoding: try #require(request.headers[name].flatMap { Base64.decode($0) }), as: UTF8.self)
            }
            #expect(
                try text("x-oss-callback") == """
                    {"callbackBody":"bucket=${bucket}&object=${object}&u=${x:user}",\
                    "callbackBodyType":"application/x-www-form-urlencoded","callbackHost":"app.example.com",\
                    "callbackUrl":"http://app.example.com/done"}
                    """)
            #expect(try text("x-oss-callback-var") == #"{"x:user":"中"}"#)
        }
    }

    @Test func `a call that failed is told with the object that stands, and nothing is stored again`() async throws {
        let failed = try HTTPResponse.oss(
            203, "<Error><Code>CallbackFailed</Code><Message>Error status: 502.</Message></Error>",
            [("ETag", "\"e\""), ("x-oss-hash-crc64ecma", "7"), ("x-oss-version-id", "v")])
        let transport = ScriptedTransport(failed)
        let client = try OSSClient.test(transport)
        for error in [
            await transferError { _ = try await client.putObject(put) },
            await transferError { _ = try await client.completeMultipartUpload(complete) },
        ] {
            #expect(error?.code == .storedCallbackFailed && error?.retry == .never)
            #expect(error?.receipt?.etag == ETag("e") && error?.receipt?.versionID == "v")
            #expect(error?.receipt?.checksums.crc64 == 7)
            #expect(error?.message == "Error status: 502.")
            #expect(error?.service?.code == "CallbackFailed" && error?.service?.requestID == "request-1")
        }
        #expect(transport.requests.count == 2)
    }

    @Test func `also without any mark of the object`() async throws {
        let transport = ScriptedTransport(try .oss(203))
        let error = await transferError { _ = try await OSSClient.test(transport).putObject(put) }
        #expect(error?.code == .storedCallbackFailed && error?.receipt == nil)
        #expect(transport.requests.count == 1)
    }

    @Test func `an answer of the called server without the object's tag leaves the outcome open`() async throws {
        let transport = ScriptedTransport(try .oss(200, "{}", type: "application/json"))
        let error = await transferError { _ = try await OSSClient.test(transport).completeMultipartUpload(complete) }
        #expect(error?.code == .outcomeUnknown)
        #expect(transport.requests.count == 1)
    }

    @Test func `it is refused where OSS makes none`() async throws {
        let client = try OSSClient.test(ScriptedTransport(try .oss(500)))
        var initiate = OSSInitiateMultipartUploadInput(bucket: "examplebucket", key: "k")
        initiate.callback = callback
        #expect(await transferError { _ = try await client.initiateMultipartUpload(initiate) }?.field == "callback")
        var copy = OSSCopyObjectInput(srcBucket: "source", srcKey: "s", bucket: "examplebucket", key: "k")
        copy.attributes.callback = callback
        #expect(await transferError { _ = try await client.copyObject(copy) }?.field == "callback")
        var resumable = OSSResumableCopyObjectInput(srcBucket: "source", srcKey: "s", bucket: "examplebucket", key: "k")
        resumable.attributes.callback = callback
        #expect(await transferError { _ = try await client.resumableCopyObject(resumable) }?.field == "callback")
    }
}
