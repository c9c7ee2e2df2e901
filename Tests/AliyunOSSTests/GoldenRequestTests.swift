import Testing
import TransferCore
import TransferHTTP
import TransferPrimitives

@testable import AliyunOSS

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Every operation as it goes over the wire, byte for byte (spec section 2), and what its answer becomes.
@Suite struct GoldenRequestTests {
    private static let etag = "\"5D41402ABC4B2A76B9719D911017C592\""
    private static let crcOfHello = "11177612005948864433"

    @Test func `PutObject`() async throws {
        let transport = ScriptedTransport(
            try .oss(
                200, "", [("ETag", Self.etag), ("x-oss-hash-crc64ecma", Self.crcOfHello), ("x-oss-version-id", "v1")]))
        var input = OSSPutObjectInput(
            bucket: "examplebucket", key: "video/a.mp4", content: MemorySource(Array("hello".utf8)))
        input.metadata = ["Author": "alice", "title": "中"]
        input.storageClass = .ia
        input.acl = .private
        input.tagging = ["a b": "1/2", "k": "v"]
        input.forbidOverwrite = true
        input.serverSideEncryption = "KMS"
        input.serverSideEncryptionKeyID = "key-1"
        input.serverSideDataEncryption = "SM4"
        input.cacheControl = "no-cache"
        input.contentDisposition = "attachment; filename=\"中.mp4\""
        input.contentEncoding = "identity"
        input.contentLanguage = "zh"
        input.expires = Vector.date
        input.trafficLimit = 819_200
        let output = try await OSSClient.test(transport).putObject(input)
        let request = try #require(transport.requests.first)
        #expect(
            request.golden == """
                PUT https://examplebucket.oss-cn-shanghai.aliyuncs.com/video/a.mp4
                Cache-Control: no-cache
                Content-Disposition: attachment; filename="%E4%B8%AD.mp4"
                Content-Encoding: identity
                Content-Language: zh
                Content-Type: video/mp4
                Expires: Wed, 15 Jan 2025 08:30:00 GMT
                x-oss-forbid-overwrite: true
                x-oss-meta-Author: alice
                x-oss-meta-title: %E4%B8%AD
                x-oss-object-acl: private
                x-oss-server-side-data-encryption: SM4
                x-oss-server-side-encryption-key-id: key-1
                x-oss-server-side-encryption: KMS
                x-oss-storage-class: IA
                x-oss-tagging: a%20b=1%2F2&k=v
                x-oss-traffic-limit: 819200
                """)
        #expect(request.bodyText == "hello")
        #expect(request.body.computesCRC64)
        #expect(request.headers["x-oss-content-sha256"] == "UNSIGNED-PAYLOAD")
        #expect(request.headers["x-oss-date"] == "20250115T083000Z")
        #expect(request.deadline == nil && request.idleTimeout == nil)
        #expect(output.eTag == Self.etag)
        #expect(output.hashCrc64ecma == 11_177_612_005_948_864_433)
        #expect(output.versionID == "v1")
        #expect(output.requestID == "request-1")
        #expect(output.statusCode == 200)
    }

    @Test func `InitiateMultipartUpload`() async throws {
        let transport = ScriptedTransport(
            try .oss(
                200,
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <InitiateMultipartUploadResult>
                  <EncodingType>url</EncodingType>
                  <Bucket>examplebucket</Bucket>
                  <Key>dir/%E4%B8%AD%E6%96%87%20a%2Bb%25c~%281%29%21%2A%27.mp4</Key>
                  <UploadId>0004B9894A22E5B1888A1E29F823AAAA</UploadId>
                </InitiateMultipartUploadResult>
                """))
        var input = OSSInitiateMultipartUploadInput(bucket: "examplebucket", key: Vector.difficultKey)
        input.forbidOverwrite = true
        let configuration = OSSClientConfiguration.test(credential: Vector.temporary)
        let output = try await OSSClient.test(transport, configuration: configuration).initiateMultipartUpload(input)
        let request = try #require(transport.requests.first)
        #expect(
            request.golden == """
                POST \(Vector.host)/\(Vector.difficultPath)?uploads&encoding-type=url
                Content-Type: video/mp4
                x-oss-forbid-overwrite: true
                x-oss-security-token: CAIS+tok/en==
                """)
        // The vector A.3, from the public interface to the wire.
        #expect(
            request.headers["Authorization"]?.hasSuffix(
                "Signature=25ef29e2165c9c756b4cd52886d44825b1479b78dda87670b45e1cb894b9ab0f") == true)
        #expect(request.body.length == 0)
        #expect(request.deadline == .seconds(60))
        #expect(output.uploadID == Vector.uploadID)
    }

    @Test func `UploadPart`() async throws {
        let transport = ScriptedTransport(
            try .oss(200, "", [("ETag", Self.etag), ("x-oss-hash-crc64ecma", Self.crcOfHello)]))
        let output = try await OSSClient.test(transport).uploadPart(
            OSSUploadPartInput(
                bucket: "examplebucket", key: "a.mp4", uploadID: "U+1", partNumber: 10_000,
                content: MemorySource(Array("hello".utf8))))
        let request = try #require(transport.requests.first)
        // A part has no type.
        #expect(request.golden == "PUT \(Vector.host)/a.mp4?partNumber=10000&uploadId=U%2B1")
        #expect(request.bodyText == "hello")
        #expect(output.partNumber == 10_000)
        #expect(output.eTag == Self.etag)
        #expect(output.hashCrc64ecma == 11_177_612_005_948_864_433)
    }

    @Test func `UploadPartCopy`() async throws {
        let transport = ScriptedTransport(
            try .oss(
                200,
                """
                <CopyPartResult><LastModified>2025-01-15T08:31:00.000Z</LastModified><ETag>"E1"</ETag></CopyPartResult>
                """, [("x-oss-copy-source-version-id", "sv")]))
        var input = OSSUploadPartCopyInput(
            bucket: "examplebucket", key: "a.mp4", uploadID: "u", partNumber: 1, srcBucket: "source",
            srcKey: "b c?.mp4",
            srcVersionID: "v/1", copySourceRange: ByteRange(offset: 0, length: 10))
        input.copySourceIfMatch = "\"E0\""
        input.copySourceIfNoneMatch = "\"E9\""
        input.copySourceIfModifiedSince = Vector.date
        input.copySourceIfUnmodifiedSince = Vector.date
        let output = try await OSSClient.test(transport).uploadPartCopy(input)
        let request = try #require(transport.requests.first)
        #expect(
            request.golden == """
                PUT \(Vector.host)/a.mp4?partNumber=1&uploadId=u
                x-oss-copy-source-if-match: "E0"
                x-oss-copy-source-if-modified-since: Wed, 15 Jan 2025 08:30:00 GMT
                x-oss-copy-source-if-none-match: "E9"
                x-oss-copy-source-if-unmodified-since: Wed, 15 Jan 2025 08:30:00 GMT
                x-oss-copy-source-range: bytes=0-9
                x-oss-copy-source: /source/b%20c%3F.mp4?versionId=v%2F1
                """)
        #expect(request.idleTimeout == .seconds(900))
        #expect(output.eTag == "\"E1\"")
        #expect(output.lastModified?.timeIntervalSince1970 == 1_736_929_860)
        #expect(output.copySourceVersionID == "sv")
    }

    @Test func `CompleteMultipartUpload`() async throws {
        let transport = ScriptedTransport(
            try .oss(
                200,
                """
                <CompleteMultipartUploadResult><EncodingType>url</EncodingType>
                <Location>http://examplebucket.oss-cn-shanghai.aliyuncs.com/a.mp4</Location>
                <Bucket>examplebucket</Bucket><Key>a.mp4</Key><ETag>"097DE458-2"</ETag></CompleteMultipartUploadResult>
                """, [("x-oss-hash-crc64ecma", "7"), ("x-oss-version-id", "v1")]))
        var input = OSSCompleteMultipartUploadInput(
            bucket: "examplebucket", key: "a.mp4", uploadID: "u",
            parts: [OSSUploadedPart(partNumber: 2, eTag: "\"E2\""), OSSUploadedPart(partNumber: 1, eTag: "E1")])
        input.forbidOverwrite = true
        let output = try await OSSClient.test(transport).completeMultipartUpload(input)
        let request = try #require(transport.requests.first)
        let body = """
            <CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>"E1"</ETag></Part>\
            <Part><PartNumber>2</PartNumber><ETag>"E2"</ETag></Part></CompleteMultipartUpload>
            """
        #expect(request.bodyText == body)
        #expect(
            request.golden == """
                POST \(Vector.host)/a.mp4?uploadId=u&encoding-type=url
                Content-MD5: \(Base64.encode(Digest.md5(body.utf8)))
                x-oss-forbid-overwrite: true
                """)
        #expect(request.idleTimeout == .seconds(900))
        #expect(output.eTag == "\"097DE458-2\"")
        #expect(output.location == "http://examplebucket.oss-cn-shanghai.aliyuncs.com/a.mp4")
        #expect(output.hashCrc64ecma == 7)
        #expect(output.versionID == "v1")
    }

    @Test func `AbortMultipartUpload, which succeeds for an upload that is gone`() async throws {
        let transport = ScriptedTransport(try .oss(204), try .refusal(404, "NoSuchUpload"))
        let client = try OSSClient.test(transport)
        let input = OSSAbortMultipartUploadInput(bucket: "examplebucket", key: "a.mp4", uploadID: "u")
        #expect(try await client.abortMultipartUpload(input).statusCode == 204)
        #expect(try await client.abortMultipartUpload(input).statusCode == 404)
        #expect(
            transport.requests.map(\.golden) == Array(repeating: "DELETE \(Vector.host)/a.mp4?uploadId=u", count: 2))
    }

    @Test func `ListParts`() async throws {
        let transport = ScriptedTransport(
            try .oss(
                200,
                """
                <ListPartsResult xmlns="http://doc.oss-cn-hangzhou.aliyuncs.com">
                  <EncodingType>url</EncodingType><Bucket>b</Bucket><Key>k</Key><UploadId>u</UploadId>
                  <PartNumberMarker>3</PartNumberMarker><NextPartNumberMarker>5</NextPartNumberMarker>
                  <MaxParts>2</MaxParts><IsTruncated>true</IsTruncated>
                  <Part><PartNumber>4</PartNumber><LastModified>2025-01-15T08:31:00.000Z</LastModified>
                    <ETag>"3349DC70"</ETag><Size>1048576</Size><HashCrc64ecma>6947770692288575170</HashCrc64ecma></Part>
                  <Part><PartNumber>5</PartNumber><ETag>&quot;E5&quot;</ETag><Size>7</Size></Part>
                </ListPartsResult>
                """))
        var input = OSSListPartsInput(bucket: "examplebucket", key: "a.mp4", uploadID: "u")
        input.partNumberMarker = 3
        input.maxParts = 2
        let output = try await OSSClient.test(transport).listParts(input)
        #expect(
            transport.requests.map(\.golden) == [
                "GET \(Vector.host)/a.mp4?uploadId=u&max-parts=2&part-number-marker=3&encoding-type=url"
            ])
        #expect(
            output.parts == [
                OSSUploadedPart(
                    partNumber: 4, eTag: "\"3349DC70\"", size: 1_048_576, hashCrc64ecma: 6_947_770_692_288_575_170,
                    lastModified: Vector.date + 60), OSSUploadedPart(partNumber: 5, eTag: "\"E5\"", size: 7),
            ])
        #expect(output.isTruncated && output.nextPartNumberMarker == 5)
    }

    @Test func `ListMultipartUploads`() async throws {
        let transport = ScriptedTransport(
            try .oss(
                200,
                """
                <ListMultipartUploadsResult><EncodingType>url</EncodingType><Bucket>examplebucket</Bucket>
                  <NextKeyMarker>a%2Bb</NextKeyMarker><NextUploadIdMarker>U%2B2</NextUploadIdMarker>
                  <MaxUploads>2</MaxUploads><IsTruncated>true</IsTruncated>
                  <Upload><Key>%E4%B8%AD+x</Key><UploadId>U%2B1</UploadId><StorageClass>Standard</StorageClass>
                    <Initiated>2025-01-15T08:30:00.000Z</Initiated></Upload>
                  <CommonPrefixes><Prefix>p%2Fq</Prefix></CommonPrefixes>
                </ListMultipartUploadsResult>
                """))
        var input = OSSListMultipartUploadsInput(bucket: "examplebucket")
        input.prefix = "a/b c"
        input.delimiter = "/"
        input.marker = OSSUploadsMarker(key: "中", uploadID: "u")
        input.maxUploads = 2
        let output = try await OSSClient.test(transport).listMultipartUploads(input)
        #expect(
            transport.requests.map(\.golden) == [
                "GET \(Vector.host)/?uploads&encoding-type=url&prefix=a%2Fb%20c&delimiter=%2F&key-marker=%E4%B8%AD"
                    + "&upload-id-marker=u&max-uploads=2"
            ])
        // Percent escapes alone are undone, and those of upload ids are none.
        #expect(
            output.uploads == [
                OSSPendingUpload(key: "中+x", uploadID: "U%2B1", storageClass: .standard, initiated: Vector.date)
            ])
        #expect(output.commonPrefixes == ["p/q"])
        #expect(output.nextMarker == OSSUploadsMarker(key: "a+b", uploadID: "U%2B2"))
    }

    @Test func `HeadObject`() async throws {
        let transport = ScriptedTransport(
            try .oss(
                200, "",
                [
                    ("Content-Length", "344606"), ("Content-Type", "video/mp4"), ("ETag", Self.etag),
                    ("Last-Modified", "Wed, 15 Jan 2025 08:30:00 GMT"), ("x-oss-object-type", "Multipart"),
                    ("x-oss-storage-class", "IA"), ("x-oss-hash-crc64ecma", "18446744073709551615"),
                    ("X-Oss-Meta-Title", "%E4%B8%AD"), ("x-oss-version-id", "v1"),
                    ("x-oss-server-side-encryption", "KMS"), ("x-oss-server-side-encryption-key-id", "k"),
                    ("x-oss-tagging-count", "2"),
                ]))
        var input = OSSHeadObjectInput(bucket: "examplebucket", key: "a.mp4", versionID: "v1")
        input.conditions.ifMatch = Self.etag
        input.conditions.ifUnmodifiedSince = Vector.date
        let output = try await OSSClient.test(transport).headObject(input)
        #expect(
            transport.requests.map(\.golden) == [
                """
                HEAD \(Vector.host)/a.mp4?versionId=v1
                If-Match: \(Self.etag)
                If-Unmodified-Since: Wed, 15 Jan 2025 08:30:00 GMT
                """
            ])
        #expect(output.contentLength == 344_606)
        #expect(output.hashCrc64ecma == .max)
        #expect(output.metadata == ["title": "中"])
        #expect(output.objectType == "Multipart")
        #expect(output.storageClass == .ia)
        #expect(output.lastModified == Vector.date)
        #expect(output.serverSideEncryption == "KMS" && output.serverSideEncryptionKeyID == "k")
        #expect(output.taggingCount == 2)
        #expect(output.versionID == "v1")
    }

    @Test func `GetObject of a range`() async throws {
        let transport = ScriptedTransport(
            try .oss(
                206, "ello",
                [
                    ("Content-Length", "4"), ("Content-Range", "bytes 1-4/5"), ("ETag", Self.etag),
                    // Of the whole object: no check of a range.
                    ("x-oss-hash-crc64ecma", Self.crcOfHello),
                ]))
        var input = OSSGetObjectInput(
            bucket: "examplebucket", key: "a.mp4", range: ByteRange(offset: 1, length: 100))
        input.overrides.contentType = "text/plain; a=b"
        let sink = CollectingSink()
        let output = try await OSSClient.test(transport).getObject(input, into: sink)
        #expect(
            transport.requests.map(\.golden) == [
                """
                GET \(Vector.host)/a.mp4?response-content-type=text%2Fplain%3B%20a%3Db
                Range: bytes=1-100
                x-oss-range-behavior: standard
                """
            ])
        #expect(sink.text == "ello" && sink.offsets == [1])
        #expect(output.object.contentLength == 5)
    }

    @Test func `GetObject of the whole, compared with its checksum`() async throws {
        let good = try HTTPResponse.oss(
            200, "hello", [("Content-Length", "5"), ("x-oss-hash-crc64ecma", Self.crcOfHello)])
        let bad = try HTTPResponse.oss(
            200, "hullo", [("Content-Length", "5"), ("x-oss-hash-crc64ecma", Self.crcOfHello)])
        let input = OSSGetObjectInput(bucket: "examplebucket", key: "a.mp4")
        let transport = ScriptedTransport(good)
        let output = try await OSSClient.test(transport).getObject(input, into: CollectingSink())
        #expect(transport.requests.map(\.golden) == ["GET \(Vector.host)/a.mp4"])
        #expect(output.object.hashCrc64ecma == 11_177_612_005_948_864_433)
        let error = await transferError {
            _ = try await OSSClient.test(ScriptedTransport(bad)).getObject(input, into: CollectingSink())
        }
        #expect(error?.code == .checksumMismatch && error?.retry == .backoff)
    }

    @Test func `CopyObject`() async throws {
        let transport = ScriptedTransport(
            try .oss(
                200,
                "<CopyObjectResult><LastModified>2025-01-15T08:30:00.000Z</LastModified><ETag>\"E\"</ETag></CopyObjectResult>"
            ))
        let client = try OSSClient.test(transport)
        var input = OSSCopyObjectInput(srcBucket: "source", srcKey: "中.mp4", bucket: "examplebucket", key: "b.mp4")
        input.metadata = ["ignored": "x"]
        input.storageClass = .archive
        let output = try await client.copyObject(input)
        #expect(output.eTag == "\"E\"" && output.lastModified == Vector.date)
        input.metadataDirective = .replace
        input.tagging = ["k": "v"]
        _ = try await client.copyObject(input)
        #expect(
            transport.requests.map(\.golden) == [
                """
                PUT \(Vector.host)/b.mp4
                x-oss-copy-source: /source/%E4%B8%AD.mp4
                x-oss-storage-class: Archive
                """,
                """
                PUT \(Vector.host)/b.mp4
                Content-Type: video/mp4
                x-oss-copy-source: /source/%E4%B8%AD.mp4
                x-oss-meta-ignored: x
                x-oss-metadata-directive: REPLACE
                x-oss-storage-class: Archive
                x-oss-tagging-directive: Replace
                x-oss-tagging: k=v
                """,
            ])
    }

    @Test func `DeleteObject`() async throws {
        let transport = ScriptedTransport(
            try .oss(204, "", [("x-oss-delete-marker", "true"), ("x-oss-version-id", "v2")]))
        let output = try await OSSClient.test(transport).deleteObject(
            OSSDeleteObjectInput(bucket: "examplebucket", key: "a b", versionID: "v1"))
        #expect(transport.requests.map(\.golden) == ["DELETE \(Vector.host)/a%20b?versionId=v1"])
        #expect(output.deleteMarker && output.versionID == "v2")
    }

    @Test func `a requester who pays says so with every request`() async throws {
        let transport = ScriptedTransport(try .oss(204))
        var configuration = OSSClientConfiguration.test()
        configuration.requesterPays = true
        _ = try await OSSClient.test(transport, configuration: configuration).deleteObject(
            OSSDeleteObjectInput(bucket: "examplebucket", key: "a"))
        #expect(transport.requests.first?.headers["x-oss-request-payer"] == "requester")
    }

    @Test func `V1 signs what V1 sends`() async throws {
        let transport = ScriptedTransport(try .oss(200, "", [("ETag", Self.etag)]))
        var configuration = OSSClientConfiguration.test()
        configuration.signature = .v1
        var input = OSSPutObjectInput(bucket: "examplebucket", key: "video/a.mp4", content: MemorySource([]))
        input.metadata = ["author": "alice"]
        _ = try await OSSClient.test(transport, configuration: configuration).putObject(input)
        let headers = try #require(transport.requests.first?.headers)
        // The vector B.1, from the public interface to the wire.
        #expect(headers["Authorization"] == "OSS TESTAKID0001:tcjx+DZtutwed9oQ8ppGvV9P6jg=")
        #expect(!headers.contains("x-oss-date") && !headers.contains("x-oss-content-sha256"))
    }
}

/// Keeps what it gets.
final class CollectingSink: PartSink {
    private let state = LockBox<(bytes: [UInt8], offsets: [UInt64])>(([], []))

    var text: String { String(decoding: state.withLock { $0.bytes }, as: UTF8.self) }
    var offsets: [UInt64] { state.withLock { $0.offsets } }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) {
        state.withLock { state in
            state.bytes += bytes
            state.offsets.append(offset)
        }
    }
}
