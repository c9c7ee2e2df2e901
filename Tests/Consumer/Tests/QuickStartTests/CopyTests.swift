import ObjectStoreStub
import ObjectTransfer
import Testing

/// What an application may test of its own transfers: what is left when something goes wrong.
@Suite struct CopyTests {
    /// Three parts; the smallest that TOS takes are of 5 MiB.
    private static func input() -> TOSResumableCopyObjectInput {
        var input = TOSResumableCopyObjectInput(srcBucket: "films", srcKey: "a.mov", bucket: "archive", key: "a.mov")
        input.partSize = 5 << 20
        return input
    }

    private static func start() async throws -> (server: ObjectStoreStub, client: TOSClient) {
        var configuration = StubConfiguration()
        configuration.buckets = ["films", "archive"]
        let server = try await ObjectStoreStub.start(configuration)
        try server.storage.putObject("a.mov", in: "films", .generated(seed: 1, length: 12 << 20))
        let client = try TOSClient(
            configuration: TOSClientConfiguration(
                endpoint: TOSEndpoint(url: server.endpoint, region: server.region),
                credential: TOSCredential(accessKey: server.accessKey, secretKey: server.secretKey)))
        return (server, client)
    }

    /// The object stands, but nobody said so: the client finds out, and copies nothing again.
    @Test func aLostAnswerOfCompleteCostsNothing() async throws {
        let (server, client) = try await Self.start()
        defer { server.stop() }
        let lost = server.faults.add(.on(.completeMultipartUpload).first(1), .loseAnswer)

        let output = try await client.resumableCopyObject(Self.input())
        await client.shutdown()

        #expect(lost.hits == 1)
        #expect(output.verification == .crc64)
        let (original, copy) = (
            server.storage.object("a.mov", in: "films"), server.storage.object("a.mov", in: "archive")
        )
        #expect(try #require(copy).crc64 == #require(original).crc64)
        #expect(server.wireLog.count(of: .uploadPartCopy) == 3)
    }

    /// Paused while part 2 is on its way. Part 1 is there, and not asked for again.
    @Test func aPauseKeepsWhatIsDone() async throws {
        let (server, client) = try await Self.start()
        defer { server.stop() }
        let held = server.faults.add(.on(.uploadPartCopy).part(2), .hold)
        var input = Self.input()
        input.enableCheckpoint = true
        input.checkpointStore = MemoryCheckpointStore()
        input.pauseGrace = .zero

        let copy = try client.startResumableCopyObject(input)
        try await held.waitUntilHeld()
        copy.cancel()
        let error = await #expect(throws: TransferError.self) { try await copy.value }
        #expect(error?.code == .paused)

        held.remove()
        _ = try await client.resumableCopyObject(input)
        await client.shutdown()
        #expect(server.wireLog.entries(of: .uploadPartCopy).count { $0.request.partNumber == 1 } == 1)
        #expect(server.storage.uploads.isEmpty)
    }
}
