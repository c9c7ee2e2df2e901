import Testing
import TransferCore
import TransferHTTP
import TransferPrimitives

@testable import VolcanoTOS

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The client around its operations: repeats, repairs, refusals before any request.
@Suite struct ClientTests {
    private let head = TOSHeadObjectInput(bucket: "src-bucket", key: "k")

    // MARK: Check 7 of spec section 11.2

    @Test func `a 503 and a broken connection are repeated, signed anew`() async throws {
        let transport = ScriptedTransport { request, number in
            switch number {
            case 1: return try .tos(503, #"{"Code":"ServiceUnavailable"}"#)
            case 2: throw TransportFailure(.receive, operation: "HeadObject", host: "h", message: "reset")
            default: return try .tos(200, "", [("Content-Length", "5")])
            }
        }
        #expect(try await TOSClient.test(transport).headObject(head).contentLength == 5)
        #expect(transport.requests.count == 3)
        #expect(transport.requests.allSatisfy { $0.headers["Authorization"] != nil })
    }

    @Test func `zero retries means one request`() async throws {
        let transport = ScriptedTransport(try .tos(503))
        var configuration = TOSClientConfiguration.test()
        configuration.maxRetryCount = 0
        let client = try TOSClient.test(transport, configuration: configuration)
        let error = await transferError { _ = try await client.headObject(head) }
        #expect(error?.code == .serviceUnavailable)
        #expect(transport.requests.count == 1)
    }

    @Test func `a part is repeated when its answer was lost`() async throws {
        let transport = ScriptedTransport { _, number in
            guard number > 1 else {
                throw TransportFailure(
                    .emptyReply, operation: "UploadPartCopy", host: "h", message: "closed", mayHaveReachedServer: true)
            }
            return try .tos(200, #"{"ETag":"e"}"#)
        }
        try await LateFailureTests.Call.partCopy.run(try .test(transport))
        #expect(transport.requests.count == 2)
    }

    @Test func `a copy that must not overwrite is not repeated when its answer was lost`() async throws {
        let transport = ScriptedTransport { _, _ in
            throw TransportFailure(
                .emptyReply, operation: "CopyObject", host: "h", message: "closed", mayHaveReachedServer: true)
        }
        let client = try TOSClient.test(transport)
        var input = TOSCopyObjectInput(srcBucket: "src-bucket", srcKey: "s", bucket: "dst-bucket", key: "k")
        input.forbidOverwrite = true
        let error = await transferError { [input] in _ = try await client.copyObject(input) }
        #expect(error?.code == .connectionFailed)
        #expect(transport.requests.count == 1)
    }

    // MARK: HEAD, which answers refusals without a document

    @Test func `a missing object`() async throws {
        let transport = ScriptedTransport(try .tos(404, "", [("x-tos-ec", "0017-00000003")]))
        let client = try TOSClient.test(transport)
        let error = await transferError { _ = try await client.headObject(head) }
        #expect(error?.code == .notFound)
        #expect(error?.service?.code == "NoSuchKey")
        #expect(transport.requests.count == 1)
    }

    @Test func `a refused HEAD has its reason asked for`() async throws {
        let transport = ScriptedTransport { request, _ in
            try .tos(403, request.method == .head ? "" : #"{"Code":"InvalidAccessKeyId","Message":"who?"}"#)
        }
        let client = try TOSClient.test(transport)
        let error = await transferError { _ = try await client.headObject(head) }
        #expect(error?.code == .credentialsInvalid)
        #expect(transport.requests.map(\.method) == [.head, .get])
        #expect(transport.requests.last?.headers["Range"] == "bytes=0-0")
    }

    @Test func `a clock that was repaired on the way lets the HEAD pass`() async throws {
        let date = "Tue, 01 Jul 2025 09:00:00 GMT"
        let transport = ScriptedTransport { request, _ in
            let isSkewed = request.headers["x-tos-date"]?.hasPrefix("20250701T08") ?? true
            guard isSkewed else {
                return try .tos(200, request.method == .head ? "" : "x", [("Content-Length", "1"), ("Date", date)])
            }
            return try .tos(403, request.method == .head ? "" : #"{"Code":"RequestTimeTooSkewed"}"#, [("Date", date)])
        }
        let client = try TOSClient.test(transport)
        #expect(try await client.headObject(head).contentLength == 1)
        #expect(transport.requests.map(\.method) == [.head, .get, .get, .head])
        #expect(transport.requests.last?.headers["x-tos-date"] == "20250701T090000Z")
    }

    @Test func `an empty object has no byte to ask for and is no refusal`() async throws {
        let transport = ScriptedTransport { request, number in
            guard request.method == .head else { return try .tos(416, #"{"Code":"InvalidRange"}"#) }
            return number == 1 ? try .tos(403) : try .tos(200, "", [("Content-Length", "0")])
        }
        #expect(try await TOSClient.test(transport).headObject(head).contentLength == 0)
    }

    // MARK: Pages

    private func list(_ pages: [String]) async throws -> (parts: [Int], requests: Int) {
        let transport = ScriptedTransport { _, number in try .tos(200, pages[min(number, pages.count) - 1]) }
        let upload = MultipartUpload(id: "u", target: ObjectLocation(bucket: "dst-bucket", key: "k"))
        let parts = try await TOSBackend(TOSClient.test(transport)).listParts(of: upload)
        return (parts.map(\.number), transport.requests.count)
    }

    private func page(_ parts: ClosedRange<Int>, next: Int?) -> String {
        let list = parts.map { #"{"PartNumber":\#($0),"ETag":"e","Size":5}"# }.joined(separator: ",")
        let end = next.map { #""IsTruncated":true,"NextPartNumberMarker":\#($0)"# } ?? #""IsTruncated":false"#
        return #"{"Parts":[\#(list)],\#(end)}"#
    }

    @Test func `all pages of parts are read`() async throws {
        let pages = [page(1...1000, next: 1000), page(1001...2000, next: 2000), page(2001...2500, next: nil)]
        let listed = try await list(pages)
        #expect(listed.parts == Array(1...2500))
        #expect(listed.requests == 3)
    }

    @Test func `a marker that does not grow ends the listing`() async throws {
        let listed = try await list([page(1...2, next: 2), page(1...2, next: 2)])
        #expect(listed.parts == [1, 2])
        #expect(listed.requests == 2)
    }

    @Test func `a marker beyond the numbers of parts ends the listing`() async throws {
        let listed = try await list([page(1...2, next: 9_999), page(3...3, next: 10_000), page(4...4, next: 10_001)])
        #expect(listed.parts == [1, 2, 3])
        #expect(listed.requests == 2)
    }

    @Test(arguments: 1...5) func `uploads that lead in a circle end`(length: Int) async throws {
        let transport = ScriptedTransport { _, number in
            // A way in of three pages, then the circle.
            let page = number < 4 ? "way-\(number)" : "circle-\((number - 4) % length)"
            return try .tos(
                200, #"{"IsTruncated":true,"NextKeyMarker":"\#(page)","NextUploadIdMarker":"u","Uploads":[]}"#)
        }
        var pages = 0
        let input = TOSListMultipartUploadsInput(bucket: "src-bucket")
        for try await page in try TOSClient.test(transport).listMultipartUploadsPages(input) {
            #expect(page.isTruncated)
            pages += 1
            if pages > 3 * (3 + length) { break }
        }
        // Noticed within three times the way in and the circle.
        #expect(pages > 3 + length && pages <= 3 * (3 + length))
        #expect(transport.requests.count == pages)
    }

    @Test(arguments: [#"{"UploadId":"u"}"#, #"{"Parts":null}"#, #"{"Parts":[]}"#])
    func `no parts are no error`(page: String) async throws {
        #expect(try await list([page]).parts.isEmpty)
    }

    @Test func `an aborted upload that is gone already is aborted`() async throws {
        let transport = ScriptedTransport(try .tos(404, #"{"Code":"NoSuchUpload"}"#))
        let output = try await TOSClient.test(transport).abortMultipartUpload(
            TOSAbortMultipartUploadInput(bucket: "dst-bucket", key: "k", uploadID: "u"))
        #expect(output.statusCode == 404)
    }

    // MARK: Reading

    @Test func `bytes that are not those stored are noticed`() async throws {
        let transport = ScriptedTransport(
            try .tos(200, "hello", [("Content-Length", "5"), ("x-tos-hash-crc64ecma", "1")]))
        let client = try TOSClient.test(transport)
        let error = await transferError {
            _ = try await client.getObject(TOSGetObjectInput(bucket: "src-bucket", key: "k"), into: CollectingSink())
        }
        #expect(error?.code == .checksumMismatch)
    }

    @Test func `bytes that are those stored are read`() async throws {
        let transport = ScriptedTransport(
            try .tos(200, "hello", [("Content-Length", "5"), ("x-tos-hash-crc64ecma", "11177612005948864433")]))
        let sink = CollectingSink()
        let output = try await TOSClient.test(transport).getObject(
            TOSGetObjectInput(bucket: "src-bucket", key: "k"), into: sink)
        #expect(sink.text == "0:hello")
        #expect(output.object.size == 5)
    }

    @Test func `another range than asked for is no answer`() async throws {
        let input = TOSGetObjectInput(bucket: "src-bucket", key: "k", range: ByteRange(offset: 1, length: 3))
        for answer in [
            try HTTPResponse.tos(200, "hello"), try .tos(206, "hel", [("Content-Range", "bytes 0-2/5")]),
            try .tos(206, "ello", [("Content-Range", "bytes 1-4/5")]), try .tos(206, "ell"),
        ] {
            let client = try TOSClient.test(ScriptedTransport(answer))
            let error = await transferError { _ = try await client.getObject(input, into: CollectingSink()) }
            #expect(error != nil)
        }
    }

    // MARK: The end

    @Test func `nothing is sent after a shutdown`() async throws {
        let transport = ScriptedTransport(try .tos(200, "", [("Content-Length", "5")]))
        let client = try TOSClient.test(transport)
        await client.shutdown()
        await client.shutdown()
        let error = await transferError { _ = try await client.headObject(head) }
        #expect(error?.code == .disposed)
        let copy = TOSResumableCopyObjectInput(srcBucket: "src-bucket", srcKey: "s", bucket: "dst-bucket", key: "k")
        let copyError = await transferError { _ = try await client.resumableCopyObject(copy) }
        #expect(copyError?.code == .disposed)
        #expect(transport.requests.isEmpty)
    }

    @Test func `secrets do not show`() throws {
        let configuration = TOSClientConfiguration.test(token: "STSsecret")
        for text in ["\(configuration.credentialsProvider)", "\(configuration)", String(reflecting: configuration)] {
            #expect(!text.contains("ExampleSecretKey"))
            #expect(!text.contains("STSsecret"))
        }
    }
}
