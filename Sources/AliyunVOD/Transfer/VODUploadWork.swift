internal import AliyunOSS
internal import TransferCore
internal import TransferPrimitives

/// The upload of one file, as the driver performs it: an upload to OSS whose target and credentials are handed out.
///
/// Looking at the source asks for the first credentials: those of the recorded video where there is a record, else of a new
/// medium. When renewed ones name another object, steps fail with `.targetMoved`, and the upload begins again there.
final class VODUploadWork: TransferWork {
    private struct State {
        var upload: UploadWork<OSSBackend>?
        var saved: TransferCheckpoint?
        var report: (@Sendable (TransferProgress) -> Void)?
        /// Whether the service said that the multipart upload is no more.
        var uploadIsGone = false
    }

    private let request: UploadRequest
    private let service: UploadService
    private let checksLocalParts: Bool
    private let clock: any TransferClock
    private let metrics: UploadMetrics
    private let state = LockBox(State())

    init(
        _ request: UploadRequest, service: UploadService, checksLocalParts: Bool, clock: any TransferClock,
        metrics: UploadMetrics
    ) {
        self.request = request
        self.service = service
        self.checksLocalParts = checksLocalParts
        self.clock = clock
        self.metrics = metrics
    }

    // MARK: Progress

    func begin(reporting report: @escaping @Sendable (TransferProgress) -> Void) {
        state.withLock { $0.report = report }
    }

    func note(_ event: TransferEvent) {
        metrics.note(event)
        state.withLock({ $0.upload })?.note(event)
    }

    // MARK: Preparing

    func inspect(saved: TransferCheckpoint?) async throws -> TransferMachine.Inspection {
        state.withLock { $0.saved = saved }
        // A store that keeps one file for everything may hold another file's record, and with it another video.
        let isSameFile = saved?.source.isSame(as: request.source.identity) == true
        let videoID = isSameFile ? saved?.extras[VODProvider.videoID] : nil
        let target = try await service.session.open(resuming: videoID, through: service.access)
        var inspection = try begin(at: target).inspect(saved: saved)
        let video = service.session.facts.videoID ?? ""
        inspection.checkpoint.provider = VODProvider.name
        inspection.checkpoint.extras = video.isEmpty ? [:] : [VODProvider.videoID: video]
        // A new video in place of a lost one is another upload, whatever its object is called.
        inspection.checkpoint.optionsDigest = Hex.encode(Digest.sha256("videoId=\(video)".utf8))
        metrics.planned(inspection.checkpoint)
        return inspection
    }

    /// The upload to `target`; in place of that to another one, if there was any.
    private func begin(at target: ObjectLocation) -> UploadWork<OSSBackend> {
        let upload = UploadWork(
            backend: service.backend, source: request.source, target: target, options: ObjectOptions(),
            partSize: request.partSize, singleRequestLimit: request.singleRequestLimit, clock: clock)
        let report = state.withLock { state in
            state.upload = upload
            return state.report
        }
        if let report { upload.begin(reporting: report) }
        return upload
    }

    func checkLocal(_ parts: [CompletedPart]) async throws -> [CompletedPart] {
        let saved = state.withLock { $0.saved }
        if !checksLocalParts, let saved, saved.source.path == request.source.path {
            // Without a look at the bytes only the record tells that a part is one of this file.
            let recorded = Set(saved.parts.map(\.number))
            return parts.filter { recorded.contains($0.number) }
        }
        return try await upload().checkLocal(parts)
    }

    func recheckSource() async throws { try upload().recheckSource() }

    // MARK: Sending

    func transferWhole() async throws -> TransferReceipt {
        try await following { try await $0.transferWhole() }
    }

    func withholdRest() -> Bool { state.withLock { $0.upload }?.withholdRest() ?? false }

    var isWithheld: Bool { state.withLock { $0.upload }?.isWithheld ?? false }

    func create() async throws -> MultipartUpload {
        state.withLock { $0.uploadIsGone = false }
        return try await following { try await $0.create() }
    }

    func transfer(_ part: PartPlan.Part, uploadID: String) async throws -> CompletedPart {
        try await staying { try await $0.transfer(part, uploadID: uploadID) }
    }

    func listParts(uploadID: String) async throws -> [CompletedPart] {
        try await noting { try await $0.listParts(uploadID: uploadID) }
    }

    func complete(uploadID: String, parts: [CompletedPart]) async throws -> TransferReceipt {
        try await noting { try await $0.complete(uploadID: uploadID, parts: parts) }
    }

    /// Begins or begins again: wherever the credentials lead.
    private func following<Output>(_ step: (UploadWork<OSSBackend>) async throws -> Output) async throws -> Output {
        if let target = service.session.followMove(service.access) { _ = begin(at: target) }
        do {
            return try await step(try upload())
        } catch let error as TransferError where error.code == .targetMoved {
            guard let target = service.session.followMove(service.access) else { throw error }
            return try await step(begin(at: target))
        }
    }

    /// Goes on at the object that was begun.
    private func staying<Output>(_ step: (UploadWork<OSSBackend>) async throws -> Output) async throws -> Output {
        try service.session.checkTarget()
        return try await step(try upload())
    }

    /// The same, and remembers when the multipart upload turns out to be gone.
    private func noting<Output>(_ step: (UploadWork<OSSBackend>) async throws -> Output) async throws -> Output {
        do {
            return try await staying(step)
        } catch let error as TransferError where error.code == .uploadNotFound {
            state.withLock { $0.uploadIsGone = true }
            throw error
        }
    }

    // MARK: Afterwards

    /// Credentials for uploads often allow no look at the object. When its multipart upload is gone, too, nobody can tell
    /// whether it was completed, and sending the file again to the same place does no harm (spec section 5.7).
    func headTarget() async throws -> ObjectInfo {
        do {
            return try await upload().headTarget()
        } catch var error as TransferError
            where error.code == .accessDenied && state.withLock({ $0.uploadIsGone })
        {
            error.code = .notFound
            throw error
        }
    }

    func abort(uploadID: String, target: ObjectLocation) async throws {
        try await opened(at: target).abort(uploadID: uploadID, target: target)
    }

    func isStillOpen(uploadID: String, target: ObjectLocation) async throws -> Bool {
        try await opened(at: target).isStillOpen(uploadID: uploadID, target: target)
    }

    /// An abort may come before anybody has asked for credentials.
    private func opened(at target: ObjectLocation) async throws -> UploadWork<OSSBackend> {
        let (upload, saved) = state.withLock { ($0.upload, $0.saved) }
        if let upload { return upload }
        guard let videoID = saved?.extras[VODProvider.videoID] else { return try self.upload() }
        _ = try await service.session.reopen(videoID, through: service.access)
        return begin(at: target)
    }

    private func upload() throws(TransferError) -> UploadWork<OSSBackend> {
        guard let upload = state.withLock({ $0.upload }) else {
            throw TransferError(
                .credentialsUnavailable, "there are no credentials for this upload yet", provider: VODProvider.name)
        }
        return upload
    }
}
