import AliyunVOD
import TestSupport
import Testing
import TransferCore
import TransferHTTP
import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct ResumeTests {
    /// A file of eight parts whose upload is paused once four are stored.
    private final class Paused: Sendable {
        let fixture: Fixture
        let path: String
        let bytes = content(8 * Fixture.partSize)
        static let modified = Date(timeIntervalSince1970: 1_736_929_800.25)

        /// - Parameter answer: What the service answers in the second run, in place of its own.
        init(
            vod: FakeVOD = FakeVOD(), name: String = "a.mp4",
            secondRun answer: @escaping FakeOSS.Before = { _, _ in nil }
        ) async throws {
            let isPaused = LockBox(false)
            let four = Gate()
            let oss = FakeOSS { seen, oss in
                if isPaused.withLock({ $0 }) { return try await answer(seen, oss) }
                guard seen.operation == "UploadPart", seen.part ?? 0 > 4 else { return nil }
                four.open()
                try await waitForCancellation()
                return nil
            }
            fixture = try Fixture(oss: oss, vod: vod)
            path = try fixture.file(name, count: bytes.count, modified: Self.modified)
            let task = try fixture.uploader { $0.parallel = 1 }.uploadTask(path)
            await four.wait()
            task.cancel()
            let error = await uploadError { _ = try await task.value }
            #expect(error?.errorCode == "FileAlreadyCancel")
            #expect(error?.videoId == "video-1")
            #expect(fixture.records.count == 1)
            #expect(oss.openUploads.count == 1)
            isPaused.withLock { $0 = true }
            oss.state.withLock { $0.seen = [] }
        }

        var parts: [Int] { fixture.oss.seen.filter { $0.operation == "UploadPart" }.compactMap(\.part).sorted() }

        /// What a reader of the object gets.
        func object(_ video: String = "video-1") -> [UInt8]? {
            fixture.oss.objects["outin-0123456789abcdef/sv/\(video)/\(video).mp4"]
        }
    }

    @Test func goesOnUnderTheSameVideo() async throws {
        let paused = try await Paused()
        let progress = LockBox<[UInt64]>([])
        let options = VODUploadOptions(onProgress: { _, uploaded, _ in progress.withLock { $0.append(uploaded) } })
        let result = try await paused.fixture.uploader().uploadFile(paused.path, options: options)
        #expect(result.videoId == "video-1")
        #expect(paused.fixture.vod.kinds == [.createVideo, .refreshVideo])
        #expect(paused.fixture.vod.asked.last?.videoId == "video-1")
        #expect(paused.fixture.oss.count("InitiateMultipartUpload") == 0)
        #expect(paused.parts == [5, 6, 7, 8])
        #expect(paused.object() == paused.bytes)
        #expect(result.verification == .crc64)
        #expect(paused.fixture.records.isEmpty)
        #expect(try #require(progress.withLock { $0.first }) >= UInt64(4 * Fixture.partSize))
    }

    @Test func recordedPartSizeWins() async throws {
        let paused = try await Paused()
        _ = try await paused.fixture.uploader { $0.partSize = 10 << 20 }.uploadFile(paused.path)
        #expect(paused.parts == [5, 6, 7, 8])
        #expect(paused.object() == paused.bytes)
    }

    // MARK: The file

    @Test(arguments: [true, false]) func movedFileGoesOn(_ checksLocalParts: Bool) async throws {
        let paused = try await Paused()
        let moved = paused.fixture.directory + "/elsewhere/a.mp4"
        try paused.fixture.write(paused.bytes, to: moved, modified: Paused.modified)
        let result = try await paused.fixture.uploader { $0.checksLocalParts = checksLocalParts }.uploadFile(moved)
        #expect(result.videoId == "video-1")
        #expect(paused.parts == [5, 6, 7, 8])
    }

    /// The same name, time and size in another directory, and other bytes: what is stored must not be mixed with them.
    @Test func anotherFileOfTheSameKeyIsReadAgainEvenWhenThatIsOff() async throws {
        let paused = try await Paused()
        let other = paused.fixture.directory + "/elsewhere/a.mp4"
        var bytes = paused.bytes
        bytes[Fixture.partSize + 3] ^= 1
        try paused.fixture.write(bytes, to: other, modified: Paused.modified)
        _ = try await paused.fixture.uploader { $0.checksLocalParts = false }.uploadFile(other)
        #expect(paused.parts == [2, 5, 6, 7, 8])
        #expect(paused.object() == bytes)
    }

    @Test func changedBytesOfTheSameTimeAreSentAgain() async throws {
        let paused = try await Paused()
        var bytes = paused.bytes
        bytes[0] ^= 1
        try paused.fixture.write(bytes, to: paused.path, modified: Paused.modified)
        _ = try await paused.fixture.uploader().uploadFile(paused.path)
        #expect(paused.parts == [1, 5, 6, 7, 8])
        #expect(paused.object() == bytes)
    }

    @Test func withoutReadingAgainTheRecordIsTrusted() async throws {
        let paused = try await Paused()
        _ = try await paused.fixture.uploader { $0.checksLocalParts = false }.uploadFile(paused.path)
        #expect(paused.parts == [5, 6, 7, 8])
        #expect(paused.object() == paused.bytes)
    }

    @Test func touchedFileIsAnotherVideo() async throws {
        let paused = try await Paused()
        try paused.fixture.write(paused.bytes, to: paused.path, modified: Paused.modified.addingTimeInterval(1))
        let result = try await paused.fixture.uploader().uploadFile(paused.path)
        #expect(result.videoId == "video-2")
        #expect(paused.parts == [1, 2, 3, 4, 5, 6, 7, 8])
        #expect(paused.object("video-2") == paused.bytes)
        // The first one is still pending, for whoever restores the file or discards it.
        #expect(try await paused.fixture.uploader().pendingUploads().map(\.videoId) == ["video-1"])
    }

    // MARK: The service

    @Test func lostUploadBeginsAgainForTheSameVideo() async throws {
        let paused = try await Paused()
        paused.fixture.oss.state.withLock { $0.uploads = [:] }
        let result = try await paused.fixture.uploader().uploadFile(paused.path)
        #expect(result.videoId == "video-1")
        #expect(paused.fixture.vod.count(.createVideo) == 1)
        #expect(paused.fixture.oss.count("InitiateMultipartUpload") == 1)
        #expect(paused.parts == [1, 2, 3, 4, 5, 6, 7, 8])
        #expect(paused.object() == paused.bytes)
    }

    @Test func uploadLostTwiceFails() async throws {
        let paused = try await Paused { seen, _ in
            seen.operation == "UploadPart" ? try .refusal(404, "NoSuchUpload") : nil
        }
        let error = await uploadError { _ = try await paused.fixture.uploader().uploadFile(paused.path) }
        #expect(error?.errorCode == "NoSuchUpload")
        #expect(paused.fixture.oss.count("InitiateMultipartUpload") == 1)
        #expect(paused.fixture.vod.count(.createVideo) == 1)
    }

    @Test func deniedListingTrustsTheRecord() async throws {
        let paused = try await Paused { seen, _ in
            seen.operation == "ListParts" ? try .refusal(403, "AccessDenied") : nil
        }
        _ = try await paused.fixture.uploader().uploadFile(paused.path)
        #expect(paused.parts == [5, 6, 7, 8])
        #expect(paused.object() == paused.bytes)
    }

    @Test func lostCompleteWithoutALookAtTheObjectIsSentAgain() async throws {
        let completed = LockBox(0)
        let paused = try await Paused { seen, oss in
            switch seen.operation {
            case "HeadObject": return try .oss(403)
            case "CompleteMultipartUpload"
            where completed.withLock({
                $0 += 1
                return $0 == 1
            }):
                oss.state.withLock { $0.uploads = [:] }
                return try .refusal(404, "NoSuchUpload")
            default: return nil
            }
        }
        let result = try await paused.fixture.uploader().uploadFile(paused.path)
        #expect(result.videoId == "video-1")
        #expect(paused.object() == paused.bytes)
        #expect(paused.fixture.oss.count("InitiateMultipartUpload") == 1)
        #expect(paused.fixture.vod.count(.createVideo) == 1)
    }

    // MARK: The application

    @Test(arguments: ["Forbidden", "InternalError", "Throttling.User"])
    func refusedRefreshMakesNoSecondVideo(_ code: String) async throws {
        let paused = try await Paused(
            vod: FakeVOD { context, answer, _ in context.kind == .refreshVideo ? refusal(code) : answer.members })
        let error = await uploadError { _ = try await paused.fixture.uploader().uploadFile(paused.path) }
        #expect(error?.errorCode == code)
        #expect(error?.errorMessage == "it is so")
        #expect(error?.requestId == "vod-request-9")
        #expect(error?.videoId == "video-1")
        #expect(paused.fixture.vod.count(.createVideo) == 1)
        #expect(paused.fixture.records.count == 1)
        #expect(paused.fixture.oss.seen.isEmpty)
    }

    @Test func failingRefreshMakesNoSecondVideo() async throws {
        struct Offline: Error {}
        let paused = try await Paused(
            vod: FakeVOD { context, answer, _ in
                if context.kind == .refreshVideo { throw Offline() }
                return answer.members
            })
        let error = await uploadError { _ = try await paused.fixture.uploader().uploadFile(paused.path) }
        #expect(error?.errorCode == "GetUploadAuthFailed")
        #expect(error?.underlying.underlying is Offline)
        #expect(paused.fixture.vod.count(.createVideo) == 1)
        #expect(paused.fixture.records.count == 1)
    }

    @Test func refreshForAnotherVideoIsRefused() async throws {
        let paused = try await Paused(
            vod: FakeVOD { context, answer, _ in
                var answer = answer
                if context.kind == .refreshVideo { answer.videoID = "video-of-somebody-else" }
                return answer.members
            })
        let error = await uploadError { _ = try await paused.fixture.uploader().uploadFile(paused.path) }
        #expect(error?.errorCode == "InvalidParameter.TokenInvalid")
        #expect(error?.errorMessage.contains("video-of-somebody-else") == true)
        #expect(paused.fixture.oss.seen.isEmpty)
        #expect(paused.fixture.records.count == 1)
    }

    @Test func refreshNeedNotRepeatTheVideo() async throws {
        let paused = try await Paused(
            vod: FakeVOD { context, answer, _ in
                var answer = answer
                if context.kind == .refreshVideo { answer.videoID = nil }
                return answer.members
            })
        #expect(try await paused.fixture.uploader().uploadFile(paused.path).videoId == "video-1")
    }

    @Test func unknownVideoIsMadeAnew() async throws {
        let paused = try await Paused(
            vod: FakeVOD { context, answer, _ in
                context.kind == .refreshVideo ? refusal("InvalidVideo.NotFound") : answer.members
            })
        let result = try await paused.fixture.uploader().uploadFile(paused.path)
        #expect(result.videoId == "video-2")
        #expect(paused.fixture.vod.kinds == [.createVideo, .refreshVideo, .createVideo])
        #expect(paused.parts == [1, 2, 3, 4, 5, 6, 7, 8])
        #expect(paused.object("video-2") == paused.bytes)
        #expect(paused.object() == nil)
        #expect(paused.fixture.records.isEmpty)
    }

    @Test func movedEndpointIsFollowed() async throws {
        let paused = try await Paused(
            vod: FakeVOD { context, answer, _ in
                var answer = answer
                if context.kind == .refreshVideo { answer.endpoint = "https://oss-accelerate.aliyuncs.com" }
                return answer.members
            })
        _ = try await paused.fixture.uploader().uploadFile(paused.path)
        #expect(paused.parts == [5, 6, 7, 8])
        #expect(Set(paused.fixture.oss.seen.map(\.host)) == ["outin-0123456789abcdef.oss-accelerate.aliyuncs.com"])
        #expect(paused.object() == paused.bytes)
    }

    @Test func movedTargetBeginsAgainThere() async throws {
        let paused = try await Paused(
            vod: FakeVOD { context, answer, _ in
                var answer = answer
                if context.kind == .refreshVideo { answer.key = "sv/moved.mp4" }
                return answer.members
            })
        let result = try await paused.fixture.uploader().uploadFile(paused.path)
        #expect(result.videoId == "video-1")
        #expect(paused.parts == [1, 2, 3, 4, 5, 6, 7, 8])
        #expect(paused.fixture.oss.objects["outin-0123456789abcdef/sv/moved.mp4"] == paused.bytes)
        #expect(paused.fixture.records.isEmpty)
    }

    // MARK: The record

    @Test func secondUploadOfOneFileRunsUnrecorded() async throws {
        let hold = Gate()
        let waiting = Tally(1)
        let oss = FakeOSS { seen, _ in
            if seen.operation == "UploadPart", seen.token == "token-1-secret" {
                waiting.add()
                await hold.wait()
            }
            return nil
        }
        let fixture = try Fixture(oss: oss)
        let path = try fixture.file(count: 3 * Fixture.partSize)
        let uploader = try fixture.uploader()
        let first = uploader.uploadTask(path)
        await waiting.reached()
        let second = uploader.uploadTask(path)
        var isUnrecorded = false
        for await event in second.events {
            if case .unrecorded = event { isUnrecorded = true }
        }
        #expect(isUnrecorded)
        #expect(try await second.value.videoId == "video-2")
        #expect(fixture.records.count == 1)
        hold.open()
        #expect(try await first.value.videoId == "video-1")
        #expect(fixture.records.isEmpty)
    }

    @Test func damagedRecordIsAMiss() async throws {
        let paused = try await Paused()
        let record = try #require(paused.fixture.records.first)
        try paused.fixture.write(
            Array(#"{"objectTransferCheckpoint":1,"tran"#.utf8), to: paused.fixture.checkpoints + "/" + record)
        let result = try await paused.fixture.uploader().uploadFile(paused.path)
        #expect(result.videoId == "video-2")
        #expect(paused.fixture.records.isEmpty)
    }

    @Test func withoutCheckpointsAPauseLeavesNothing() async throws {
        let started = Gate()
        let oss = FakeOSS { seen, _ in
            guard seen.operation == "UploadPart" else { return nil }
            started.open()
            try await waitForCancellation()
            return nil
        }
        let fixture = try Fixture(oss: oss)
        let task = try fixture.uploader { $0.checkpoint = false }.uploadTask(
            try fixture.file(count: 3 * Fixture.partSize))
        await started.wait()
        task.cancel()
        #expect(await uploadError { _ = try await task.value }?.errorCode == "FileAlreadyCancel")
        #expect(oss.openUploads.isEmpty)
        #expect(fixture.records.isEmpty)
    }

    @Test func storeOfTheCallersOwn() async throws {
        let store = MemoryCheckpointStore()
        let fixture = try Fixture(
            oss: FakeOSS { seen, _ in seen.part == 3 ? try .refusal(403, "AccessDenied") : nil })
        let path = try fixture.file(count: 4 * Fixture.partSize)
        let uploader = try fixture.uploader { $0.checkpointStore = store }
        #expect(await uploadError { _ = try await uploader.uploadFile(path) }?.errorCode == "AccessDenied")
        #expect(fixture.records.isEmpty)
        let pending = try #require(try await uploader.pendingUploads().first)
        #expect(pending.videoId == "video-1")
        #expect(pending.fileName == "a.mp4")
        #expect(pending.path == path)
    }
}
