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

/// Spec section 4: each operation as it goes to the wire, apart from the signature.
@Suite struct GoldenRequestTests {
    private let host = "https://dst-bucket.tos-cn-beijing.volces.com"
    private let target = ObjectLocation(bucket: "dst-bucket", key: "copied/large file.bin")

    /// The one request that `call` makes when it is answered by `answer`.
    private func request(
        _ answer: HTTPResponse, configuration: TOSClientConfiguration = .test(),
        _ call: (TOSClient) async throws -> Void
    ) async throws -> HTTPRequest {
        let transport = ScriptedTransport(answer)
        try await call(try .test(transport, configuration: configuration))
        #expect(transport.requests.count == 1)
        return try #require(transport.requests.first)
    }

    @Test func `HeadObject of a version under a condition`() async throws {
        var input = TOSHeadObjectInput(bucket: "src-bucket", key: "dir a/中文", versionID: "v+1/2=")
        input.conditions.ifMatch = "\"abc\""
        let request = try await request(.tos(200, "", [("Content-Length", "5")])) { [input] in
            _ = try await $0.headObject(input)
        }
        #expect(
            request.golden == """
                HEAD https://src-bucket.tos-cn-beijing.volces.com/dir%20a/%E4%B8%AD%E6%96%87?versionId=v%2B1%2F2%3D
                If-Match: "abc"
                """)
        #expect(request.deadline == .seconds(60))
    }

    @Test func `CreateMultipartUpload with everything the object is to carry`() async throws {
        var input = TOSCreateMultipartUploadInput(bucket: "dst-bucket", key: "copied/large file.bin")
        input.contentType = "application/octet-stream"
        input.meta = ["name": "火山", "k": "a b"]
        input.acl = .private
        input.storageClass = .ia
        let request = try await request(
            .tos(200, #"{"Bucket":"b","Key":"k","UploadId":"u-1"}"#),
            configuration: .test(token: "STSexampleToken+/=abc")
        ) { [input] in
            let output = try await $0.createMultipartUpload(input)
            #expect(output.uploadID == "u-1")
        }
        #expect(
            request.golden == """
                POST \(host)/copied/large%20file.bin?uploads=
                Content-Type: application/octet-stream
                x-tos-acl: private
                x-tos-meta-k: a%20b
                x-tos-meta-name: %E7%81%AB%E5%B1%B1
                x-tos-security-token: STSexampleToken+/=abc
                x-tos-storage-class: IA
                """)
        #expect(request.body.length == 0)
        // Vector V3 of the specification: the same request, signed at the same moment.
        #expect(
            request.headers["Authorization"]?.hasSuffix(
                "5608e1ee2a5168d0b6119da9b0308db590cba234d70e188716af8ef3612bafeb") == true)
    }

    @Test func `UploadPartCopy of a range of a version while the source is what it was`() async throws {
        var input = TOSUploadPartCopyInput(
            bucket: "dst-bucket", key: "copied/large file.bin", uploadID: "u/1", partNumber: 2, srcBucket: "src-bucket",
            srcKey: "dir a/big.bin", srcVersionID: "v1",
            copySourceRange: ByteRange(offset: 20_971_520, length: 20_971_520))
        input.copySourceIfMatch = "\"0123456789abcdef0123456789abcdef\""
        input.copySourceIfModifiedSince = Date(timeIntervalSince1970: 1_751_356_800)
        input.trafficLimit = 819_200
        input.ssecKey = EncryptionKey([UInt8](repeating: 7, count: 32))
        input.copySourceSSECKey = EncryptionKey([UInt8](repeating: 7, count: 32))
        let request = try await request(.tos(200, #"{"ETag":"\"e1b4\"","LastModified":"2025-07-01T08:00:02.000Z"}"#)) {
            [input] in
            let output = try await $0.uploadPartCopy(input)
            #expect(output.eTag == "\"e1b4\"")
            #expect(output.partNumber == 2)
            #expect(output.lastModified?.timeIntervalSince1970 == 1_751_356_802)
        }
        #expect(
            request.golden == """
                PUT \(host)/copied/large%20file.bin?partNumber=2&uploadId=u%2F1
                x-tos-copy-source-if-match: "0123456789abcdef0123456789abcdef"
                x-tos-copy-source-if-modified-since: Tue, 01 Jul 2025 08:00:00 GMT
                x-tos-copy-source-range: bytes=20971520-41943039
                x-tos-copy-source-server-side-encryption-customer-algorithm: AES256
                x-tos-copy-source-server-side-encryption-customer-key-MD5: y4HAEFCYWuvAXWFTtA1Qpg==
                x-tos-copy-source-server-side-encryption-customer-key: BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=
                x-tos-copy-source: /src-bucket/dir%20a/big.bin?versionId=v1
                x-tos-server-side-encryption-customer-algorithm: AES256
                x-tos-server-side-encryption-customer-key-MD5: y4HAEFCYWuvAXWFTtA1Qpg==
                x-tos-server-side-encryption-customer-key: BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=
                x-tos-traffic-limit: 819200
                """)
        #expect(request.body.length == 0)
        #expect(request.idleTimeout == .seconds(900))
        #expect(request.deadline == nil)
    }

    @Test func `one byte is a range, and the whole source is none`() async throws {
        var input = TOSUploadPartCopyInput(
            bucket: "dst-bucket", key: "k", uploadID: "u", partNumber: 1, srcBucket: "src-bucket", srcKey: "s",
            copySourceRange: ByteRange(offset: 0, length: 1))
        let one = try await request(.tos(200, #"{"ETag":"e"}"#)) { [input] in _ = try await $0.uploadPartCopy(input) }
        #expect(one.headers["x-tos-copy-source-range"] == "bytes=0-0")
        input.copySourceRange = nil
        let all = try await request(.tos(200, #"{"ETag":"e"}"#)) { [input] in _ = try await $0.uploadPartCopy(input) }
        #expect(all.headers["x-tos-copy-source-range"] == nil)
    }

    @Test func `UploadPart`() async throws {
        let input = TOSUploadPartInput(
            bucket: "dst-bucket", key: "b.txt", uploadID: "u", partNumber: 1, content: MemorySource(Array("hello".utf8))
        )
        let request = try await request(.tos(200, "", [("ETag", "\"e\"")])) {
            let output = try await $0.uploadPart(input)
            #expect(output.eTag == "\"e\"")
        }
        #expect(request.golden == "PUT \(host)/b.txt?partNumber=1&uploadId=u")
        #expect(request.bodyText == "hello")
        #expect(request.body.computesCRC64)
        #expect(request.deadline == nil && request.idleTimeout == nil)
    }

    @Test func `CompleteMultipartUpload names its parts in ascending order and in one form`() async throws {
        let input = TOSCompleteMultipartUploadInput(
            bucket: "dst-bucket", key: "copied/large file.bin", uploadID: "u",
            parts: [
                TOSUploadedPart(partNumber: 3, eTag: "\"c\""), TOSUploadedPart(partNumber: 1, eTag: "a"),
                TOSUploadedPart(partNumber: 2, eTag: " \"b\" "),
            ])
        let request = try await request(
            .tos(
                200, #"{"Bucket":"dst-bucket","Key":"k","ETag":"\"x-3\"","Location":"http://l"}"#,
                [("x-tos-hash-crc64ecma", "11177612005948864433"), ("x-tos-version-id", "v9")])
        ) {
            let output = try await $0.completeMultipartUpload(input)
            #expect(output.eTag == "\"x-3\"")
            #expect(output.location == "http://l")
            #expect(output.versionID == "v9")
            #expect(output.hashCrc64ecma == 11_177_612_005_948_864_433)
            #expect(output.requestID == "request-1")
        }
        #expect(request.golden == "POST \(host)/copied/large%20file.bin?uploadId=u")
        #expect(
            request.bodyText == #"{"Parts":[{"PartNumber":1,"ETag":"\"a\""},{"PartNumber":2,"ETag":"\"b\""},"#
                + #"{"PartNumber":3,"ETag":"\"c\""}]}"#)
        #expect(request.idleTimeout == .seconds(900))
    }

    @Test func `ListParts`() async throws {
        var input = TOSListPartsInput(bucket: "dst-bucket", key: "copied/large file.bin", uploadID: "u")
        input.maxParts = 100
        input.partNumberMarker = 2
        let request = try await request(
            .tos(
                200,
                """
                {"IsTruncated":true,"NextPartNumberMarker":4,"Parts":[{"PartNumber":3,"ETag":"\\"a\\"","Size":20971520},
                 {"PartNumber":4,"ETag":"b"},{"PartNumber":0,"ETag":"x"},{"PartNumber":5},{"ETag":"y"}]}
                """)
        ) { [input] in
            let output = try await $0.listParts(input)
            #expect(output.parts.map(\.partNumber) == [3, 4])
            #expect(output.parts.first?.size == 20_971_520)
            #expect(output.isTruncated)
            #expect(output.nextPartNumberMarker == 4)
        }
        #expect(request.golden == "GET \(host)/copied/large%20file.bin?uploadId=u&max-parts=100&part-number-marker=2")
    }

    @Test func `AbortMultipartUpload and DeleteObject`() async throws {
        let abort = try await request(.tos(204)) {
            _ = try await $0.abortMultipartUpload(
                TOSAbortMultipartUploadInput(bucket: "dst-bucket", key: "k", uploadID: "u"))
        }
        #expect(abort.golden == "DELETE \(host)/k?uploadId=u")
        let delete = try await request(.tos(204, "", [("x-tos-delete-marker", "true"), ("x-tos-version-id", "v2")])) {
            let output = try await $0.deleteObject(
                TOSDeleteObjectInput(bucket: "dst-bucket", key: "b.txt", versionID: "v1"))
            #expect(output.deleteMarker)
            #expect(output.versionID == "v2")
        }
        #expect(delete.golden == "DELETE \(host)/b.txt?versionId=v1")
    }

    @Test func `CopyObject with metadata of its own`() async throws {
        var input = TOSCopyObjectInput(srcBucket: "src-bucket", srcKey: "a/b c.txt", bucket: "dst-bucket", key: "b.txt")
        input.metadataDirective = .replace
        input.contentType = "text/plain"
        input.meta = ["new-meta-key": "new-meta-value"]
        input.tagging = ["t": "1"]
        let request = try await request(
            .tos(200, #"{"ETag":"\"5d41\""}"#, [("x-tos-version-id", "v2"), ("x-tos-copy-source-version-id", "v1")])
        ) { [input] in
            let output = try await $0.copyObject(input)
            #expect(output.versionID == "v2")
            #expect(output.copySourceVersionID == "v1")
        }
        #expect(
            request.golden == """
                PUT \(host)/b.txt
                Content-Type: text/plain
                x-tos-copy-source: /src-bucket/a/b%20c.txt
                x-tos-meta-new-meta-key: new-meta-value
                x-tos-metadata-directive: REPLACE
                x-tos-tagging-directive: Replace
                x-tos-tagging: t=1
                """)
    }

    @Test func `CopyObject that keeps the source's metadata does not send any`() async throws {
        var input = TOSCopyObjectInput(srcBucket: "src-bucket", srcKey: "a", bucket: "dst-bucket", key: "b")
        input.contentType = "ignored/by-directive"
        input.storageClass = .ia
        let request = try await request(.tos(200, #"{"ETag":"e"}"#)) { [input] in _ = try await $0.copyObject(input) }
        #expect(
            request.golden == """
                PUT \(host)/b
                x-tos-copy-source: /src-bucket/a
                x-tos-storage-class: IA
                """)
    }

    @Test func `PutObject and GetObject of a range`() async throws {
        var put = TOSPutObjectInput(bucket: "dst-bucket", key: "b.txt", content: MemorySource(Array("hello".utf8)))
        put.contentType = "text/plain"
        let sent = try await request(.tos(200, "", [("ETag", "\"5d41\"")])) { [put] in _ = try await $0.putObject(put) }
        #expect(sent.golden == "PUT \(host)/b.txt\nContent-Type: text/plain")
        let sink = CollectingSink()
        let read = try await request(.tos(206, "ell", [("Content-Range", "bytes 1-3/5")])) {
            let output = try await $0.getObject(
                TOSGetObjectInput(bucket: "dst-bucket", key: "b.txt", range: ByteRange(offset: 1, length: 3)),
                into: sink)
            #expect(output.object.size == 5)
        }
        #expect(read.golden == "GET \(host)/b.txt\nRange: bytes=1-3")
        #expect(sink.text == "1:ell")
    }

    @Test func `odd keys reach the wire as they are`() async throws {
        for (key, path) in [
            ("..", "/.."), ("a//b/", "/a//b/"), ("/lead", "//lead"), ("a?b&uploads", "/a%3Fb%26uploads"),
        ] {
            let request = try await request(.tos(200, "", [("Content-Length", "5")])) {
                _ = try await $0.headObject(TOSHeadObjectInput(bucket: "dst-bucket", key: key))
            }
            #expect(request.url == host + path)
        }
    }

    @Test func `in path style the bucket is part of the signed path, with a custom domain of nothing`() async throws {
        let byPath = try await request(
            .tos(200, "", [("Content-Length", "5")]), configuration: .test(url: "http://127.0.0.1:9000")
        ) { _ = try await $0.headObject(TOSHeadObjectInput(bucket: "dst-bucket", key: "k")) }
        #expect(byPath.url == "http://127.0.0.1:9000/dst-bucket/k")
        let byDomain = try await request(
            .tos(200, "", [("Content-Length", "5")]),
            configuration: .test(url: "https://cdn.example.com", isCustomDomain: true)
        ) { _ = try await $0.headObject(TOSHeadObjectInput(bucket: "dst-bucket", key: "k")) }
        #expect(byDomain.url == "https://cdn.example.com/k")
    }
}

/// Keeps what it is given, with the first offset.
final class CollectingSink: PartSink {
    private let received = LockBox<(first: UInt64?, bytes: [UInt8])>((nil, []))

    var text: String {
        received.withLock { "\($0.first ?? 0):" + String(decoding: $0.bytes, as: UTF8.self) }
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) {
        received.withLock {
            $0.first = $0.first ?? offset
            $0.bytes += Array(bytes)
        }
    }
}
