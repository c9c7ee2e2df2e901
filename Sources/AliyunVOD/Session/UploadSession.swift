internal import TransferCore
internal import TransferHTTP
internal import TransferPrimitives

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The credentials of one upload: asks `getAuth`, reads what it answers, and keeps the books.
///
/// An `AccessCache` stands in front, so that it is never asked twice at once and each call has its time limit.
final class UploadSession: AccessProvider {
    /// What `getAuth` is told of the file.
    struct File: Sendable {
        var name: String
        var size: UInt64
        var videoMeta: VODVideoMeta?
        var imageMeta: VODImageMeta?
    }

    private let file: File
    private let getAuth: VODGetAuth
    private let clock: any TransferClock
    private let metrics: UploadMetrics
    private let ledger: LockBox<GrantLedger>

    init(
        _ file: File, media: MediaKind, getAuth: VODGetAuth, defaultRegion: String, clock: any TransferClock,
        metrics: UploadMetrics
    ) {
        self.file = file
        self.getAuth = getAuth
        self.clock = clock
        self.metrics = metrics
        ledger = LockBox(GrantLedger(media: media, defaultRegion: defaultRegion))
    }

    /// What is known of the medium so far.
    var facts: (videoID: String?, imageID: String?, imageURL: String?) {
        ledger.withLock { ($0.videoID, $0.imageID, $0.imageURL) }
    }

    /// The region to sign for.
    var region: String { ledger.withLock { $0.region } }

    /// Credentials that are not those in force, which have ended or were refused.
    func access() async throws -> ServiceAccess {
        switch ledger.withLock({ $0.next(at: clock.now) }) {
        case .use(let access): return access
        case .fail(let error):
            throw error.code == .credentialsExpired ? CredentialsFailure.exhausted(error) : error
        case .ask(let kind, let videoID):
            let answer = try await ask(kind, videoID)
            // An answer that nobody waits for any more changes nothing.
            try Task.checkCancellation()
            let access = try ledger.withLock { ledger throws(TransferError) in
                try ledger.received(answer, for: kind)
            }
            metrics.granted(host: access.endpoint.host)
            return access
        }
    }

    private func ask(_ kind: VODAuthKind, _ videoID: String?) async throws -> AuthAnswer {
        let context = VODAuthContext(
            kind: kind, fileName: file.name, fileSize: file.size, videoId: videoID, videoMeta: file.videoMeta,
            imageMeta: file.imageMeta)
        metrics.asked()
        do {
            let data = try await getAuth.body(context).authAnswerJSON()
            return try AuthAnswer(data, kind: kind, now: clock.now)
        } catch {
            try Task.checkCancellation()
            throw TransferError.failedAuth(kind, error)
        }
    }

    // MARK: The first credentials

    /// The object to upload to.
    ///
    /// - Parameters:
    ///   - videoID: The video that an earlier call began; a refresh of its credentials may fail, and then fails the upload,
    ///     so that no second video comes to be. Only where the service knows no such video is a new one made.
    ///   - access: The cache in front of this session.
    func open(resuming videoID: String?, through access: AccessCache) async throws -> ObjectLocation {
        if let videoID {
            do {
                return try await reopen(videoID, through: access)
            } catch let error as TransferError where error.isVideoUnknown {
                ledger.withLock { $0.resume(nil) }
            }
        }
        return try await first(
            through: access, asking: ledger.withLock { $0.media == .image ? .createImage : .createVideo })
    }

    /// The object of a video that an earlier call began.
    func reopen(_ videoID: String, through access: AccessCache) async throws -> ObjectLocation {
        ledger.withLock { $0.resume(videoID) }
        return try await first(through: access, asking: .refreshVideo)
    }

    private func first(through access: AccessCache, asking kind: VODAuthKind) async throws -> ObjectLocation {
        do {
            _ = try await access.access()
        } catch let failure as CredentialsFailure {
            throw TransferError(failure, asking: kind)
        }
        guard let target = ledger.withLock({ $0.current?.target }) else {
            throw TransferError.unusableAnswer(kind, "answered with nothing")
        }
        return target
    }

    // MARK: While the upload runs

    /// Throws `.targetMoved` when renewed credentials name another object: what is sent to the old one is lost.
    func checkTarget() throws(TransferError) {
        if ledger.withLock({ $0.hasMoved }) { throw GrantLedger.targetMoved }
    }

    /// Goes over to the object that renewed credentials name; nil when they name the same.
    func followMove(_ access: AccessCache) -> ObjectLocation? {
        guard let target = ledger.withLock({ $0.followMove() }) else { return nil }
        access.invalidate()
        return target
    }

    /// A request to OSS succeeded.
    func requestSucceeded() { ledger.withLock { $0.succeeded() } }
}
