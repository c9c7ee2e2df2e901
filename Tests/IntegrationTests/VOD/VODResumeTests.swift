import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import TestSupport
import Testing
import TransferPrimitives

/// Uploads that stop and go on, and credentials that end.
@Suite struct VODResumeTests {
    private static let size = 12 * VODFixture.partSize

    /// The parts that an upload has when `paused` has stopped it.
    private static let partsBeforePause = 5

    /// An upload that was paused with its first parts stored; its path.
    private func paused(_ fixture: VODFixture) async throws -> String {
        let path = try fixture.file(size: Self.size)
        // However late the pause comes, no further part gets through.
        let stalled = fixture.server.faults.add(.on(.uploadPart).after(Self.partsBeforePause), .stall)
        defer { stalled.remove() }
        let hook = TransferCancelHook()
        let uploader = try fixture.uploader { $0.parallel = 2 }
        let task = uploader.uploadTask(path, options: VODUploadOptions(cancelHook: hook))
        var stored = 0
        for await event in task.events {
            if case .partCompleted = event { stored += 1 }
            if stored == Self.partsBeforePause { hook.cancel() }
        }
        let error = await uploadFailure { _ = try await task.value }
        #expect(error?.errorCode == "FileAlreadyCancel")
        #expect(error?.videoId == fixture.server.vod.videos.first?.id)
        await uploader.shutdown()
        return path
    }

    @Test func anotherUploaderGoesOnWithTheSameVideo() async throws {
        let fixture = try await VODFixture()
        let path = try await paused(fixture)
        #expect(fixture.partsStored.count == Self.partsBeforePause)
        let result = try await fixture.uploader().uploadFile(path)
        #expect(result.videoId == fixture.server.vod.videos.first?.id)
        #expect(fixture.server.vod.videos.count == 1)
        #expect(fixture.count(.refreshUploadVideo) == 1)
        #expect(fixture.count(.createMultipartUpload) == 1)
        #expect(fixture.partsStored == Dictionary(uniqueKeysWithValues: (1...12).map { ($0, 1) }))
        #expect(fixture.holds(VODFixture.bytes(Self.size)))
    }

    @Test func anUploadThatIsGoneBeginsAgainForTheSameVideo() async throws {
        let fixture = try await VODFixture()
        let path = try await paused(fixture)
        let upload = try #require(fixture.server.storage.uploads.first)
        #expect(fixture.server.storage.expireUpload(upload.id))
        let result = try await fixture.uploader().uploadFile(path)
        #expect(result.videoId == fixture.server.vod.videos.first?.id)
        #expect(fixture.server.vod.videos.count == 1)
        #expect(fixture.count(.createMultipartUpload) == 2)
        #expect(fixture.holds(VODFixture.bytes(Self.size)))
    }

    @Test func aChangedFileIsAnotherUpload() async throws {
        let fixture = try await VODFixture()
        let path = try await paused(fixture)
        _ = try fixture.file(size: Self.size + 1, seed: 9)
        let result = try await fixture.uploader().uploadFile(path)
        #expect(fixture.server.vod.videos.count == 2)
        #expect(result.videoId == fixture.server.vod.videos.last?.id)
        #expect(fixture.holds(VODFixture.bytes(Self.size + 1, seed: 9)))
    }

    @Test func pendingUploadsAreListedAndDiscarded() async throws {
        let fixture = try await VODFixture()
        _ = try await paused(fixture)
        let uploader = try fixture.uploader()
        let pending = try await uploader.pendingUploads()
        #expect(pending.map(\.videoId) == fixture.server.vod.videos.map(\.id))
        #expect(pending.first?.fileName == "holiday.mp4")
        try await uploader.discard(try #require(pending.first))
        #expect(fixture.server.storage.uploads.isEmpty)
        #expect(try await uploader.pendingUploads().isEmpty)
        #expect(fixture.directory.files.filter { $0.hasPrefix("records") && $0.hasSuffix(".checkpoint") }.isEmpty)
    }

    /// Many parts that are refused at the same moment cost one refresh.
    @Test func aHundredPartsThatFailAtOnceCauseOneRefresh() async throws {
        let fixture = try await VODFixture()
        let path = try fixture.file(size: 120 * VODFixture.partSize)
        let uploader = try fixture.uploader { $0.parallel = 100 }
        let created = fixture.server.faults.add(.on(.createMultipartUpload), .holdAnswer)
        let refusals = fixture.server.faults.add(.on(.uploadPart).first(100), .holdAnswer)
        let task = uploader.uploadTask(path)
        task.events.ignore()
        try await created.waitUntilHeld()
        for key in fixture.server.vod.videos.flatMap(\.accessKeys) { fixture.server.accounts.expire(key) }
        created.release()
        try await refusals.waitUntilHeld(100)
        refusals.release()
        let result = try await task.value
        #expect(result.verification == .crc64)
        #expect(fixture.server.vod.videos.count == 1)
        #expect(fixture.server.vod.videos.first?.refreshCount == 1)
        #expect(fixture.count(.refreshUploadVideo) == 1)
        #expect(fixture.holds(VODFixture.bytes(120 * VODFixture.partSize)))
    }

    @Test func theSameTokenOnRefreshEndsClearly() async throws {
        let fixture = try await VODFixture()
        fixture.server.vod.settings.refreshRepeatsToken = true
        // The server goes on handing out these keys, and refuses them.
        fixture.server.faults.add(.on(.uploadPart), .expiredToken)
        let path = try fixture.file(size: Self.size)
        let error = await uploadFailure { _ = try await fixture.uploader().uploadFile(path) }
        #expect(error?.underlying.code == .credentialsExpired, "\(String(describing: error))")
        #expect(fixture.server.vod.videos.count == 1)
        // Two without a request that succeeded between them are the most.
        #expect(fixture.count(.refreshUploadVideo) == 2)
        #expect(fixture.stored == nil)
    }

    @Test func aRefreshThatMovesTheTargetIsFollowed() async throws {
        let fixture = try await VODFixture()
        let path = try await paused(fixture)
        fixture.server.vod.settings.refreshedBucket = "moved-bucket"
        let result = try await fixture.uploader().uploadFile(path)
        #expect(result.videoId == fixture.server.vod.videos.first?.id)
        #expect(fixture.server.vod.videos.count == 1)
        #expect(fixture.stored?.bucket == "moved-bucket")
        #expect(fixture.holds(VODFixture.bytes(Self.size)))
    }

    @Test func outagesBetweenPartsAreSurvived() async throws {
        let fixture = try await VODFixture()
        fixture.server.faults.add(.on(.uploadPart).ofEachPart.first(1), .resetInBody(after: 50_000))
        fixture.server.faults.add(.on(.completeMultipartUpload).first(1), .loseAnswer)
        let path = try fixture.file(size: Self.size)
        let result = try await fixture.uploader().uploadFile(path)
        #expect(result.verification == .crc64)
        #expect(fixture.holds(VODFixture.bytes(Self.size)))
    }

    @Test func aCorruptedPartIsNoticedAndSentAgain() async throws {
        let fixture = try await VODFixture()
        fixture.server.faults.add(.on(.uploadPart).part(3).first(1), .corruptBody(at: 1000))
        _ = try await fixture.uploader().uploadFile(try fixture.file(size: Self.size))
        #expect(fixture.partsStored[3] == 2)
        #expect(fixture.holds(VODFixture.bytes(Self.size)))
    }
}
