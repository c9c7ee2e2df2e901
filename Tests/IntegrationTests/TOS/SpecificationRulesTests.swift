import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import Testing
import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The rules of the TOS specification, section 11, one by one, on the wire.
@Suite struct SpecificationRulesTests {
    /// Its CRC-64 is above 2^63: a reader that goes through a double or a signed number loses it.
    private static let digits = "123456789"
    private static let digitsCRC64: UInt64 = 11_051_210_869_376_104_954

    // MARK: Must

    @Test(arguments: TOSWireFormat.allCases, [false, true])
    func `rule 1: documents are read by their content, errors in both shapes, checksums as unsigned 64 bits`(
        wire: TOSWireFormat, wrapsErrors: Bool
    ) async throws {
        let fixture = try await CopyFixture(
            { $0.quirks.wrapsErrors = wrapsErrors }, client: { $0.wireFormat = wire })
        let missing = TOSCopyObjectInput(srcBucket: "src-bucket", srcKey: "no", bucket: "dst-bucket", key: "k")
        let error = await failure { _ = try await fixture.client.copyObject(missing) }
        #expect(error?.code == .notFound)
        #expect(error?.service?.code == "NoSuchKey")
        #expect(error?.service?.requestID?.isEmpty == false)

        try fixture.server.storage.putObject("digits", in: "src-bucket", .text(Self.digits))
        let copy = TOSCopyObjectInput(srcBucket: "src-bucket", srcKey: "digits", bucket: "dst-bucket", key: "digits")
        _ = try await fixture.client.copyObject(copy)
        let head = try await fixture.client.headObject(TOSHeadObjectInput(bucket: "dst-bucket", key: "digits"))
        #expect(head.hashCrc64ecma == (wire == .native ? Self.digitsCRC64 : nil))
    }

    /// What is answered with 200 and a document.
    private static let documented: [StoreOperation] = [
        .createMultipartUpload, .uploadPartCopy, .completeMultipartUpload, .copyObject,
    ]

    @Test(arguments: documented)
    func `rule 2: a 200 without its ETag or UploadId is a failure of the service`(
        operation: StoreOperation
    ) async throws {
        let fixture = try await CopyFixture(client: { $0.maxRetryCount = 0 })
        fixture.server.faults.add(.on(operation), .edit { $0.text = "{}" })
        let error = await failure { try await fixture.stepsByHand() }
        #expect(error?.code == .malformedResponse)
        #expect(error?.operation == operation.rawValue)
        #expect(error?.retry != .never)
    }

    @Test(arguments: [
        ("a/b c.txt", "/src-bucket/a/b%20c.txt"), ("+", "/src-bucket/%2B"), ("%", "/src-bucket/%25"),
        ("?", "/src-bucket/%3F"), ("#", "/src-bucket/%23"), ("中文", "/src-bucket/%E4%B8%AD%E6%96%87"),
        (".", "/src-bucket/."), ("..", "/src-bucket/.."), ("dir/", "/src-bucket/dir/"),
    ])
    func `rule 3: a copy source keeps its slashes and encodes the rest`(key: String, header: String) async throws {
        let fixture = try await CopyFixture(size: 10, sourceKey: key)
        _ = try await fixture.client.resumableCopyObject(fixture.input())
        #expect(fixture.isCopied)
        let part = try #require(fixture.server.wireLog.entries(of: .uploadPartCopy).first)
        #expect(part.header("x-tos-copy-source") == header)
    }

    @Test func `rule 4: a part has its range, the whole source has none, an empty source is never asked for`()
        async throws
    {
        let fixture = try await CopyFixture()
        _ = try await fixture.client.resumableCopyObject(fixture.input())
        let ranges = fixture.server.wireLog.entries(of: .uploadPartCopy).map { $0.header("x-tos-copy-source-range") }
        #expect(
            ranges == [
                "bytes=0-5242879", "bytes=5242880-10485759", "bytes=10485760-15728639", "bytes=15728640-15728656",
            ])

        let upload = try await fixture.client.createMultipartUpload(
            TOSCreateMultipartUploadInput(bucket: "dst-bucket", key: "whole"))
        _ = try await fixture.client.uploadPartCopy(
            TOSUploadPartCopyInput(
                bucket: "dst-bucket", key: "whole", uploadID: upload.uploadID, partNumber: 1, srcBucket: "src-bucket",
                srcKey: fixture.source.key))
        let whole = fixture.server.wireLog.entries(of: .uploadPartCopy).last
        #expect(whole?.header("x-tos-copy-source-range") == nil)

        let empty = try await CopyFixture(size: 0)
        _ = try await empty.client.resumableCopyObject(empty.input())
        #expect(empty.isCopied)
        #expect(empty.server.wireLog.count(of: .uploadPartCopy) == 0)
    }

    @Test func `rule 5: every part carries the tag of the HEAD, and a 412 stops the copy`() async throws {
        let fixture = try await CopyFixture()
        fixture.server.faults.add(.on(.uploadPartCopy).part(2), .status(412))
        let error = await failure { _ = try await fixture.client.resumableCopyObject(fixture.input()) }
        #expect(error?.code == .sourceChanged)
        #expect(fixture.server.wireLog.count(of: .completeMultipartUpload) == 0)
        #expect(fixture.server.wireLog.count(of: .uploadPartCopy) == 2)
        for part in fixture.server.wireLog.entries(of: .uploadPartCopy) {
            #expect(part.header("x-tos-copy-source-if-match") == "\"\(fixture.source.etag)\"")
        }
    }

    @Test func `rule 6: parts are completed in order, and checksums compared, not tags`() async throws {
        let fixture = try await CopyFixture()
        let first = fixture.server.faults.add(.on(.uploadPartCopy).part(1), .hold)
        var input = fixture.input()
        input.taskNum = 4
        let copy = try fixture.client.startResumableCopyObject(input)
        // The last parts are done first.
        try await fixture.server.wireLog.waitFor(count: 3, phase: .ended) {
            $0.operation == .uploadPartCopy && $0.request.partNumber != 1
        }
        first.release()
        let output = try await copy.value
        // The server refuses parts that are out of order.
        #expect(output.verification == .crc64)
        #expect(output.hashCrc64ecma == fixture.source.crc64)
        #expect(output.eTag != "\"\(fixture.source.etag)\"")

        fixture.server.faults.add(.on(.completeMultipartUpload), .crc64(1))
        let error = await failure { _ = try await fixture.client.resumableCopyObject(fixture.input()) }
        #expect(error?.code == .checksumMismatch)
        #expect(error?.receipt?.checksums.crc64 == 1)
        #expect(fixture.target != nil)
    }

    @Test func `rule 7: the checkpoint stands when the upload does, is the owner's alone, and holds no secret`()
        async throws
    {
        let fixture = try await CopyFixture {
            $0.accounts = [
                StubAccount(accessKey: "AKEXAMPLE", secretKey: "SecretOfTest+/=", sessionToken: "STSToken+/=")
            ]
        }
        let states = EventLog()
        var input = fixture.input()
        input.ssecKey = EncryptionKey([UInt8](repeating: 7, count: 32))
        let path = fixture.checkpoint
        let log = RecordLog(path)
        input.copyEventListener = { event in
            states.append(event)
            log.look()
        }
        _ = try await fixture.client.resumableCopyObject(input)
        let records = log.records
        #expect(states.types == [1, 3, 3, 3, 3, 6])
        for (index, record) in records.prefix(5).enumerated() {
            #expect(record.mode == 0o600)
            #expect(record.text.contains(try #require(states.all[0].uploadID)))
            // The line of a part stands before its event is told.
            let lines = record.text.split(separator: "\n").filter { $0.contains("\"part\":") }
            #expect(lines.count >= index)
            for secret in ["SecretOfTest", "STSToken", "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc"] {
                #expect(!record.text.contains(secret))
            }
        }
    }

    @Test(arguments: ["", "{}", "no record at all", "{\"objectTransferCheckpoint\":1} 00000000\n"])
    func `rule 8: a file that is no sound record is no checkpoint`(text: String) async throws {
        let fixture = try await CopyFixture()
        try Data(text.utf8).write(to: URL(fileURLWithPath: fixture.checkpoint))
        _ = try await fixture.client.resumableCopyObject(fixture.input())
        #expect(fixture.isCopied)
        #expect(!fixture.hasCheckpoint)
    }

    @Test func `rule 8: the stale upload of a source that changed is aborted`() async throws {
        let fixture = try await CopyFixture()
        try await pause(fixture)
        let stale = try #require(fixture.server.storage.uploads.first).id
        try fixture.server.storage.putObject(
            fixture.source.key, in: "src-bucket", .generated(seed: 9, length: fixture.source.length))
        _ = try await fixture.client.resumableCopyObject(fixture.input())
        #expect(fixture.server.wireLog.entries(of: .abortMultipartUpload).map(\.request.uploadID) == [stale])
        #expect(fixture.server.storage.uploads.isEmpty)
    }

    @Test(arguments: TOSWireFormat.allCases)
    func `rule 9: each attempt is signed anew, a content type exactly when it is sent, and libcurl adds nothing`(
        wire: TOSWireFormat
    ) async throws {
        let fixture = try await CopyFixture(
            size: 10, sourceKey: "a/../b/./c", { $0.clock = ShiftedClock(by: 7200) }, client: { $0.wireFormat = wire })
        var input = fixture.input()
        input.contentType = "video/mp4"
        _ = try await fixture.client.resumableCopyObject(input)
        #expect(fixture.isCopied)
        // The same request before and after the service's clock was learnt.
        let heads = fixture.server.wireLog.entries(of: .headObject)
        #expect(Set(heads.compactMap { $0.header("authorization") }).count == 2)
        for entry in fixture.server.wireLog.entries {
            let signed = try #require(entry.header("authorization"))
            #expect(signed.contains("content-type") == (entry.header("content-type") != nil))
            #expect(entry.header("expect") == nil)
        }
        let created = fixture.server.wireLog.entries(of: .createMultipartUpload)
        #expect(created.map { $0.header("content-type") } == ["video/mp4"])
        let head = try #require(heads.first)
        #expect(head.request.target.hasSuffix("/a/../b/./c"))
    }

    @Test func `rule 10: the secret stands bare at the root of the TOS key chain, behind AWS4 on S3`() async throws {
        // The server derives both chains by code of its own. A secret with the prefix in it is the other wire's key.
        let plain = StubAccount(accessKey: "PLAIN", secretKey: "secret")
        let fixture = try await CopyFixture(size: 1) {
            $0.accounts = [plain, StubAccount(accessKey: "OTHER", secretKey: "AWS4secret")]
        }
        func head(_ accessKey: String, _ secretKey: String, _ wire: TOSWireFormat) async throws {
            let client = try CopyFixture.client(of: fixture.server) { configuration in
                configuration = TOSClientConfiguration(
                    endpoint: configuration.endpoint,
                    credential: TOSCredential(accessKey: accessKey, secretKey: secretKey))
                configuration.wireFormat = wire
            }
            _ = try await client.headObject(TOSHeadObjectInput(bucket: "src-bucket", key: fixture.source.key))
        }
        for wire in TOSWireFormat.allCases {
            try await head("PLAIN", "secret", wire)
            let error = await failure { try await head("OTHER", "secret", wire) }
            #expect(error?.code == .signatureMismatch)
        }
    }

    @Test(arguments: [-1, 1, Int.min, Int.max, (5 << 20) - 1, (5 << 30) + 1])
    func `rule 11: a part size is checked before anything is computed with it`(partSize: Int) async throws {
        let fixture = try await CopyFixture()
        var input = fixture.input()
        input.partSize = partSize
        let error = await failure { [input] in _ = try await fixture.client.resumableCopyObject(input) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.field == "partSize")
        #expect(fixture.server.wireLog.entries.isEmpty)
    }

    @Test(arguments: [Int.min, -1, 0, 1, 1000, 1001, Int.max])
    func `rule 11: a task number is brought into its range`(taskNum: Int) async throws {
        let fixture = try await CopyFixture()
        var input = fixture.input()
        input.taskNum = taskNum
        _ = try await fixture.client.resumableCopyObject(input)
        #expect(fixture.isCopied)
    }

    // MARK: Must not

    @Test func `must not 1: a copy in parts is given the metadata of its source, which no part brings`() async throws {
        let fixture = try await CopyFixture()
        var put = TOSPutObjectInput(bucket: "src-bucket", key: "described", content: MemorySource([1, 2, 3]))
        put.contentType = "video/mp4"
        put.meta = ["name": "火山"]
        _ = try await fixture.client.putObject(put)
        _ = try await fixture.client.resumableCopyObject(
            TOSResumableCopyObjectInput(
                srcBucket: "src-bucket", srcKey: "described", bucket: "dst-bucket", key: "described"))
        let created = try #require(fixture.server.wireLog.entries(of: .createMultipartUpload).first)
        #expect(created.header("content-type") == "video/mp4")
        #expect(created.header("x-tos-meta-name") == "%E7%81%AB%E5%B1%B1")
    }

    @Test(arguments: TOSWireFormat.allCases)
    func `must not 2: a status alone makes no copy`(wire: TOSWireFormat) async throws {
        let fixture = try await CopyFixture(
            client: {
                $0.wireFormat = wire
                $0.maxRetryCount = 0
            })
        fixture.server.faults.add(.on(.copyObject), .lateError(code: "AccessDenied"))
        let copy = TOSCopyObjectInput(
            srcBucket: "src-bucket", srcKey: fixture.source.key, bucket: "dst-bucket", key: "k")
        let error = await failure { _ = try await fixture.client.copyObject(copy) }
        #expect(error?.code == .accessDenied)
        #expect(error?.service?.status == 200)
    }

    @Test(arguments: [("0005-00000044", 2), ("0005-00000045", 1), ("9999-99999999", 1)])
    func `must not 3: of all EC values one 400 alone is repeated`(ec: String, attempts: Int) async throws {
        let fixture = try await CopyFixture(client: { $0.maxRetryCount = 1 })
        fixture.server.faults.add(
            .on(.deleteObject), .status(400, code: "SomethingElse", headers: ["x-tos-ec": ec]))
        let error = await failure {
            _ = try await fixture.client.deleteObject(TOSDeleteObjectInput(bucket: "dst-bucket", key: "k"))
        }
        #expect(error?.service?.status == 400)
        #expect(error?.attempts == attempts)
    }

    @Test func `must not 4: no error shows a secret`() async throws {
        let key = EncryptionKey([UInt8](repeating: 7, count: 32))
        let fixture = try await CopyFixture {
            $0.accounts = [
                StubAccount(accessKey: "AKEXAMPLE", secretKey: "SecretOfTest+/=", sessionToken: "STSToken+/=")
            ]
        }
        fixture.server.faults.add(.on(.uploadPartCopy), .expiredToken)
        var input = fixture.input()
        input.ssecKey = key
        let thrown = await failure { [input] in _ = try await fixture.client.resumableCopyObject(input) }
        let error = try #require(thrown)
        let shown = [error.description, error.debugDescription, "\(error)", String(reflecting: error), "\(input)"]
        for text in shown {
            for secret in ["SecretOfTest", "STSToken", "BwcHBwcHBwcHBwcHBwcHBwc"] { #expect(!text.contains(secret)) }
        }
    }

    @Test(arguments: [301, 302, 307, 308])
    func `must not 5: no redirect is followed with a signature`(status: Int) async throws {
        let other = try await CopyFixture()
        let fixture = try await CopyFixture()
        fixture.server.faults.add(
            .on(.headObject),
            .status(
                status, code: "TemporaryRedirect",
                headers: ["Location": other.server.endpoint + "/src-bucket/films/a%20b.mov"]))
        let error = await failure { _ = try await fixture.client.resumableCopyObject(fixture.input()) }
        #expect(error?.code == .crossRegion)
        #expect(other.server.wireLog.entries.isEmpty)
    }

    /// A copy that stops behind its first part.
    private func pause(_ fixture: CopyFixture) async throws {
        let hook = TOSCancelHook()
        var input = fixture.input()
        input.cancelHook = hook
        input.copyEventListener = { if $0.type == .uploadPartCopySucceed { hook.cancel() } }
        let error = await failure { [input] in _ = try await fixture.client.resumableCopyObject(input) }
        #expect(error?.code == .paused)
    }
}

extension CopyFixture {
    /// A copy of the first bytes of the source in parts, and one by one request, each request by itself.
    fileprivate func stepsByHand() async throws {
        let upload = try await client.createMultipartUpload(
            TOSCreateMultipartUploadInput(bucket: "dst-bucket", key: "k"))
        let part = try await client.uploadPartCopy(
            TOSUploadPartCopyInput(
                bucket: "dst-bucket", key: "k", uploadID: upload.uploadID, partNumber: 1, srcBucket: "src-bucket",
                srcKey: source.key, copySourceRange: ByteRange(offset: 0, length: 1)))
        _ = try await client.completeMultipartUpload(
            TOSCompleteMultipartUploadInput(
                bucket: "dst-bucket", key: "k", uploadID: upload.uploadID,
                parts: [TOSUploadedPart(partNumber: 1, eTag: part.eTag)]))
        _ = try await client.copyObject(
            TOSCopyObjectInput(srcBucket: "src-bucket", srcKey: source.key, bucket: "dst-bucket", key: "k"))
    }
}

/// A checkpoint file, as it is each time somebody looks.
private final class RecordLog: Sendable {
    private let path: String
    private let log = LockBox<[(mode: Int?, text: String)]>([])

    init(_ path: String) { self.path = path }

    var records: [(mode: Int?, text: String)] { log.withLock { $0 } }

    func look() {
        var status = stat()
        let mode = stat(path, &status) == 0 ? Int(status.st_mode & 0o777) : nil
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        log.withLock { $0.append((mode, text)) }
    }
}
