import AliyunOSS
import Testing
import TransferCore
import TransferHTTP
import TransferPrimitives

@testable import AliyunVOD

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Greps everything that leaves an upload for what must not be in it.
@Suite struct SecretsTests {
    /// Collects texts, and looks for secrets in them.
    private final class Net: Sendable {
        private let texts = LockBox<[String]>([])

        func add(_ value: Any) {
            var dumped = ""
            dump(value, to: &dumped)
            let forms = ["\(value)", String(reflecting: value), dumped]
            texts.withLock { $0 += forms }
        }

        func add(text: String) { texts.withLock { $0.append(text) } }

        var catches: [String] {
            let secrets = [
                "-secret", FakeVOD.secret, PercentEncoding.component(FakeVOD.secret), "HMAC-SHA256 Credential=",
            ]
            return texts.withLock { texts in
                texts.filter { text in secrets.contains { text.contains($0) } }
            }
        }

        var isEmpty: Bool { texts.withLock { $0.isEmpty } }
    }

    @Test func netCatches() {
        let net = Net()
        net.add("token-1-secret")
        #expect(!net.catches.isEmpty)
    }

    /// The service echoes the token in every refusal, as OSS does.
    @Test(arguments: ["UploadPart", "PutObject", "InitiateMultipartUpload", "CompleteMultipartUpload", "ListParts"])
    func nothingTellsASecret(_ operation: String) async throws {
        let net = Net()
        let oss = FakeOSS { seen, _ in
            guard seen.operation == operation else { return nil }
            let token = seen.token ?? ""
            return try .oss(
                403,
                """
                <Error><Code>AccessDenied</Code><Message>no: \(token), \(PercentEncoding.component(token)), \
                signed with \(FakeVOD.secret)</Message><SecurityToken>\(token)</SecurityToken></Error>
                """)
        }
        let collector = ReportCollector()
        let fixture = try Fixture(oss: oss)
        let uploader = try fixture.uploader { $0.reporter = collector }
        let count = operation == "PutObject" ? 10 : 6 * Fixture.partSize
        let path = try fixture.file(count: count)
        for _ in 0..<2 {
            let task = uploader.uploadTask(path)
            for await event in task.events { net.add(event) }
            do { net.add(try await task.value) } catch { net.add(error) }
            net.add(task)
            for record in fixture.records {
                let data = try Data(contentsOf: URL(filePath: fixture.checkpoints + "/" + record))
                net.add(text: String(decoding: data, as: UTF8.self))
            }
            for upload in try await uploader.pendingUploads() { net.add(upload) }
        }
        await uploader.shutdown()
        #expect(!collector.reports.isEmpty)
        for report in collector.reports {
            net.add(report)
            net.add(text: String(decoding: try JSONEncoder().encode(report), as: UTF8.self))
        }
        #expect(!net.isEmpty)
        #expect(net.catches == [])
    }

    @Test func expiredTokensAreNotTold() async throws {
        let net = Net()
        let fixture = try Fixture(oss: FakeOSS { seen, _ in try .tokenExpired(seen.token ?? "") })
        for name in ["a.mp4", "a.png"] {
            let task = try fixture.uploader().uploadTask(try fixture.file(name, count: 5 * Fixture.partSize))
            for await event in task.events { net.add(event) }
            do { net.add(try await task.value) } catch { net.add(error) }
        }
        #expect(net.catches == [])
    }

    /// What a client has signed with is in none of its parts that `dump` goes through.
    @Test func dumpedSignersTellNothing() async throws {
        let net = Net()
        let metrics = UploadMetrics(uploadTaskID: "", clock: SystemClock())
        let fixture = try Fixture()
        let session = UploadSession(
            .init(name: "a.mp4", size: 1), media: .video, getAuth: fixture.vod.getAuth, defaultRegion: "cn-shanghai",
            clock: SystemClock(), metrics: metrics)
        let signer = GrantSigner(.v4, session: session)
        let access = try await session.access()
        var request = HTTPRequest(.get, at: access.endpoint)
        try signer.sign(&request, with: access.credentials, at: Date())
        #expect(request.headers["Authorization"]?.hasPrefix("OSS4-HMAC-SHA256") == true)
        net.add(signer)
        net.add(session)
        #expect(net.catches == [])
    }

    @Test func grantsAndSessionsAreNotTold() throws {
        let net = Net()
        let members = FakeVOD.Answer(videoID: "v", key: "k", token: "t-secret", expires: "2099-01-01T00:00:00Z").members
        let answer = try AuthAnswer(try members.authAnswerJSON(), kind: .createVideo, now: Date())
        net.add(answer.grant)
        var ledger = GrantLedger(media: .video, defaultRegion: "cn-shanghai")
        net.add(try ledger.received(answer, for: .createVideo))
        net.add(ledger)
        #expect(net.catches == [])
    }
}
