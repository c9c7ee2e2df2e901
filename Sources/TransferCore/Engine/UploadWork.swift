package import TransferPrimitives

/// An upload, as the driver performs it.
package final class UploadWork<Backend: TransferBackend>: TransferWork {
    let backend: Backend
    let source: UploadSource
    let target: ObjectLocation
    let options: ObjectOptions
    let partSize: UInt64?
    let singleRequestLimit: UInt64
    let meter: TransferMeter
    /// Set by the inspection, when the upload goes in parts.
    private let plan = LockBox<PartPlan?>(nil)
    /// Of the body that one request sends.
    private let tap: BodyTap

    package init(
        backend: Backend, source: UploadSource, target: ObjectLocation, options: ObjectOptions, partSize: UInt64?,
        singleRequestLimit: UInt64, clock: any TransferClock
    ) {
        self.backend = backend
        self.source = source
        self.target = target
        self.options = options
        self.partSize = partSize
        self.singleRequestLimit = singleRequestLimit
        tap = BodyTap(isEmpty: source.source.length == 0)
        meter = TransferMeter(total: source.source.length, clock: clock)
    }

    package func begin(reporting report: @escaping @Sendable (TransferProgress) -> Void) {
        meter.begin(reporting: report)
    }

    package func note(_ event: TransferEvent) {
        switch event {
        case .resumed(_, _, let bytes): meter.reset(to: bytes)
        case .restarted: meter.reset(to: 0)
        default: break
        }
    }

    package func inspect(saved: TransferCheckpoint?) throws -> TransferMachine.Inspection {
        try source.recheck()
        let size = source.source.length
        var checkpoint = TransferCheckpoint(
            kind: .upload, provider: backend.provider, target: target, source: source.identity, partSize: 0,
            partCount: nil, uploadID: "", optionsDigest: options.digest(carrying: CarriedAttributes()))
        let limits = backend.capabilities
        let resumed = resumedPlan(size: size, saved: saved, limits: limits.parts)
        if resumed == nil, size <= min(singleRequestLimit, limits.largestPut) {
            return TransferMachine.Inspection(shape: .whole, checkpoint: checkpoint)
        }
        let plan = try resumed ?? PartPlan(size: size, requested: partSize, limits: limits.parts)
        self.plan.withLock { $0 = plan }
        checkpoint.partSize = plan.partSize
        checkpoint.partCount = plan.count
        let isRaised = (partSize ?? 0) == 0 && plan.partSize > limits.parts.defaultSize
        return TransferMachine.Inspection(
            shape: .parts(plan), checkpoint: checkpoint,
            notes: isRaised ? [.partSizeRaised(from: limits.parts.defaultSize, to: plan.partSize)] : [])
    }

    /// An upload of the same source goes on with the part size it began with: other parts would not fit between those that
    /// are stored.
    private func resumedPlan(
        size: UInt64, saved: TransferCheckpoint?, limits: BackendCapabilities.PartLimits
    ) -> PartPlan? {
        guard let saved, saved.partSize > 0, saved.source.isSame(as: source.identity) else { return nil }
        return try? PartPlan(size: size, requested: saved.partSize, limits: limits)
    }

    package func transferWhole() async throws -> TransferReceipt {
        let body = body(of: ByteRange(offset: 0, length: source.source.length), part: 1, through: tap)
        do {
            return try await again { try await self.backend.putObject(body, at: self.target, options: self.options) }
        } catch let error as TransferError where error.code != .uploadNotFound && error.leavesOutcomeOpen {
            // Also when the transfer stops: what stands decides.
            let receipt = try await StopSignal.$current.withValue(nil) { try await standing() }
            guard let receipt else { throw error }
            return receipt
        }
    }

    package func withholdRest() -> Bool { tap.close() }

    package var isWithheld: Bool { tap.isWithheld }

    package func create() async throws -> MultipartUpload {
        try await backend.createMultipartUpload(at: target, options: options)
    }

    package func transfer(_ part: PartPlan.Part, uploadID: String) async throws -> CompletedPart {
        let body = body(of: part.range, part: part.number)
        do {
            var stored = try await again {
                try await self.backend.uploadPart(part.number, of: self.upload(uploadID), body: body)
            }
            stored.size = part.range.length
            meter.stored(part.number, bytes: part.range.length)
            return stored
        } catch {
            meter.failed(part.number)
            throw error
        }
    }

    package func listParts(uploadID: String) async throws -> [CompletedPart] {
        try await backend.listParts(of: upload(uploadID))
    }

    package func checkLocal(_ parts: [CompletedPart]) async throws -> [CompletedPart] {
        guard let plan = plan.withLock({ $0 }) else { return [] }
        return try await LocalParts(source: source.source, plan: plan).equal(to: parts)
    }

    package func recheckSource() throws { try source.recheck() }

    package func complete(uploadID: String, parts: [CompletedPart]) async throws -> TransferReceipt {
        try await backend.completeMultipartUpload(upload(uploadID), parts: parts)
    }

    package func headTarget() async throws -> ObjectInfo { try await backend.headObject(target) }

    package func abort(uploadID: String, target: ObjectLocation) async throws {
        try await backend.abortMultipartUpload(MultipartUpload(id: uploadID, target: target, options: options))
    }

    package func isStillOpen(uploadID: String, target: ObjectLocation) async throws -> Bool {
        try await backend.isStillOpen(MultipartUpload(id: uploadID, target: target, options: options))
    }

    private func upload(_ id: String) -> MultipartUpload { MultipartUpload(id: id, target: target, options: options) }

    private func body(of range: ByteRange, part: Int, through tap: BodyTap? = nil) -> PartBody {
        PartBody(
            MeteredSource(
                source: source.source, range: range, part: part, meter: meter, tap: tap, recheck: source.recheck))
    }

    /// Sends bytes that arrived damaged once more.
    private func again<Output>(_ body: () async throws -> Output) async throws -> Output {
        do {
            return try await body()
        } catch let error as TransferError where error.code == .checksumMismatch {
            try Task.checkCancellation()
            if StopSignal.current?.isStopped == true { throw error }
            return try await body()
        }
    }
}
