import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import TestSupport
import Testing

/// Uploads whose answers are lost, incomplete or never come.
@Suite struct OSSLostAnswerTests {
    private func upload(_ fixture: OSSFixture, size: Int) throws -> OSSUploadFileInput {
        try fixture.directory.write(VODFixture.bytes(size), to: "a.mp4")
        var input = OSSUploadFileInput(
            bucket: OSSFixture.bucket, key: "a.mp4", filePath: fixture.directory.path("a.mp4"))
        input.partSize = OSSFixture.partSize
        input.maxRetryCount = 1
        return input
    }

    /// The answers to parts carry no CRC-64, that of Complete does: what was damaged on the way is seen by it.
    @Test(arguments: [nil, "none", "-1"])
    func aDamagedPartIsSeenInTheChecksumOfTheObject(_ header: String?) async throws {
        let fixture = try await OSSFixture()
        let input = try upload(fixture, size: 6 * OSSFixture.partSize)
        fixture.server.faults.add(.on(.uploadPart), .header("x-oss-hash-crc64ecma", header))
        let output = try await fixture.client.uploadFile(input)
        #expect(output.verification == .crc64)
        fixture.server.faults.add(.on(.uploadPart).part(2), .corruptBody(at: 5))
        let error = await failure { _ = try await fixture.client.uploadFile(input) }
        #expect(error?.code == .checksumMismatch)
    }

    /// The first request made the object, and the second is refused because it stands.
    @Test(arguments: [5_000, 400_000]) func anObjectThatMayNotBeReplacedAndWhoseAnswerIsLost(_ size: Int) async throws {
        let fixture = try await OSSFixture()
        var input = try upload(fixture, size: size)
        input.forbidOverwrite = true
        fixture.server.faults.add(.on(.putObject, .completeMultipartUpload).first(1), .loseAnswer)
        let output = try await fixture.client.uploadFile(input)
        #expect(output.verification == .crc64)
        #expect(fixture.object("a.mp4")?.content.read() == VODFixture.bytes(size))
        let error = await failure { _ = try await fixture.client.uploadFile(input) }
        #expect(error?.service?.code == "FileAlreadyExists")
    }

    /// Another object stands there: that is no success, whatever was lost before.
    @Test func anotherObjectInThePlaceOfOneWhoseAnswerIsLost() async throws {
        let fixture = try await OSSFixture()
        var input = try upload(fixture, size: 5_000)
        input.forbidOverwrite = true
        try fixture.server.storage.putObject("a.mp4", in: OSSFixture.bucket, .bytes(VODFixture.bytes(5_000, seed: 2)))
        fixture.server.faults.add(.on(.putObject).first(1), .closeAfterBody)
        let error = await failure { _ = try await fixture.client.uploadFile(input) }
        #expect(error?.code == .preconditionFailed)
    }

    @Test func anObjectIsFoundWhenEveryAnswerIsLost() async throws {
        let fixture = try await OSSFixture()
        let input = try upload(fixture, size: 5_000)
        fixture.server.faults.add(.on(.putObject), .loseAnswer)
        #expect(try await fixture.client.uploadFile(input).verification == .crc64)
    }

    /// What never left this machine leaves no doubt, and the error says why.
    @Test(arguments: [5_000, 400_000]) func aServiceThatCannotBeReachedStoredNothing(_ size: Int) async throws {
        let closed = try ClosedPort()
        let fixture = try await OSSFixture(client: {
            $0.endpoint = OSSEndpoint(url: "http://127.0.0.1:\(closed.number)", region: "cn-shanghai")
        })
        let input = try upload(fixture, size: size)
        let error = await failure { _ = try await fixture.client.uploadFile(input) }
        #expect(error?.code == .connectionFailed)
        #expect(error?.attempts == 2)
    }

    /// A refusal counts, also when another one came before it.
    @Test func twoRefusalsLeaveNoDoubt() async throws {
        let fixture = try await OSSFixture()
        let input = try upload(fixture, size: 5_000)
        fixture.server.faults.add(.on(.headObject), .status(403))
        fixture.server.faults.add(.on(.putObject).first(1), .status(401, code: "Unauthorized"))
        fixture.server.faults.add(.on(.putObject).after(1), .status(403))
        let error = await failure { _ = try await fixture.client.uploadFile(input) }
        #expect(error?.code == .accessDenied)
    }

    @Test func anOpenOutcomeNamesItsCause() async throws {
        let fixture = try await OSSFixture()
        let input = try upload(fixture, size: 5_000)
        fixture.server.faults.add(.on(.headObject), .status(403))
        fixture.server.faults.add(.on(.putObject), .answer(200, contentType: "text/html", body: "<html>Log in</html>"))
        let error = await failure { _ = try await fixture.client.uploadFile(input) }
        #expect(error?.code == .outcomeUnknown)
        #expect(error?.message.contains("the answer has no ETag") == true)
    }
}
