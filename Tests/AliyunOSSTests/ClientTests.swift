import Testing
import TransferCore
import TransferCurl
import TransferHTTP
import TransferPrimitives

@testable import AliyunOSS

@Suite struct ClientTests {
    private func field(_ change: (inout OSSClientConfiguration) -> Void) -> String? {
        var configuration = OSSClientConfiguration.test()
        change(&configuration)
        do {
            _ = try OSSClient(configuration: configuration)
            return nil
        } catch {
            return (error as? TransferError)?.field
        }
    }

    @Test func `a configuration that cannot be is refused by the name of its field`() {
        #expect(field { _ in } == nil)
        #expect(field { $0.endpoint.url = "" } == "endpoint.url")
        #expect(field { $0.endpoint = OSSEndpoint(url: "https://oss-accelerate.aliyuncs.com") } == "endpoint.region")
        #expect(field { $0.addressing = .path } == "addressing")
        #expect(field { $0.maxRetryCount = -1 } == "maxRetryCount")
        #expect(field { $0.copyIdleTimeout = .zero } == "copyIdleTimeout")
        #expect(field { $0.controlTimeout = .seconds(-1) } == "controlTimeout")
        #expect(field { $0.authTimeout = .zero } == "authTimeout")
        #expect(field { $0.additionalSignedHeaders = ["a b"] } == "additionalSignedHeaders")
        #expect(field { $0.transport.connectTimeout = .zero } == "transport.connectTimeout")
        #expect(field { $0.transport.idleTimeout = .zero } == "transport.idleTimeout")
        #expect(field { $0.transport.maxConnections = 0 } == "transport.maxConnections")
        #expect(field { $0.transport.proxy = .url("x") } == "transport.proxy")
        #expect(field { $0.transport.certificateAuthority = .file("/nonexistent") } == "transport.certificateAuthority")
        #expect(field { $0.transport.userAgent = "a\nb" } == "transport.userAgent")
    }

    @Test(arguments: [
        ("", "s", nil, "credential.accessKey"), ("a b", "s", nil, "credential.accessKey"),
        ("a", "", nil, "credential.secretKey"), ("a", "s\n", nil, "credential.secretKey"),
        ("a", "s", "", "credential.securityToken"), ("a", "s", "t\u{0}", "credential.securityToken"),
    ])
    func `credentials that cannot be are refused without showing them`(
        accessKey: String, secretKey: String, token: String?, field: String
    ) {
        let configuration = OSSClientConfiguration.test(
            credential: OSSCredential(accessKey: accessKey, secretKey: secretKey, securityToken: token))
        do {
            _ = try OSSClient(configuration: configuration)
            Issue.record("they were taken")
        } catch {
            #expect((error as? TransferError)?.field == field)
        }
    }

    @Test func `a configuration shows no secret`() {
        var text = ""
        dump(OSSClientConfiguration.test(credential: Vector.temporary), to: &text)
        text += "\(OSSClientConfiguration.test(credential: Vector.temporary))"
        #expect(!text.contains(Vector.temporary.secretKey) && !text.contains("CAIS+tok/en=="))
    }

    @Test func `passing failures are repeated, and final ones are not`() async throws {
        let transport = ScriptedTransport(
            try .refusal(503, "ServiceUnavailable"), try .oss(502, "<html></html>", type: "text/html"),
            try .refusal(429, "Whatever"), try .oss(204))
        _ = try await OSSClient.test(transport).deleteObject(.init(bucket: "examplebucket", key: "k"))
        #expect(transport.requests.count == 4)
        let denied = ScriptedTransport(try .refusal(403, "SignatureDoesNotMatch"))
        let error = await transferError {
            _ = try await OSSClient.test(denied).deleteObject(.init(bucket: "examplebucket", key: "k"))
        }
        #expect(error?.code == .signatureMismatch && denied.requests.count == 1)
    }

    @Test func `a part's bytes are read anew for every attempt`() async throws {
        let bodies = LockBox<[String]>([])
        let transport = ScriptedTransport { request, number in
            bodies.withLock { $0.append(request.bodyText) }
            return number == 1
                ? try .refusal(500, "InternalError") : try .oss(200, "", [("ETag", "\"e\"")])
        }
        _ = try await OSSClient.test(transport).uploadPart(
            OSSUploadPartInput(
                bucket: "examplebucket", key: "k", uploadID: "u", partNumber: 1,
                content: MemorySource(Array("hello".utf8))))
        #expect(bodies.withLock { $0 } == ["hello", "hello"])
    }

    /// FR-079: what cannot be a checksum means "not verified".
    @Test(arguments: ["", "-1", "18446744073709551616", "1e3", "0x10", "x"])
    func `a malformed checksum is none`(value: String) async throws {
        let transport = ScriptedTransport(
            try .oss(200, "", [("ETag", "\"e\""), ("x-oss-hash-crc64ecma", value)]))
        let client = try OSSClient.test(transport)
        let body = PartBody(MemorySource([1, 2, 3]))
        let target = ObjectLocation(bucket: "examplebucket", key: "k")
        let receipt = try await OSSBackend(client).putObject(body, at: target, options: ObjectOptions())
        #expect(receipt.verification == .none && receipt.checksums.isEmpty && receipt.size == 3)
        let part = try await OSSBackend(client).uploadPart(
            1, of: MultipartUpload(id: "u", target: target), body: body)
        // The local sum is kept, and known to be local alone.
        #expect(part.checksums.crc64 == FakeOSS.crc([1, 2, 3]) && !part.isConfirmed && part.size == 3)
    }

    @Test func `a checksum that agrees is confirmed, and one that differs is an error`() async throws {
        let right = ScriptedTransport(
            try .oss(200, "", [("ETag", "\"e\""), ("x-oss-hash-crc64ecma", " 11177612005948864433 ")]))
        let body = PartBody(MemorySource(Array("_hello_".utf8)), range: ByteRange(offset: 1, length: 5))
        let target = ObjectLocation(bucket: "examplebucket", key: "k")
        let upload = MultipartUpload(id: "u", target: target)
        let part = try await OSSBackend(OSSClient.test(right)).uploadPart(1, of: upload, body: body)
        #expect(part.isConfirmed && part.checksums.crc64 == 11_177_612_005_948_864_433)
        let receipt = try await OSSBackend(OSSClient.test(right)).putObject(body, at: target, options: ObjectOptions())
        #expect(receipt.verification == .crc64)
        let wrong = ScriptedTransport(try .oss(200, "", [("ETag", "\"e\""), ("x-oss-hash-crc64ecma", "1")]))
        let error = await transferError {
            _ = try await OSSBackend(OSSClient.test(wrong)).uploadPart(7, of: upload, body: body)
        }
        #expect(error?.code == .checksumMismatch && error?.retry == .backoff && error?.part == 7)
        #expect(error?.message.contains("11177612005948864433") == true)
    }

    /// FR-018 and FR-077: all pages, each part once, in order.
    @Test func `all pages of parts are read, and a list that does not advance ends`() async throws {
        func page(_ numbers: [Int], next: Int, truncated: Bool = true) throws -> HTTPResponse {
            let parts = numbers.map {
                "<Part><PartNumber>\($0)</PartNumber><ETag>e\($0)</ETag><Size>1</Size><HashCrc64ecma>\($0)</HashCrc64ecma></Part>"
            }
            return try .oss(
                200,
                """
                <ListPartsResult><IsTruncated>\(truncated)</IsTruncated>\
                <NextPartNumberMarker>\(next)</NextPartNumberMarker>\(parts.joined())</ListPartsResult>
                """)
        }
        let transport = ScriptedTransport(
            try page([1, 2], next: 2), try page([4, 3, 2], next: 4), try page([9], next: 9, truncated: false))
        let client = try OSSClient.test(transport)
        let parts = try await client.listAllParts(bucket: "examplebucket", key: "k", uploadID: "u")
        #expect(parts.map(\.partNumber) == [1, 2, 3, 4, 9])
        #expect(transport.requests.map { $0.parameter("part-number-marker") } == [nil, "2", "4"])
        let endless = ScriptedTransport(try page([1], next: 9_999), try page([1], next: 10_000))
        _ = try await OSSClient.test(endless).listAllParts(bucket: "examplebucket", key: "k", uploadID: "u")
        #expect(endless.requests.count == 2)
        let stuck = ScriptedTransport(try page([1], next: 1), try page([1], next: 1))
        let backend = OSSBackend(try OSSClient.test(stuck))
        let upload = MultipartUpload(id: "u", target: ObjectLocation(bucket: "examplebucket", key: "k"))
        let listed = try await backend.listParts(of: upload)
        #expect(
            listed == [
                CompletedPart(number: 1, etag: ETag("e1"), size: 1, checksums: Checksums(crc64: 1), isConfirmed: true)
            ])
        #expect(stuck.requests.count == 2)
    }

    @Test(arguments: [
        "<Part><PartNumber>0</PartNumber><ETag>e</ETag></Part>",
        "<Part><PartNumber>10001</PartNumber><ETag>e</ETag></Part>",
        "<Part><PartNumber>x</PartNumber><ETag>e</ETag></Part>", "<Part><ETag>e</ETag></Part>",
        "<Part><PartNumber>1</PartNumber></Part>", "<Part><PartNumber>1</PartNumber><ETag>\"\"</ETag></Part>",
        "<Part><PartNumber>99999999999999999999</PartNumber><ETag>e</ETag></Part>",
    ])
    func `a listed part that cannot be is left out`(part: String) async throws {
        let transport = ScriptedTransport(try .oss(200, "<ListPartsResult>\(part)</ListPartsResult>"))
        let page = try await OSSClient.test(transport).listParts(
            .init(bucket: "examplebucket", key: "k", uploadID: "u"))
        #expect(page.parts.isEmpty && !page.isTruncated)
    }

    @Test func `Complete takes parts in any order and form, each once`() async throws {
        let transport = ScriptedTransport(
            try .oss(200, "<CompleteMultipartUploadResult><ETag>\"e\"</ETag></CompleteMultipartUploadResult>"))
        let client = try OSSClient.test(transport)
        func complete(_ parts: [OSSUploadedPart]) async throws {
            _ = try await client.completeMultipartUpload(
                .init(bucket: "examplebucket", key: "k", uploadID: "u", parts: parts))
        }
        func refused(_ parts: [OSSUploadedPart]) async -> Bool {
            await transferError { try await complete(parts) }?.field == "parts"
        }
        let one = OSSUploadedPart(partNumber: 1, eTag: "e")
        #expect(await refused([]))
        #expect(await refused([one, one]))
        #expect(await refused([OSSUploadedPart(partNumber: 0, eTag: "e")]))
        #expect(await refused([OSSUploadedPart(partNumber: 10_001, eTag: "e")]))
        #expect(await refused([OSSUploadedPart(partNumber: 1, eTag: "\"\"")]))
        #expect(await refused([OSSUploadedPart(partNumber: 1, eTag: "a\u{1}")]))
        #expect(transport.requests.isEmpty)
        try await complete([
            OSSUploadedPart(partNumber: 10_000, eTag: " \"b&<\" "), OSSUploadedPart(partNumber: 7, eTag: "a"), one,
        ])
        #expect(
            transport.requests.first?.bodyText == """
                <CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>"e"</ETag></Part>\
                <Part><PartNumber>7</PartNumber><ETag>"a"</ETag></Part>\
                <Part><PartNumber>10000</PartNumber><ETag>"b&amp;&lt;"</ETag></Part></CompleteMultipartUpload>
                """)
    }

    @Test func `a cancelled task ends with CancellationError`() async throws {
        let transport = ScriptedTransport { _, _ in
            try await Task.sleep(for: .seconds(600))
            return try .oss(204)
        }
        let client = try OSSClient.test(transport)
        let task = Task { try await client.deleteObject(.init(bucket: "examplebucket", key: "k")) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `bad input is refused by its name before any request`() async throws {
        let transport = ScriptedTransport(try .oss(500))
        let client = try OSSClient.test(transport)
        let content = MemorySource([1])
        #expect(
            await transferError { _ = try await client.headObject(.init(bucket: "B", key: "k")) }?.field == "bucket")
        #expect(
            await transferError { _ = try await client.deleteObject(.init(bucket: "bucket", key: "k", versionID: "")) }?
                .field == "versionID")
        #expect(
            await transferError {
                _ = try await client.getObject(
                    .init(bucket: "bucket", key: "k", range: ByteRange(offset: 3, length: 0)), into: CollectingSink())
            }?.field == "range")
        #expect(
            await transferError {
                _ = try await client.uploadPart(
                    .init(bucket: "bucket", key: "k", uploadID: "", partNumber: 1, content: content))
            }?.field == "uploadID")
        #expect(
            await transferError {
                _ = try await client.uploadPart(
                    .init(bucket: "bucket", key: "k", uploadID: "u", partNumber: 0, content: content))
            }?.field == "partNumber")
        var parts = OSSListPartsInput(bucket: "bucket", key: "k", uploadID: "u")
        parts.maxParts = 1001
        #expect(await transferError { _ = try await client.listParts(parts) }?.field == "maxParts")
        parts.maxParts = 1
        parts.partNumberMarker = -1
        #expect(await transferError { _ = try await client.listParts(parts) }?.field == "partNumberMarker")
        var uploads = OSSListMultipartUploadsInput(bucket: "bucket")
        uploads.maxUploads = 0
        #expect(await transferError { _ = try await client.listMultipartUploads(uploads) }?.field == "maxUploads")
        var huge = OSSPutObjectInput(bucket: "bucket", key: "k", content: HugeSource())
        #expect(await transferError { _ = try await client.putObject(huge) }?.field == "content")
        huge.content = content
        huge.trafficLimit = 1
        #expect(await transferError { _ = try await client.putObject(huge) }?.field == "trafficLimit")
        #expect(transport.requests.isEmpty)
    }

    private struct HugeSource: ByteSource {
        var length: UInt64 { 5 << 30 + 1 }
        func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int { 0 }
    }
}
