import ObjectStoreStub
import ObjectTransfer
import StubFixtures
import TestSupport
import Testing
import TransferPrimitives

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Files that are odd, or that change under the upload.
@Suite struct VODFileTests {
    private static let size = 12 * VODFixture.partSize

    /// Uploads a file that `change` meddles with when the first part is on its way.
    private func failure(
        _ fixture: VODFixture, _ change: (String) throws -> Void
    ) async throws -> VODUploadError? {
        let path = try fixture.file(size: Self.size)
        let held = fixture.server.faults.add(.on(.uploadPart).first(1), .hold)
        let task = try fixture.uploader { $0.parallel = 1 }.uploadTask(path)
        task.events.ignore()
        try await held.waitUntilHeld()
        try change(path)
        held.release()
        return await uploadFailure { _ = try await task.value }
    }

    private func expectNothingStands(_ fixture: VODFixture, _ error: VODUploadError?) async throws {
        #expect(error?.errorCode == "ReadFileError", "\(String(describing: error))")
        #expect(error?.underlying.code == .sourceChanged, "\(String(describing: error))")
        #expect(fixture.stored == nil)
        #expect(fixture.count(.completeMultipartUpload) == 0)
        #expect(fixture.server.vod.videos.count == 1)
        // Nothing is left at the service that no record knows of.
        let recorded = try await fixture.uploader().pendingUploads().map(\.uploadId)
        #expect(Set(fixture.server.storage.uploads.map(\.id)).isSubset(of: recorded))
    }

    @Test func aFileThatShrinks() async throws {
        let fixture = try await VODFixture()
        let error = try await failure(fixture) { #expect(truncate($0, 1000) == 0) }
        try await expectNothingStands(fixture, error)
    }

    @Test func aFileThatGrows() async throws {
        let fixture = try await VODFixture()
        let error = try await failure(fixture) { #expect(truncate($0, off_t(Self.size + 1)) == 0) }
        try await expectNothingStands(fixture, error)
    }

    @Test func aFileThatIsWrittenTo() async throws {
        let fixture = try await VODFixture()
        let error = try await failure(fixture) { path in
            let file = open(path, O_WRONLY)
            #expect(pwrite(file, "changed", 7, off_t(Self.size - 10)) == 7)
            close(file)
        }
        try await expectNothingStands(fixture, error)
    }

    @Test func aFileThatIsReplaced() async throws {
        let fixture = try await VODFixture()
        let error = try await failure(fixture) { path in
            let other = try fixture.file("other", size: Self.size, seed: 2)
            #expect(rename(other, path) == 0)
        }
        try await expectNothingStands(fixture, error)
    }

    @Test func aFileThatDisappears() async throws {
        let fixture = try await VODFixture()
        let error = try await failure(fixture) { #expect(unlink($0) == 0) }
        try await expectNothingStands(fixture, error)
    }

    @Test func whatIsNoFileIsRefusedBeforeAnyRequest() async throws {
        let fixture = try await VODFixture()
        let pipe = fixture.directory.path("pipe.mp4")
        #expect(mkfifo(pipe, 0o600) == 0)
        let uploader = try fixture.uploader()
        for (path, code) in [
            (fixture.directory.path, "ReadFileError"), (pipe, "ReadFileError"),
            (fixture.directory.path("none.mp4"), "FileNotExist"), ("/dev/null", "ReadFileError"),
            ("", "ReadFileError"),
        ] {
            let error = await uploadFailure { _ = try await uploader.uploadFile(path) }
            #expect(error?.errorCode == code, "\(path): \(String(describing: error))")
            #expect(error.map { $0.errorMessage.isEmpty } == false)
        }
        #expect(fixture.server.wireLog.entries.isEmpty)
    }

    @Test(arguments: [
        "with space.mp4", "emoji 🎬.mp4", "100%.mp4", "a+b.mp4", "a#b.mp4", "a?b&c=d.mp4", "名字.mp4", "%2F%20.mp4",
        "'quoted\".mp4",
        "two  blanks .mp4", "e\u{301}.mp4",
    ])
    func namesArriveAsTheyAre(_ name: String) async throws {
        let fixture = try await VODFixture()
        let result = try await fixture.uploader().uploadFile(try fixture.file(name, size: 250_000))
        let video = try #require(fixture.server.vod.videos.first)
        #expect(result.videoId == video.id)
        #expect(video.parameters["FileName"].map { Array($0.utf8) } == Array(name.utf8))
        #expect(fixture.holds(VODFixture.bytes(250_000)))
    }

    @Test func aFileWithoutAnExtensionIsTheServicesToRefuse() async throws {
        let fixture = try await VODFixture()
        let error = await uploadFailure {
            _ = try await fixture.uploader().uploadFile(try fixture.file("noextension", size: 10))
        }
        #expect(error?.underlying.service?.code != nil, "\(String(describing: error))")
        #expect(error?.requestId != nil)
        #expect(fixture.server.vod.videos.isEmpty)
    }

    @Test func anEmptyFileIsAnEmptyObject() async throws {
        let fixture = try await VODFixture()
        let result = try await fixture.uploader().uploadFile(try fixture.file(size: 0))
        #expect(result.size == 0 && fixture.stored?.length == 0)
    }

    @Test func aFileWithoutPermissionCannotBeReadUnlessByRoot() async throws {
        let fixture = try await VODFixture()
        let path = try fixture.file(size: 10)
        #expect(chmod(path, 0) == 0)
        let uploader = try fixture.uploader()
        if geteuid() == 0 {
            _ = try await uploader.uploadFile(path)
        } else {
            let error = await uploadFailure { _ = try await uploader.uploadFile(path) }
            #expect(error?.errorCode == "ReadFileError")
            #expect(fixture.server.wireLog.entries.isEmpty)
        }
    }
}
