import Testing
import TransferCore
import TransferHTTP

@testable import AliyunVOD

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct GrantLedgerTests {
    private static let now = Date(timeIntervalSince1970: 1_736_929_800)  // 2025-01-15T08:30:00Z

    private func answer(
        _ kind: VODAuthKind, key: String = "k", token: String = "t", id: String = "v", region: String? = nil,
        endpoint: String = "https://oss-cn-shanghai.aliyuncs.com", expires: String? = nil
    ) throws -> AuthAnswer {
        let members = FakeVOD.Answer(
            videoID: kind == .createImage ? nil : id, imageID: kind == .createImage ? id : nil, endpoint: endpoint,
            key: key, token: token, expires: expires, region: region
        ).members
        return try AuthAnswer(try members.authAnswerJSON(), kind: kind, now: Self.now)
    }

    private func asked(_ step: GrantLedger.Step) -> (VODAuthKind, String?)? {
        if case .ask(let kind, let id) = step { (kind, id) } else { nil }
    }

    private func code(_ step: GrantLedger.Step) -> TransferError.Code? {
        if case .fail(let error) = step { error.code } else { nil }
    }

    @Test func videoIsCreatedOnceAndThenRefreshed() throws {
        var ledger = GrantLedger(media: .video, defaultRegion: "cn-shanghai")
        #expect(asked(ledger.next(at: Self.now))?.0 == .createVideo)
        _ = try ledger.received(try answer(.createVideo, id: "v-1"), for: .createVideo)
        for _ in 0..<GrantLedger.renewalsInARow {
            let step = asked(ledger.next(at: Self.now))
            #expect(step?.0 == .refreshVideo)
            #expect(step?.1 == "v-1")
            _ = try ledger.received(try answer(.refreshVideo, id: "v-1"), for: .refreshVideo)
        }
        #expect(code(ledger.next(at: Self.now)) == .credentialsExpired)
        ledger.succeeded()
        #expect(asked(ledger.next(at: Self.now))?.0 == .refreshVideo)
    }

    @Test func equalCredentialsAreToldApart() throws {
        var ledger = GrantLedger(media: .video, defaultRegion: "cn-shanghai")
        let first = try ledger.received(try answer(.createVideo), for: .createVideo)
        let second = try ledger.received(try answer(.refreshVideo), for: .refreshVideo)
        #expect(first.credentials == second.credentials)
        #expect(first != second)
    }

    @Test func renewalsAheadOfTheEndAreNotCounted() throws {
        var ledger = GrantLedger(media: .video, defaultRegion: "cn-shanghai")
        let answer = try answer(.createVideo, expires: "2025-01-15T09:20:00Z")
        _ = try ledger.received(answer, for: .createVideo)
        let end = Self.now.addingTimeInterval(3000)
        for _ in 0..<10 { #expect(asked(ledger.next(at: end.addingTimeInterval(-60)))?.0 == .refreshVideo) }
        for _ in 0..<10 { #expect(asked(ledger.next(at: end.addingTimeInterval(30)))?.0 == .refreshVideo) }
        #expect(asked(ledger.next(at: Self.now))?.0 == .refreshVideo)
        #expect(asked(ledger.next(at: Self.now))?.0 == .refreshVideo)
        #expect(code(ledger.next(at: Self.now)) == .credentialsExpired)
    }

    @Test func credentialsThatHadEndedOnArrivalAreCounted() throws {
        var ledger = GrantLedger(media: .video, defaultRegion: "cn-shanghai")
        _ = try ledger.received(try answer(.createVideo, expires: "2025-01-15T08:00:00Z"), for: .createVideo)
        #expect(asked(ledger.next(at: Self.now))?.0 == .refreshVideo)
        #expect(asked(ledger.next(at: Self.now))?.0 == .refreshVideo)
        #expect(code(ledger.next(at: Self.now)) == .credentialsExpired)
    }

    @Test func anotherVideosAnswerIsRefused() throws {
        var ledger = GrantLedger(media: .video, defaultRegion: "cn-shanghai")
        ledger.resume("v-1")
        #expect(asked(ledger.next(at: Self.now))?.1 == "v-1")
        let other = try answer(.refreshVideo, id: "v-2")
        #expect(throws: TransferError.self) { _ = try ledger.received(other, for: .refreshVideo) }
        #expect(ledger.videoID == "v-1")
        #expect(ledger.current == nil)
    }

    @Test func movedTargetIsHeldBackUntilTheUploadFollows() throws {
        var ledger = GrantLedger(media: .video, defaultRegion: "cn-shanghai")
        _ = try ledger.received(try answer(.createVideo, key: "old"), for: .createVideo)
        let moved = try answer(.refreshVideo, key: "new", token: "t-2")
        #expect(throws: TransferError.self) { _ = try ledger.received(moved, for: .refreshVideo) }
        #expect(ledger.hasMoved)
        // However many ask meanwhile, nobody is asked.
        for _ in 0..<5 { #expect(code(ledger.next(at: Self.now)) == .targetMoved) }
        #expect(ledger.followMove()?.key == "new")
        guard case .use(let access) = ledger.next(at: Self.now) else {
            Issue.record("what was handed out is to be used")
            return
        }
        #expect(access.credentials.securityToken == "t-2")
        #expect(ledger.followMove() == nil)
        #expect(asked(ledger.next(at: Self.now))?.0 == .refreshVideo)
    }

    @Test func imageIsMadeTwiceAtMostAndNeverRenewedEarly() throws {
        var ledger = GrantLedger(media: .image, defaultRegion: "cn-shanghai")
        #expect(asked(ledger.next(at: Self.now))?.0 == .createImage)
        let first = try answer(.createImage, key: "1", id: "i-1", expires: "2025-01-15T09:20:00Z")
        #expect(try ledger.received(first, for: .createImage).credentials.expiration == nil)
        #expect(asked(ledger.next(at: Self.now))?.0 == .createImage)
        let second = try answer(.createImage, key: "2", id: "i-2")
        #expect(throws: TransferError.self) { _ = try ledger.received(second, for: .createImage) }
        #expect(ledger.imageID == "i-2")
        #expect(ledger.followMove()?.key == "2")
        _ = ledger.next(at: Self.now)
        #expect(code(ledger.next(at: Self.now)) == .credentialsExpired)
    }

    @Test func regionOutlivesAnEndpointThatDoesNotTellIt() throws {
        var ledger = GrantLedger(media: .video, defaultRegion: "cn-shanghai")
        _ = try ledger.received(
            try answer(.createVideo, endpoint: "https://oss-cn-beijing.aliyuncs.com"), for: .createVideo)
        #expect(ledger.region == "cn-beijing")
        _ = try ledger.received(
            try answer(.refreshVideo, endpoint: "https://oss-accelerate.aliyuncs.com"), for: .refreshVideo)
        #expect(ledger.region == "cn-beijing")
        _ = try ledger.received(try answer(.refreshVideo, region: "cn-shenzhen"), for: .refreshVideo)
        #expect(ledger.region == "cn-shenzhen")
    }

    @Test func configuredRegionComesLast() throws {
        var ledger = GrantLedger(media: .video, defaultRegion: "ap-southeast-1")
        _ = try ledger.received(try answer(.createVideo, endpoint: "https://media.example.com"), for: .createVideo)
        #expect(ledger.region == "ap-southeast-1")
    }
}
