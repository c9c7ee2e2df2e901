import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import TestSupport
import Testing
import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Nothing that opens a door is found in what an upload leaves behind.
@Suite struct VODSecretsTests {
    private final class Reports: TransferReporter {
        let all = LockBox<[TransferReport]>([])
        func report(_ report: TransferReport) { all.withLock { $0.append(report) } }
    }

    @Test(arguments: [OSSSignatureVersion.v4, .v1])
    func inErrorsEventsReportsAndRecords(_ signature: OSSSignatureVersion) async throws {
        let fixture = try await VODFixture()
        let reports = Reports()
        let texts = LockBox<[String]>([])
        func note(_ text: String) { texts.withLock { $0.append(text) } }
        let path = try fixture.file(size: 12 * VODFixture.partSize)
        // Once to a refusal that echoes the token, once to a wrong signature, once to a pause, once to the end.
        let faults: [Fault?] = [
            .expiredToken, .status(403, code: "SignatureDoesNotMatch", message: "StringToSign: x"), nil, nil,
        ]
        for (round, fault) in faults.enumerated() {
            let handle = fault.map { fixture.server.faults.add(.on(.uploadPart).after(3), $0) }
            let hook = TransferCancelHook()
            let uploader = try fixture.uploader {
                $0.signature = signature
                $0.reporter = reports
                $0.parallel = 2
            }
            let task = uploader.uploadTask(path, options: VODUploadOptions(cancelHook: hook))
            for await event in task.events {
                note("\(event)")
                note(String(reflecting: event))
                if round == 2, case .partCompleted = event { hook.cancel() }
            }
            do {
                note("\(try await task.value)")
            } catch {
                note("\(error)")
                note(String(reflecting: error))
                note("\((error as? VODUploadError)?.underlying.underlying as Any)")
            }
            for file in fixture.directory.files where file.hasPrefix("records") {
                note(try String(contentsOfFile: fixture.directory.path(file), encoding: .utf8))
            }
            note("\(try await uploader.pendingUploads())")
            note("\(uploader.config)")
            note(String(reflecting: uploader.config))
            await uploader.shutdown()
            handle?.remove()
        }
        note(String(decoding: try JSONEncoder().encode(reports.all.withLock { $0 }), as: UTF8.self))
        #expect(fixture.holds(VODFixture.bytes(12 * VODFixture.partSize)))

        // What the server handed out, and what clients made of it.
        var secrets = [fixture.server.secretKey]
        for key in fixture.server.vod.videos.flatMap(\.accessKeys) {
            let account = try #require(fixture.server.accounts.account(key))
            secrets += [account.secretKey, account.sessionToken ?? account.secretKey]
        }
        for entry in fixture.server.wireLog.entries {
            if let value = entry.header("authorization") { secrets.append(value) }
            if let token = entry.header("x-oss-security-token") { secrets.append(token) }
        }
        #expect(secrets.count > 20)
        let all = texts.withLock { $0 }.joined(separator: "\n")
        #expect(all.count > 1000)
        for secret in Set(secrets) { #expect(!all.contains(secret)) }
    }
}
