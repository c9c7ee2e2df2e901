import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import TestSupport
import Testing
import TransferPrimitives

/// Uploads over real connections to a server that checks every signature.
@Suite struct VODUploadTests {
    @Test(arguments: [OSSSignatureVersion.v4, .v1]) func aFileInParts(_ signature: OSSSignatureVersion) async throws {
        let fixture = try await VODFixture()
        let size = 10 * VODFixture.partSize + 7
        let progress = LockBox<[Double]>([])
        let options = VODUploadOptions(
            videoMeta: VODVideoMeta(title: "Holiday", tags: "a,b", templateGroupId: "tg-1"),
            onProgress: { fraction, _, _ in progress.withLock { $0.append(fraction) } })
        let uploader = try fixture.uploader { $0.signature = signature }
        let result = try await uploader.uploadFile(try fixture.file(size: size), options: options)
        await uploader.shutdown()
        let video = try #require(fixture.server.vod.videos.first)
        #expect(result.videoId == video.id)
        #expect(result.size == UInt64(size))
        #expect(result.verification == .crc64)
        #expect(result.etag.lowercased() == fixture.stored?.etag)
        #expect(video.title == "Holiday")
        #expect(video.parameters["Tags"] == "a,b")
        #expect(video.parameters["TemplateGroupId"] == "tg-1")
        #expect(fixture.holds(VODFixture.bytes(size)))
        #expect(fixture.partsStored == Dictionary(uniqueKeysWithValues: (1...11).map { ($0, 1) }))
        #expect(progress.withLock { $0.last } == 1)
        #expect(try await uploader.pendingUploads().isEmpty)
        #expect(fixture.server.wireLog.entries.allSatisfy { $0.status == 200 })
    }

    @Test(arguments: [OSSSignatureVersion.v4, .v1], [0, 1, VODFixture.partSize])
    func aSmallFileIsOneRequest(_ signature: OSSSignatureVersion, _ size: Int) async throws {
        let fixture = try await VODFixture()
        let uploader = try fixture.uploader { $0.signature = signature }
        let result = try await uploader.uploadFile(try fixture.file(size: size))
        #expect(result.verification == .crc64)
        #expect(fixture.holds(VODFixture.bytes(size)))
        #expect(fixture.count(.putObject) == 1 && fixture.count(.createMultipartUpload) == 0)
    }

    @Test(arguments: ["p.jpg", "p.JPEG", "p.png", "p.Gif", "p.webp", "p.heic"])
    func anImageByItsExtension(_ name: String) async throws {
        let fixture = try await VODFixture()
        let uploader = try fixture.uploader()
        let result = try await uploader.uploadFile(try fixture.file(name, size: 3 * VODFixture.partSize))
        let image = try #require(fixture.server.vod.images.first)
        #expect(result.imageId == image.id)
        #expect(result.imageUrl == image.imageURL)
        #expect(result.videoId == nil)
        #expect(fixture.server.storage.object(image.key, in: image.bucket)?.length == UInt64(3 * VODFixture.partSize))
        #expect(fixture.server.vod.videos.isEmpty)
    }

    /// The OpenAPI documents no `ImageExt` for it: a backend has to decide, and the client that calls the OpenAPI lets the service.
    @Test func aBitmapIsAnImageThatTheServiceMayRefuse() async throws {
        let fixture = try await VODFixture()
        let path = try fixture.file("p.bmp", size: 9)
        let error = await uploadFailure { _ = try await fixture.uploader().uploadFile(path) }
        #expect(error?.underlying.service?.status == 400)
        #expect(error?.errorMessage.contains("ImageExt") == true)
        _ = try await fixture.uploader(.appServer(fixture.appServer())).uploadFile(path)
        #expect(fixture.server.vod.images.count == 1 && fixture.server.vod.videos.isEmpty)
    }

    @Test func anImageByItsMeta() async throws {
        let fixture = try await VODFixture()
        let result = try await fixture.uploader().uploadFile(
            try fixture.file("cover.png", size: 9),
            options: VODUploadOptions(imageMeta: VODImageMeta(imageType: "cover", title: "C")))
        let image = try #require(fixture.server.vod.images.first)
        #expect(result.imageId == image.id)
        #expect(image.title == "C" && image.parameters["ImageType"] == "cover")
    }

    @Test func theApplicationsServerHandsCredentialsOut() async throws {
        let fixture = try await VODFixture()
        let backend = try fixture.appServer()
        let uploader = try fixture.uploader(.appServer(backend))
        let result = try await uploader.uploadFile(
            try fixture.file(size: 300_000), options: VODUploadOptions(videoMeta: VODVideoMeta(title: "T", cateId: 7)))
        #expect(result.videoId == fixture.server.vod.videos.first?.id)
        #expect(fixture.server.vod.videos.first?.parameters["CateId"] == "7")
        #expect(fixture.holds(VODFixture.bytes(300_000)))
        let image = try await uploader.uploadFile(try fixture.file("a.png", size: 10))
        #expect(image.imageId == fixture.server.vod.images.first?.id)
        await backend.shutdown()
    }

    @Test func theAccelerationEndpointIsUsedAsItComes() async throws {
        let fixture = try await VODFixture()
        let meta = VODVideoMeta(userData: #"{"Type":"oss","Domain":"oss-accelerate.aliyuncs.com"}"#)
        _ = try await fixture.uploader().uploadFile(
            try fixture.file(size: 300_000), options: VODUploadOptions(videoMeta: meta))
        #expect(fixture.holds(VODFixture.bytes(300_000)))
        let host = try #require(fixture.server.wireLog.entries(of: .uploadPart).first?.header("host"))
        #expect(host.contains("localhost"), "\(host)")
    }

    @Test func manyFilesAtOnce() async throws {
        let fixture = try await VODFixture()
        let uploader = try fixture.uploader()
        let files = try (1...12).map { try fixture.file("f\($0).mp4", size: 250_000 + $0, seed: UInt64($0)) }
        let results = try await withThrowingTaskGroup(of: VODUploadResult.self) { group in
            for file in files { group.addTask { try await uploader.uploadFile(file) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(results.compactMap(\.videoId)).count == 12)
        for video in fixture.server.vod.videos {
            let object = try #require(fixture.server.storage.object(video.key, in: video.bucket))
            let number = try #require(files.indices.first { object.length == 250_001 + UInt64($0) }) + 1
            #expect(object.content.read() == VODFixture.bytes(250_000 + number, seed: UInt64(number)))
        }
    }

    @Test func aPartSizeThatNeedsTooManyPartsIsRefusedBeforeAnyRequest() async throws {
        let fixture = try await VODFixture()
        let path = fixture.directory.path("sparse.mp4")
        let system = LocalFileSystem()
        try system.truncate(try system.open(path, .replace), to: UInt64(10_000 * VODFixture.partSize + 1))
        let error = await uploadFailure { _ = try await fixture.uploader().uploadFile(path) }
        #expect(error?.errorCode == "InvalidArgument")
        #expect(error?.underlying.field == "partSize")
        #expect(fixture.server.wireLog.entries.isEmpty)
    }
}
