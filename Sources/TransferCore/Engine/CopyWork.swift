internal import TransferPrimitives

/// A server-side copy, as the driver performs it.
final class CopyWork<Backend: CopyBackend>: TransferWork {
    let backend: Backend
    let source: ObjectLocation
    let target: ObjectLocation
    let options: ObjectOptions
    let partSize: UInt64?
    let singleRequestLimit: UInt64
    let carries: CarriedAttributes

    /// What the inspection found; set before anything that needs it starts.
    private struct Prepared {
        var info: ObjectInfo
        /// The caller's options with what is carried over from the source.
        var options: ObjectOptions
    }

    private let inspected = LockBox<Boxed<Prepared>?>(nil)

    init(
        backend: Backend, source: ObjectLocation, target: ObjectLocation, options: ObjectOptions, partSize: UInt64?,
        singleRequestLimit: UInt64, carries: CarriedAttributes
    ) {
        self.backend = backend
        self.source = source
        self.target = target
        self.options = options
        self.partSize = partSize
        self.singleRequestLimit = singleRequestLimit
        self.carries = carries
    }

    func inspect(saved: TransferCheckpoint?) async throws -> TransferMachine.Inspection {
        let info = try await backend.headCopySource(source)
        let (carried, notes) = try await carryingOver(info)
        inspected.withLock { $0 = Boxed(Prepared(info: info, options: carried)) }
        let identity = SourceIdentity(
            size: info.size, object: source, etag: info.etag, lastModified: info.lastModified, checksums: info.checksums
        )
        var checkpoint = TransferCheckpoint(
            kind: .copy, provider: backend.provider, target: target, source: identity, partSize: 0, partCount: nil,
            uploadID: "", optionsDigest: options.digest(carrying: carries))
        let limits = backend.capabilities
        let fitsOneRequest = info.size <= min(singleRequestLimit, limits.largestCopy)
        if info.kind == .symlink || (fitsOneRequest && singleRequestLimit > 0) {
            return TransferMachine.Inspection(shape: .whole, checkpoint: checkpoint, notes: notes)
        }
        if info.kind == .appendable {
            guard info.size <= limits.largestCopy else {
                throw TransferError(
                    .unsupported, "an appendable object of \(info.size) bytes cannot be copied in parts", object: source
                )
            }
            return TransferMachine.Inspection(shape: .whole, checkpoint: checkpoint, notes: notes)
        }
        let plan = try PartPlan(size: info.size, requested: partSize, limits: limits.parts)
        checkpoint.partSize = plan.partSize
        checkpoint.partCount = plan.count
        let isRaised = (partSize ?? 0) == 0 && plan.partSize > limits.parts.defaultSize
        let raised: [TransferEvent] =
            isRaised ? [.partSizeRaised(from: limits.parts.defaultSize, to: plan.partSize)] : []
        // A version never changes; else only the tag ties the parts to one content.
        let isTied = info.etag?.isEmpty == false || source.versionID != nil
        return TransferMachine.Inspection(
            shape: .parts(plan), checkpoint: checkpoint, notes: notes + raised, hasPrecondition: isTied)
    }

    func transferWhole() async throws -> TransferReceipt {
        let prepared = try prepared().value
        return try await backend.copyObject(source, to: target, ifMatch: prepared.info.etag, options: prepared.options)
    }

    func create() async throws -> MultipartUpload {
        try await backend.createMultipartUpload(at: target, options: try prepared().value.options)
    }

    func checkLocal(_ parts: [CompletedPart]) -> [CompletedPart] { parts }

    func transfer(_ part: PartPlan.Part, uploadID: String) async throws -> CompletedPart {
        if part.range.isEmpty { return try await storeNothing(part.number, uploadID) }
        var stored = try await backend.uploadPartCopy(
            part.number, of: upload(uploadID), from: source, range: part.range, ifMatch: try prepared().value.info.etag)
        stored.size = part.range.length
        return stored
    }

    /// No range can say "nothing": the one part of an empty object is sent as an empty body.
    private func storeNothing(_ number: Int, _ uploadID: String) async throws -> CompletedPart {
        try await backend.uploadPart(number, of: upload(uploadID), body: .empty)
    }

    func listParts(uploadID: String) async throws -> [CompletedPart] {
        try await backend.listParts(of: try upload(uploadID))
    }

    func recheckSource() async throws {
        let before = try prepared().value.info
        let now = try await backend.headCopySource(source)
        guard now.size == before.size, now.etag == before.etag, now.lastModified == before.lastModified else {
            throw TransferError(.sourceChanged, "the source changed while it was copied", object: source)
        }
    }

    func complete(uploadID: String, parts: [CompletedPart]) async throws -> TransferReceipt {
        try await backend.completeMultipartUpload(try upload(uploadID), parts: parts)
    }

    func headTarget() async throws -> ObjectInfo { try await backend.headObject(target) }

    func abort(uploadID: String, target: ObjectLocation) async throws {
        try await backend.abortMultipartUpload(MultipartUpload(id: uploadID, target: target, options: currentOptions))
    }

    func isStillOpen(uploadID: String, target: ObjectLocation) async throws -> Bool {
        try await backend.isStillOpen(MultipartUpload(id: uploadID, target: target, options: currentOptions))
    }

    private func upload(_ id: String) throws -> MultipartUpload {
        MultipartUpload(id: id, target: target, options: try prepared().value.options)
    }

    private var currentOptions: ObjectOptions { inspected.withLock { $0?.value.options } ?? options }

    private func prepared() throws -> Boxed<Prepared> {
        guard let value = inspected.withLock({ $0 }) else {
            throw TransferError(.conflict, "a request was started before the source was inspected")
        }
        return value
    }

    /// What the target is to carry: the caller's word first, then the source's, as a simple copy does.
    private func carryingOver(_ info: ObjectInfo) async throws -> (ObjectOptions, [TransferEvent]) {
        var result = options
        if carries.metadata { result.attributes.fill(from: info.attributes) }
        guard options.attributes.tags.isEmpty, info.tagCount != 0 else { return (result, []) }
        guard carries.tags else {
            return (result, info.tagCount.map { [.tagsNotCarried(count: $0)] } ?? [])
        }
        guard let tags = try await backend.copySourceTags(source) else {
            return (result, [.tagsNotCarried(count: info.tagCount)])
        }
        result.attributes.tags = tags
        return (result, [])
    }
}

extension ObjectAttributes {
    /// Takes what a simple copy would carry over, where nothing is given. Storage class, access list and encryption are
    /// the target's own affair.
    mutating func fill(from source: ObjectAttributes) {
        contentType = contentType ?? source.contentType
        cacheControl = cacheControl ?? source.cacheControl
        contentDisposition = contentDisposition ?? source.contentDisposition
        contentEncoding = contentEncoding ?? source.contentEncoding
        contentLanguage = contentLanguage ?? source.contentLanguage
        expires = expires ?? source.expires
        if metadata.isEmpty { metadata = source.metadata }
    }
}
