internal import TransferCore
internal import TransferHTTP

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// What one upload knows of its credentials, and what to do when others are needed. A pure value: the time is given.
///
/// * A video is created once, and refreshed from then on; a refresh never makes another video.
/// * An image cannot be refreshed: one new image may take its place, and is then the one that is reported.
/// * A grant for another object than the one begun is held back until the upload begins again there.
/// * Renewals after a refusal are bounded: two in a row without a request that succeeded. Those ahead of the end are not.
struct GrantLedger: Sendable {
    enum Step: Sendable {
        /// Ask for these.
        case ask(VODAuthKind, videoID: String?)
        /// These were already handed out.
        case use(ServiceAccess)
        case fail(TransferError)
    }

    static let renewalsInARow = 2
    static let images = 2

    let media: MediaKind
    private let defaultRegion: String
    private(set) var videoID: String?
    private(set) var imageID: String?
    private(set) var imageURL: String?
    private(set) var current: UploadGrant?
    /// Names another object.
    private var moved: UploadGrant?
    /// Whether `current` was taken over from `moved` and not handed out yet.
    private var isHeldBack = false
    private var refusals = 0
    private var imagesMade = 0
    private var issue = 0
    private(set) var region: String

    init(media: MediaKind, defaultRegion: String) {
        self.media = media
        self.defaultRegion = defaultRegion
        region = defaultRegion
    }

    /// Goes on with a video of an earlier call, or as if there had been none.
    mutating func resume(_ videoID: String?) { self.videoID = videoID }

    /// Whether renewed credentials name another object than the one begun.
    var hasMoved: Bool { moved != nil }

    /// What a call that needs credentials is to do.
    mutating func next(at now: Date) -> Step {
        if moved != nil { return .fail(Self.targetMoved) }
        guard let current else {
            if media == .image { return .ask(.createImage, videoID: nil) }
            return videoID.map { .ask(.refreshVideo, videoID: $0) } ?? .ask(.createVideo, videoID: nil)
        }
        if isHeldBack {
            isHeldBack = false
            return .use(access(current))
        }
        if media == .image {
            guard imagesMade < Self.images else {
                return .fail(Self.expired("the credentials of a second image were refused, too"))
            }
            return .ask(.createImage, videoID: nil)
        }
        if !isDue(current, at: now) {
            guard refusals < Self.renewalsInARow else {
                return .fail(Self.expired("fresh credentials were refused \(refusals) times in a row"))
            }
            refusals += 1
        }
        return .ask(.refreshVideo, videoID: videoID)
    }

    /// Takes an answer in. Throws `.targetMoved` when it names another object than the one begun.
    mutating func received(_ answer: AuthAnswer, for kind: VODAuthKind) throws(TransferError) -> ServiceAccess {
        switch kind {
        case .createVideo: videoID = answer.videoID
        case .refreshVideo:
            if let told = answer.videoID, let videoID, told != videoID {
                throw .unusableAnswer(kind, "answered for the video \(told), and was asked for \(videoID)")
            }
        case .createImage:
            imageID = answer.imageID
            imageURL = answer.imageURL
            imagesMade += 1
        }
        let grant = answer.grant
        if let current, current.target != grant.target {
            moved = grant
            throw Self.targetMoved
        }
        begin(grant)
        return access(grant)
    }

    /// A request succeeded.
    mutating func succeeded() { refusals = 0 }

    /// Where the upload is to begin again; nil when nothing moved.
    mutating func followMove() -> ObjectLocation? {
        guard let moved else { return nil }
        self.moved = nil
        begin(moved)
        isHeldBack = true
        return moved.target
    }

    private mutating func begin(_ grant: UploadGrant) {
        // A bucket does not change its region when its endpoint becomes one that does not tell it.
        region = grant.region ?? (current?.target.bucket == grant.target.bucket ? region : defaultRegion)
        current = grant
        issue += 1
    }

    private func access(_ grant: UploadGrant) -> ServiceAccess {
        var credentials = grant.credentials
        if media == .image {
            // Without an end they are not renewed ahead of it, which would make another image.
            credentials = Credentials(
                accessKey: credentials.accessKey, secretKey: credentials.secretKey,
                securityToken: credentials.securityToken)
        }
        return ServiceAccess(credentials: credentials, endpoint: grant.endpoint, issue: issue)
    }

    /// Whether the credentials are to be renewed because of their end, not because they were refused: within the last minute
    /// or tenth of their life. Those that had ended on arrival cannot tell.
    private func isDue(_ grant: UploadGrant, at now: Date) -> Bool {
        guard grant.isFreshOnArrival, let end = grant.credentials.expiration else { return false }
        // A second of tolerance, for the clock that asks counts from another moment.
        return end.timeIntervalSince(now) <= min(60, end.timeIntervalSince(grant.received) / 10) + 1
    }

    static let targetMoved = TransferError(
        .targetMoved, "the renewed credentials are for another object", operation: VODAuthKind.refreshVideo.operation,
        provider: VODProvider.name)

    private static func expired(_ reason: String) -> TransferError {
        TransferError(.credentialsExpired, reason, provider: VODProvider.name)
    }
}
