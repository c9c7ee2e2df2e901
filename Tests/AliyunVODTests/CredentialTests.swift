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

@Suite struct CredentialTests {
    private static let videoObject = "outin-0123456789abcdef/sv/video-1/video-1.mp4"

    /// All parts wait until `count` of them have come, and are then refused; once for a token.
    private static func refusingTogether(_ count: Int, tokens: Set<String> = ["token-1-secret"]) -> FakeOSS {
        let arrived = Tally(count)
        return FakeOSS { seen, _ in
            guard seen.operation == "UploadPart", let token = seen.token, tokens.contains(token) else { return nil }
            arrived.add()
            await arrived.reached()
            return try .tokenExpired(token)
        }
    }

    @Test func hundredPartsThatExpireAtOnceCauseOneRefresh() async throws {
        let oss = Self.refusingTogether(100)
        let fixture = try Fixture(oss: oss)
        let path = try fixture.file(count: 100 * Fixture.partSize)
        let result = try await fixture.uploader { $0.parallel = 100 }.uploadFile(path)
        #expect(result.videoId == "video-1")
        #expect(fixture.vod.kinds == [.createVideo, .refreshVideo])
        #expect(oss.count("UploadPart") == 200)
        #expect(oss.count("InitiateMultipartUpload") == 1)
    }

    @Test func withoutRepeatsTheOneRepairRemains() async throws {
        let fixture = try Fixture(oss: Self.refusingTogether(1))
        let path = try fixture.file(count: 2 * Fixture.partSize)
        _ = try await fixture.uploader {
            $0.parallel = 1
            $0.maxRetryCount = 0
        }.uploadFile(path)
        #expect(fixture.vod.kinds == [.createVideo, .refreshVideo])
    }

    @Test func everyUploadRefreshesForItself() async throws {
        let oss = FakeOSS { seen, _ in
            guard seen.operation == "UploadPart", let token = seen.token else { return nil }
            // The first four tokens are those that the four uploads began with.
            let isFirst = (1...4).contains { token == "token-\($0)-secret" }
            return isFirst ? try .tokenExpired(token) : nil
        }
        let fixture = try Fixture(oss: oss)
        let begun = Tally(4)
        let vod = FakeVOD { context, answer, _ in
            if context.kind == .createVideo {
                begun.add()
                await begun.reached()
            }
            return answer.members
        }
        let uploader = try VODUploader(
            fixture.config {
                $0.getAuth = vod.getAuth
                $0.parallel = 16
            }, transport: oss, random: NoJitter())
        let paths = try (1...4).map { try fixture.file("\($0).mp4", count: 16 * Fixture.partSize) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for path in paths { group.addTask { _ = try await uploader.uploadFile(path) } }
            try await group.waitForAll()
        }
        #expect(vod.count(.createVideo) == 4)
        #expect(vod.count(.refreshVideo) == 4)
    }

    @Test func sameTokenAgainIsTriedOnceMore() async throws {
        let refusals = Tally(1)
        let oss = FakeOSS { seen, _ in
            guard seen.operation == "PutObject", refusals.add() == 1 else { return nil }
            return try .tokenExpired(seen.token ?? "")
        }
        let fixture = try Fixture(
            oss: oss,
            vod: FakeVOD { _, answer, _ in
                var answer = answer
                answer.token = "the-same-token"
                return answer.members
            })
        _ = try await fixture.uploader().uploadFile(try fixture.file(count: 10))
        #expect(fixture.vod.kinds == [.createVideo, .refreshVideo])
        #expect(oss.count("PutObject") == 2)
    }

    @Test(arguments: [1, 8]) func credentialsThatNeverWorkEndTheUpload(_ maxRetryCount: Int) async throws {
        let oss = FakeOSS { seen, _ in try .tokenExpired(seen.token ?? "") }
        let fixture = try Fixture(oss: oss)
        let path = try fixture.file(count: 5 * Fixture.partSize)
        let error = await uploadError {
            _ = try await fixture.uploader { $0.maxRetryCount = maxRetryCount }.uploadFile(path)
        }
        // OSS's own word, not that there are no others.
        #expect(error?.errorCode == "SecurityTokenExpired")
        // Two in a row without a success, however many repeats are allowed.
        #expect(fixture.vod.count(.refreshVideo) == min(maxRetryCount, 2))
        #expect(fixture.vod.count(.createVideo) == 1)
    }

    @Test func plainDenialRefreshesNothing() async throws {
        let oss = FakeOSS { seen, _ in try .refusal(403, "AccessDenied") }
        let fixture = try Fixture(oss: oss)
        let error = await uploadError { _ = try await fixture.uploader().uploadFile(try fixture.file(count: 10)) }
        #expect(error?.errorCode == "AccessDenied")
        #expect(fixture.vod.kinds == [.createVideo])
        #expect(oss.seen.count == 1)
    }

    @Test func credentialsThatEndedOnArrivalAreUsedUntilRefused() async throws {
        let fixture = try Fixture(
            vod: FakeVOD { _, answer, _ in
                var answer = answer
                answer.expires = "2020-01-01T00:00:00Z"
                return answer.members
            })
        _ = try await fixture.uploader().uploadFile(try fixture.file(count: 3 * Fixture.partSize))
        #expect(fixture.vod.kinds == [.createVideo])
    }

    @Test func refreshThatMovesTheEndpointIsFollowed() async throws {
        let oss = Self.refusingTogether(1)
        let fixture = try Fixture(
            oss: oss,
            vod: FakeVOD { context, answer, _ in
                var answer = answer
                if context.kind == .refreshVideo { answer.endpoint = "https://oss-accelerate.aliyuncs.com" }
                return answer.members
            })
        let path = try fixture.file(count: 3 * Fixture.partSize)
        _ = try await fixture.uploader { $0.parallel = 1 }.uploadFile(path)
        #expect(oss.seen.last?.host == "outin-0123456789abcdef.oss-accelerate.aliyuncs.com")
        #expect(oss.seen.first?.host == "outin-0123456789abcdef.oss-cn-shanghai.aliyuncs.com")
        #expect(oss.count("InitiateMultipartUpload") == 1)
        #expect(oss.objects[Self.videoObject] == content(3 * Fixture.partSize))
    }

    @Test func refreshThatMovesTheTargetBeginsAgainThere() async throws {
        let oss = FakeOSS { seen, _ in
            guard seen.operation == "UploadPart", seen.part == 3, seen.token == "token-1-secret" else { return nil }
            return try .tokenExpired("token-1-secret")
        }
        let fixture = try Fixture(
            oss: oss,
            vod: FakeVOD { context, answer, _ in
                var answer = answer
                if context.kind == .refreshVideo { answer.key = "sv/moved.mp4" }
                return answer.members
            })
        let path = try fixture.file(count: 6 * Fixture.partSize)
        let task = try fixture.uploader().uploadTask(path)
        var restarts: [RestartReason] = []
        for await event in task.events {
            if case .restarted(let reason) = event { restarts.append(reason) }
        }
        #expect(try await task.value.videoId == "video-1")
        #expect(restarts == [.targetChanged])
        #expect(fixture.vod.kinds == [.createVideo, .refreshVideo])
        #expect(oss.objects["outin-0123456789abcdef/sv/moved.mp4"] == content(6 * Fixture.partSize))
        #expect(oss.objects[Self.videoObject] == nil)
        #expect(fixture.records.isEmpty)
    }

    @Test func targetThatMovesAtTheEndIsFollowed() async throws {
        let oss = FakeOSS { seen, _ in
            guard seen.operation == "CompleteMultipartUpload", seen.token == "token-1-secret" else { return nil }
            return try .tokenExpired("token-1-secret")
        }
        let fixture = try Fixture(
            oss: oss,
            vod: FakeVOD { context, answer, _ in
                var answer = answer
                if context.kind == .refreshVideo { answer.key = "sv/moved.mp4" }
                return answer.members
            })
        _ = try await fixture.uploader().uploadFile(try fixture.file(count: 3 * Fixture.partSize))
        #expect(oss.objects["outin-0123456789abcdef/sv/moved.mp4"] == content(3 * Fixture.partSize))
    }

    @Test func targetThatMovesUnderASmallFileIsFollowed() async throws {
        let oss = FakeOSS { seen, _ in
            seen.token == "token-1-secret" ? try .tokenExpired("token-1-secret") : nil
        }
        let fixture = try Fixture(
            oss: oss,
            vod: FakeVOD { context, answer, _ in
                var answer = answer
                if context.kind == .refreshVideo { answer.key = "sv/moved.mp4" }
                return answer.members
            })
        _ = try await fixture.uploader().uploadFile(try fixture.file(count: 10))
        #expect(oss.objects == ["outin-0123456789abcdef/sv/moved.mp4": content(10)])
        #expect(fixture.vod.kinds == [.createVideo, .refreshVideo])
    }

    @Test func failedRefreshKeepsTheRecordAndStops() async throws {
        let oss = FakeOSS { seen, _ in
            guard seen.operation == "UploadPart", seen.part == 3 else { return nil }
            return try .tokenExpired(seen.token ?? "")
        }
        let fixture = try Fixture(
            oss: oss,
            vod: FakeVOD { context, answer, _ in
                context.kind == .refreshVideo ? refusal("Forbidden") : answer.members
            })
        let path = try fixture.file(count: 6 * Fixture.partSize)
        let error = await uploadError { _ = try await fixture.uploader { $0.parallel = 1 }.uploadFile(path) }
        #expect(error?.errorCode == "Forbidden")
        #expect(fixture.records.count == 1)
        #expect(oss.openUploads.count == 1)
        #expect(fixture.vod.kinds == [.createVideo, .refreshVideo])
    }

    // MARK: Images

    @Test func imageWhoseCredentialsExpireIsMadeOnceMore() async throws {
        let oss = FakeOSS { seen, _ in
            seen.token == "token-1-secret" ? try .tokenExpired("token-1-secret") : nil
        }
        let fixture = try Fixture(oss: oss)
        let result = try await fixture.uploader().uploadFile(try fixture.file("a.png", count: 5_000))
        #expect(fixture.vod.kinds == [.createImage, .createImage])
        #expect(result.imageId == "image-2")
        #expect(result.imageUrl == "https://img.example.com/image-2.jpg")
        #expect(oss.objects == ["outin-0123456789abcdef/image/image-2.jpg": content(5_000)])
    }

    @Test func imageWhoseCredentialsNeverWorkFails() async throws {
        let oss = FakeOSS { seen, _ in try .tokenExpired(seen.token ?? "") }
        let fixture = try Fixture(oss: oss)
        let error = await uploadError {
            _ = try await fixture.uploader().uploadFile(try fixture.file("a.png", count: 5_000))
        }
        #expect(error?.errorCode == "SecurityTokenExpired")
        #expect(fixture.vod.kinds == [.createImage, .createImage])
    }

    @Test func imageIsNotMadeAgainAheadOfTheEnd() async throws {
        let fixture = try Fixture(
            vod: FakeVOD { _, answer, _ in
                var answer = answer
                answer.expires = "2099-01-01T00:00:00Z"
                return answer.members
            })
        _ = try await fixture.uploader().uploadFile(try fixture.file("a.png", count: 10))
        #expect(fixture.vod.kinds == [.createImage])
    }

    // MARK: Renewal ahead of the end

    @Test func renewedAheadOfTheEndWhilePartsGoOn() async throws {
        let clock = ManualClock(start: Date(timeIntervalSince1970: 1_736_929_800))
        let renewed = Gate()
        let oss = FakeOSS { seen, _ in
            guard seen.operation == "UploadPart", seen.part == 1 else { return nil }
            // 2,950 of 3,000 seconds pass while the first part is on its way.
            clock.advance(by: .seconds(2950))
            return nil
        }
        let fixture = try Fixture(
            oss: oss,
            vod: FakeVOD { context, answer, _ in
                var answer = answer
                answer.expires = context.kind == .createVideo ? "2025-01-15T09:20:00Z" : "2025-01-15T10:20:00Z"
                if context.kind == .refreshVideo { renewed.open() }
                return answer.members
            })
        let path = try fixture.file(count: 4 * Fixture.partSize)
        let task = try fixture.uploader(clock: clock) { $0.parallel = 1 }.uploadTask(path)
        _ = try await task.value
        await renewed.wait()
        #expect(fixture.vod.kinds == [.createVideo, .refreshVideo])
        #expect(oss.count("UploadPart") == 4)
    }
}

@Suite struct GetAuthTests {
    private func failure(
        _ getAuth: VODGetAuth, clock: any TransferClock = SystemClock(),
        during body: (VODUploadTask) async -> Void = { _ in }
    ) async throws -> VODUploadError {
        let fixture = try Fixture()
        let uploader = try fixture.uploader(clock: clock) { $0.getAuth = getAuth }
        let task = uploader.uploadTask(try fixture.file(count: 10))
        await body(task)
        let error = await uploadError { _ = try await task.value }
        #expect(fixture.oss.seen.isEmpty)
        return try #require(error)
    }

    private struct NoBackend: Error, CustomStringConvertible { let description = "the backend is down" }

    @Test func errorIsTold() async throws {
        let error = try await failure(VODGetAuth { _ in throw NoBackend() })
        #expect(error.errorCode == "GetUploadAuthFailed")
        #expect(error.errorMessage == "getAuth(create-video) failed: the backend is down")
        #expect(error.underlying.underlying is NoBackend)
    }

    @Test func errorOfACompletionIsTold() async throws {
        let error = try await failure(VODGetAuth(completion: { _, completion in completion(.failure(NoBackend())) }))
        #expect(error.errorCode == "GetUploadAuthFailed")
        #expect(error.underlying.underlying is NoBackend)
    }

    @Test func pageOfHTML() async throws {
        let error = try await failure(VODGetAuth { _ in "<!DOCTYPE html><html>login</html>" })
        #expect(error.errorCode == "InvalidParameter.TokenInvalid")
        #expect(error.errorMessage.contains("HTML"))
    }

    @Test(arguments: [true, false]) func neverAnswers(_ callsBack: Bool) async throws {
        let clock = ManualClock()
        let getAuth =
            callsBack
            ? VODGetAuth(completion: { _, _ in })
            : VODGetAuth { _ in
                try await waitForCancellation()
                return ""
            }
        let error = try await failure(getAuth, clock: clock) { _ in
            await clock.waitForSleepers()
            clock.advance(by: .seconds(60))
        }
        #expect(error.errorCode == "GetUploadAuthFailed")
        #expect(error.errorMessage == "getAuth(create-video) did not answer within 60.0 seconds")
    }

    @Test func waitingForAnAnswerCanBeCancelled() async throws {
        let asked = Gate()
        let error = try await failure(
            VODGetAuth(completion: { _, _ in asked.open() })
        ) { task in
            await asked.wait()
            task.cancel()
        }
        #expect(error.errorCode == "FileAlreadyCancel")
    }

    @Test func answerAfterTheEndIsIgnored() async throws {
        let late = Lazy<@Sendable (Result<any VODAuthAnswer, any Error>) -> Void>()
        let asked = Gate()
        let error = try await failure(
            VODGetAuth(completion: { _, completion in
                late.set(completion)
                asked.open()
            })
        ) { task in
            await asked.wait()
            task.cancel()
        }
        #expect(error.errorCode == "FileAlreadyCancel")
        late.value?(.success(refusal("Late")))
        late.value?(.failure(NoBackend()))
    }

    @Test func secondCallOfACompletionIsIgnored() async throws {
        let fixture = try Fixture()
        let getAuth = VODGetAuth(completion: { _, completion in
            let answer = FakeVOD.Answer(videoID: "first", key: "first.mp4", token: "t")
            completion(.success(answer.members))
            completion(.success(refusal("Second")))
            completion(.failure(NoBackend()))
        })
        let result = try await fixture.uploader { $0.getAuth = getAuth }.uploadFile(try fixture.file(count: 10))
        #expect(result.videoId == "first")
    }

    /// Data, text and dictionary; async closure and completion closure.
    @Test func everyFormOfAnswer() async throws {
        let members = FakeVOD.Answer(videoID: "v", key: "k.mp4", token: "t").members
        let json = try members.authAnswerJSON()
        let fixture = try Fixture()
        let path = try fixture.file(count: 10)
        let configs = [
            VODUploadConfig { _ in json }, VODUploadConfig { _ in String(decoding: json, as: UTF8.self) },
            VODUploadConfig { _ in members }, VODUploadConfig { _ in VODAuthDictionary(members) },
            VODUploadConfig { _, completion in completion(.success(json)) },
        ]
        for var config in configs {
            config.checkpoint = false
            let uploader = try VODUploader(config, transport: fixture.oss)
            #expect(try await uploader.uploadFile(path).videoId == "v")
        }
    }
}
