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
    @Test(arguments: GoldenDialect.allCases, GoldenFlow.allCases)
    func objects(_ dialect: GoldenDialect, _ flow: GoldenFlow) async throws {
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

    /// The title has what clients encode in more ways than one.
    @Test func refresh() async throws {
        let fixture = try await VODFixture()
        let client = try fixture.openAPI()
        let permit = try await client.createUploadVideo(
            fileName: "holiday.mp4", meta: VODVideoMeta(title: "a b+中 & c"))
        _ = try await client.refreshUploadVideo(videoId: #require(permit.videoId))
        await client.shutdown()
        try GoldenRecording(fixture.server.wireLog.entries).compare(with: "vod/refresh")
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
    let dialect: GoldenDialect
    let server: ObjectStoreStub
    private let directory: TemporaryDirectory
    private let backend: any CopyBackend
    private let target = ObjectLocation(bucket: GoldenObject.bucket, key: GoldenObject.key)
    private let source = ObjectLocation(bucket: GoldenObject.sourceBucket, key: GoldenObject.key)
    private let options: ObjectOptions

    init(_ dialect: GoldenDialect) async throws {
        self.dialect = dialect
        server = try await GoldenObject.server()
        directory = try TemporaryDirectory()
        switch dialect {
        case .tos: backend = TOSBackend(try CopyFixture.client(of: server))
        case .tosS3: backend = TOSBackend(try CopyFixture.client(of: server) { $0.wireFormat = .s3Compatible })
        case .oss: backend = OSSBackend(try OSSFixture.client(of: server))
        case .ossV1: backend = OSSBackend(try OSSFixture.client(of: server) { $0.signature = .v1 })
        case .s3: backend = S3Backend(try S3Fixture.client(of: server))
        }
        options = ObjectOptions(
            attributes: ObjectAttributes(contentType: GoldenObject.contentType, metadata: GoldenObject.metadata))
    }

    func run(_ flow: GoldenFlow) async throws {
        switch flow {
        case .put:
            _ = try await engine.upload(
                file(of: flow), to: target, using: backend, objectOptions: options, options: transfer(single: 100)
            ).value
        case .barePut:
            _ = try await engine.upload(
                file(of: flow), to: target, using: backend, options: transfer(single: 100)
            ).value
        case .multipartUpload:
            _ = try await engine.upload(
                file(of: flow), to: target, using: backend, objectOptions: options, options: transfer()
            ).value
        case .resumableUpload:
            try await pausing { hook in
                try engine.upload(
                    file(of: flow), to: target, using: backend, objectOptions: options,
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

    private func file(of flow: GoldenFlow) throws -> UploadSource {
        if !FileManager.default.fileExists(atPath: directory.path("film")) {
            try directory.write(flow.content.read() ?? [], to: "film")
        }
        return try UploadSource.file(directory.path("film"))
    }

    /// One part after the other, so that their order is always the same.
    private func transfer(_ hook: TransferCancelHook? = nil, single: UInt64 = 0) -> TransferOptions {
        TransferOptions(
            partSize: GoldenObject.partSize, concurrency: 1,
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
