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

/// Every flow of every dialect sends exactly the requests that are kept in `Tests/Golden`.
@Suite struct GoldenTests {
    /// A client of one dialect, with the flows that all have.
    enum Dialect: String, CaseIterable, Sendable {
        case tos
        case tosS3 = "tos-s3"
        case oss
        case ossV1 = "oss-v1"
        case s3
    }

    /// What is done over the wire.
    enum Flow: String, CaseIterable, Sendable {
        case put
        case multipartUpload = "multipart-upload"
        case resumableUpload = "resumable-upload"
        case copy
        case resumableCopy = "resumable-copy"
    }

    @Test(arguments: Dialect.allCases, Flow.allCases)
    func objects(_ dialect: Dialect, _ flow: Flow) async throws {
        let scene = try await GoldenScene(dialect)
        try await scene.run(flow)
        try GoldenRecording(scene.server.wireLog.entries).compare(with: "\(dialect.rawValue)/\(flow.rawValue)")
    }

    @Test func video() async throws {
        let fixture = try await VODFixture()
        let uploader = try fixture.uploader { $0.parallel = 1 }
        _ = try await uploader.uploadFile(fixture.file(size: 2 * VODFixture.partSize + 17))
        uploader.dispose()
        try GoldenRecording(fixture.server.wireLog.entries, key: fixture.server.vod.videos.last?.key)
            .compare(with: "vod/video")
    }

    @Test func image() async throws {
        let fixture = try await VODFixture()
        let uploader = try fixture.uploader()
        _ = try await uploader.uploadFile(fixture.file("cover.png", size: 1000))
        uploader.dispose()
        try GoldenRecording(fixture.server.wireLog.entries, key: fixture.server.vod.images.last?.key)
            .compare(with: "vod/image")
    }
}

/// A server, and a client of one dialect that does one thing after the other.
private struct GoldenScene {
    let dialect: GoldenTests.Dialect
    let server: ObjectStoreStub
    private let directory: TemporaryDirectory
    private let backend: any CopyBackend
    private static let key = "films/a b+中.mov"
    private let target = ObjectLocation(bucket: "dst-bucket", key: key)
    private let source = ObjectLocation(bucket: "src-bucket", key: key)
    private let options: ObjectOptions

    init(_ dialect: GoldenTests.Dialect) async throws {
        self.dialect = dialect
        var configuration = StubConfiguration()
        configuration.buckets = ["src-bucket", "dst-bucket"]
        server = try await ObjectStoreStub.start(configuration)
        directory = try TemporaryDirectory()
        switch dialect {
        case .tos: backend = TOSBackend(try CopyFixture.client(of: server))
        case .tosS3: backend = TOSBackend(try CopyFixture.client(of: server) { $0.wireFormat = .s3Compatible })
        case .oss: backend = OSSBackend(try OSSFixture.client(of: server))
        case .ossV1: backend = OSSBackend(try OSSFixture.client(of: server) { $0.signature = .v1 })
        case .s3: backend = S3Backend(try S3Fixture.client(of: server))
        }
        options = ObjectOptions(
            attributes: ObjectAttributes(contentType: "video/mp4", metadata: ["name": "火山", "plain": "a b"]))
        try server.storage.putObject(
            Self.key, in: "src-bucket", .generated(seed: 1, length: 3 * Self.partSize))
    }

    private static let partSize: UInt64 = 5 << 20

    func run(_ flow: GoldenTests.Flow) async throws {
        switch flow {
        case .put:
            _ = try await engine.upload(
                file(10), to: target, using: backend, objectOptions: options, options: transfer(single: 100)
            ).value
        case .multipartUpload:
            _ = try await engine.upload(
                file(2 * Self.partSize + 17), to: target, using: backend, objectOptions: options, options: transfer()
            ).value
        case .resumableUpload:
            try await pausing { hook in
                try engine.upload(
                    file(2 * Self.partSize + 17), to: target, using: backend, objectOptions: options,
                    options: transfer(hook))
            }
        case .copy:
            _ = try await backend.copyObject(source, to: target, ifMatch: nil, options: ObjectOptions())
        case .resumableCopy:
            try await pausing { hook in
                try engine.copy(from: source, to: target, using: backend, options: transfer(hook))
            }
        }
    }

    private var engine: TransferEngine { TransferEngine() }

    private func file(_ size: UInt64) throws -> UploadSource {
        let name = "film-\(size)"
        if !FileManager.default.fileExists(atPath: directory.path(name)) {
            try directory.write(ObjectContent.generated(seed: 2, length: size).read() ?? [], to: name)
        }
        return try UploadSource.file(directory.path(name))
    }

    /// One part after the other, so that their order is always the same.
    private func transfer(_ hook: TransferCancelHook? = nil, single: UInt64 = 0) -> TransferOptions {
        TransferOptions(
            partSize: Self.partSize, concurrency: 1,
            checkpoint: .store(FileCheckpointStore(path: directory.path("checkpoint"))), cancelHook: hook,
            pauseGrace: .seconds(3600), singleRequestLimit: single)
    }

    /// Pauses at the first part, and goes on.
    private func pausing(_ start: (TransferCancelHook?) throws -> TransferHandle) async throws {
        // The first part is held until the wish to pause is known, so that no second one begins.
        let held = server.faults.add(.on(.uploadPart, .uploadPartCopy).first(1), .hold)
        let hook = TransferCancelHook()
        let first = try start(hook)
        try await held.waitUntilHeld(1)
        hook.cancel()
        for await event in first.events {
            if case .stopping = event { held.release() }
        }
        let error = await failure { _ = try await first.value }
        #expect(error?.code == .paused)
        _ = try await start(nil).value
    }
}
