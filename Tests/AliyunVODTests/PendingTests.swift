import AliyunVOD
import TestSupport
import Testing
import TransferCore
import TransferHTTP
import TransferPrimitives

@Suite struct PendingTests {
    /// An upload that failed at its fifth part.
    private static func stopped(_ vod: FakeVOD = FakeVOD(), abort: @escaping FakeOSS.Before = { _, _ in nil })
        async throws
        -> Fixture
    {
        let oss = FakeOSS { seen, oss in
            if seen.operation == "AbortMultipartUpload" { return try await abort(seen, oss) }
            return seen.part == 5 ? try .refusal(403, "AccessDenied") : nil
        }
        let fixture = try Fixture(oss: oss, vod: vod)
        let path = try fixture.file("film.mp4", count: 8 * Fixture.partSize)
        let error = await uploadError { _ = try await fixture.uploader { $0.parallel = 1 }.uploadFile(path) }
        #expect(error?.errorCode == "AccessDenied")
        #expect(fixture.records.count == 1)
        return fixture
    }

    @Test func listed() async throws {
        let fixture = try await Self.stopped()
        let pending = try await fixture.uploader().pendingUploads()
        let upload = try #require(pending.first)
        #expect(pending.count == 1)
        #expect(upload.videoId == "video-1")
        #expect(upload.fileName == "film.mp4")
        #expect(upload.path == fixture.directory + "/film.mp4")
        #expect(upload.fileSize == UInt64(8 * Fixture.partSize))
        #expect(upload.uploadId == "upload-1")
        #expect(upload.partsDone == 4)
        #expect(upload.partCount == 8)
        #expect(upload.bytesDone == UInt64(4 * Fixture.partSize))
    }

    @Test func discardedWithFreshCredentials() async throws {
        let fixture = try await Self.stopped()
        fixture.oss.expire("token-1-secret")
        let uploader = try fixture.uploader()
        try await uploader.discard(try #require(try await uploader.pendingUploads().first))
        #expect(fixture.oss.openUploads.isEmpty)
        #expect(fixture.records.isEmpty)
        #expect(fixture.vod.kinds == [.createVideo, .refreshVideo])
        #expect(fixture.vod.asked.last?.videoId == "video-1")
        #expect(fixture.oss.seen.last?.token == "token-2-secret")
        #expect(try await uploader.pendingUploads().isEmpty)
    }

    @Test func failedDiscardKeepsTheRecord() async throws {
        let fixture = try await Self.stopped { _, _ in try .refusal(403, "AccessDenied") }
        let uploader = try fixture.uploader()
        let upload = try #require(try await uploader.pendingUploads().first)
        #expect(await uploadError { try await uploader.discard(upload) }?.errorCode == "AccessDenied")
        #expect(fixture.records.count == 1)
        #expect(fixture.vod.count(.createVideo) == 1)
    }

    @Test func refusedRefreshKeepsTheRecord() async throws {
        let fixture = try await Self.stopped(
            FakeVOD { context, answer, _ in context.kind == .refreshVideo ? refusal("Forbidden") : answer.members })
        let uploader = try fixture.uploader()
        let upload = try #require(try await uploader.pendingUploads().first)
        let error = await uploadError { try await uploader.discard(upload) }
        #expect(error?.errorCode == "Forbidden")
        #expect(error?.videoId == "video-1")
        #expect(fixture.records.count == 1)
        #expect(fixture.vod.count(.createVideo) == 1)
    }

    @Test func videoThatIsGoneLosesItsRecord() async throws {
        let fixture = try await Self.stopped(
            FakeVOD { context, answer, _ in
                context.kind == .refreshVideo ? refusal("InvalidVideo.NotFound") : answer.members
            })
        let uploader = try fixture.uploader()
        try await uploader.discard(try #require(try await uploader.pendingUploads().first))
        #expect(fixture.records.isEmpty)
        #expect(fixture.vod.kinds == [.createVideo, .refreshVideo])
    }

    @Test func partsOutOfReachLoseTheirRecord() async throws {
        let fixture = try await Self.stopped(
            FakeVOD { context, answer, _ in
                var answer = answer
                if context.kind == .refreshVideo { answer.key = "sv/moved.mp4" }
                return answer.members
            }
        ) { _, _ in try .refusal(403, "AccessDenied") }
        let uploader = try fixture.uploader()
        try await uploader.discard(try #require(try await uploader.pendingUploads().first))
        #expect(fixture.records.isEmpty)
    }

    @Test func uploadThatRunsIsNotDiscarded() async throws {
        let started = Tally(1)
        let hold = Gate()
        let oss = FakeOSS { seen, _ in
            if seen.operation == "UploadPart" {
                started.add()
                await hold.wait()
            }
            return nil
        }
        let fixture = try Fixture(oss: oss)
        let uploader = try fixture.uploader()
        let task = uploader.uploadTask(try fixture.file(count: 3 * Fixture.partSize))
        await started.reached()
        let upload = try #require(try await uploader.pendingUploads().first)
        #expect(await uploadError { try await uploader.discard(upload) }?.errorCode == "Upload Status Error")
        hold.open()
        _ = try await task.value
        let gone = await uploadError { try await uploader.discard(upload) }
        #expect(gone?.errorCode == "Upload Status Error")
        #expect(gone?.underlying.code == .conflict)
        #expect(oss.count("AbortMultipartUpload") == 0)
    }

    @Test func withoutRecordsThereIsNothing() async throws {
        let fixture = try await Self.stopped()
        let uploader = try fixture.uploader { $0.checkpoint = false }
        #expect(try await uploader.pendingUploads().isEmpty)
        let upload = try #require(try await fixture.uploader().pendingUploads().first)
        #expect(await uploadError { try await uploader.discard(upload) }?.errorCode == "InvalidArgument")
    }

    @Test func discardedTwiceIsAConflict() async throws {
        let fixture = try await Self.stopped()
        let uploader = try fixture.uploader()
        let upload = try #require(try await uploader.pendingUploads().first)
        try await uploader.discard(upload)
        let error = await uploadError { try await uploader.discard(upload) }
        #expect(error?.underlying.code == .conflict)
        #expect(error?.videoId == "video-1")
        #expect(fixture.records.isEmpty)
    }

    @Test func listedAfterTheEndOfTheUploader() async throws {
        let fixture = try await Self.stopped()
        let uploader = try fixture.uploader()
        uploader.dispose()
        #expect(try await uploader.pendingUploads().map(\.videoId) == ["video-1"])
    }

    @Test func recordsThatCannotBeKeptNameTheirOption() async throws {
        let fixture = try Fixture()
        let obstacle = try fixture.file("records", count: 1)
        let error = await uploadError {
            _ = try await fixture.uploader().uploadFile(try fixture.file(count: 3 * Fixture.partSize))
        }
        #expect(error?.underlying.code == .checkpointUnusable)
        #expect(error?.underlying.field == "checkpointDirectory")
        #expect(
            error?.errorMessage
                == "'\(obstacle)' is a file, not a directory; name another one, or keep no checkpoint")
        #expect(fixture.oss.seen.isEmpty)
    }
}
