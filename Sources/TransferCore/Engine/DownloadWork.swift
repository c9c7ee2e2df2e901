internal import TransferPrimitives

/// A download, as the driver performs it: the parts of the object become ranges of a file beside the target.
///
/// What is a multipart upload elsewhere is that file here, and its path the upload's id.
final class DownloadWork<Backend: ReadableBackend>: TransferWork {
    private struct State {
        var info: ObjectInfo?
        var plan: PartPlan?
        /// The parts that an earlier call recorded.
        var recorded: [CompletedPart] = []
        var file: DownloadFile?
        /// Whether this call has moved the file to the target.
        var isMoved = false
    }

    private let backend: Backend
    private let source: ObjectLocation
    /// Absolute.
    private let path: String
    private let partSize: UInt64?
    private let fileSystem: any FileSystem
    private let meter: TransferMeter
    private let state = LockBox(State())

    init(
        backend: Backend, source: ObjectLocation, path: String, partSize: UInt64?, clock: any TransferClock,
        fileSystem: any FileSystem
    ) {
        self.backend = backend
        self.source = source
        self.path = path
        self.partSize = partSize
        self.fileSystem = fileSystem
        meter = TransferMeter(clock: clock)
    }

    func begin(reporting report: @escaping @Sendable (TransferProgress) -> Void) { meter.begin(reporting: report) }

    func note(_ event: TransferEvent) {
        switch event {
        case .resumed(_, _, let bytes): meter.reset(to: bytes)
        case .restarted: meter.reset(to: 0)
        default: break
        }
    }

    func inspect(saved: TransferCheckpoint?) async throws -> TransferMachine.Inspection {
        let info = try await backend.headObject(source)
        let limits = backend.capabilities.parts
        let plan = try PartPlan(size: info.size, requested: partSize, limits: limits)
        state.withLock { state in
            state.info = info
            state.plan = plan
            state.recorded = saved?.parts ?? []
        }
        meter.expect(info.size)
        let identity = SourceIdentity(
            size: info.size, object: source, etag: info.etag, lastModified: info.lastModified, checksums: info.checksums
        )
        let checkpoint = TransferCheckpoint(
            kind: .download, provider: backend.provider, target: ObjectLocation(localPath: path), source: identity,
            partSize: plan.partSize, partCount: plan.count, uploadID: "", optionsDigest: "")
        let isRaised = (partSize ?? 0) == 0 && plan.partSize > limits.defaultSize
        // A version never changes; else only the tag ties the parts to one content.
        return TransferMachine.Inspection(
            shape: .parts(plan), checkpoint: checkpoint,
            notes: isRaised ? [.partSizeRaised(from: limits.defaultSize, to: plan.partSize)] : [],
            hasPrecondition: info.etag?.isEmpty == false || source.versionID != nil)
    }

    func transferWhole() async throws -> TransferReceipt {
        throw TransferError(.unsupported, "a download always goes in parts")
    }

    func create() throws -> MultipartUpload {
        let file = try DownloadFile.create(for: path, length: try info().size, fileSystem: fileSystem)
        state.withLock { $0.file = file }
        return MultipartUpload(id: DownloadFile.path(for: path), target: ObjectLocation(localPath: path))
    }

    func transfer(_ part: PartPlan.Part, uploadID: String) async throws -> CompletedPart {
        guard let file = state.withLock({ $0.file }) else { throw Self.fileMissing }
        let receiver = PartReceiver(file, part.range, part: part.number, meter: meter)
        do {
            // No range can say "nothing".
            if !part.range.isEmpty {
                _ = try await backend.getObject(
                    source, range: part.range, ifMatch: try info().etag, into: receiver)
            }
            let crc = try receiver.finish()
            meter.stored(part.number, bytes: part.range.length)
            return CompletedPart(
                number: part.number, etag: Self.tag(crc), size: part.range.length, checksums: Checksums(crc64: crc))
        } catch {
            meter.failed(part.number)
            throw error
        }
    }

    /// What is recorded, as long as the file is there. Whether its bytes are, `checkLocal` tells.
    func listParts(uploadID: String) throws -> [CompletedPart] {
        let (recorded, present) = state.withLock { ($0.recorded, $0.file) }
        if present != nil { return recorded }
        guard uploadID == DownloadFile.path(for: path),
            let file = try DownloadFile.open(for: path, length: try info().size, fileSystem: fileSystem)
        else { throw Self.fileMissing }
        state.withLock { $0.file = file }
        return recorded
    }

    func checkLocal(_ parts: [CompletedPart]) async throws -> [CompletedPart] {
        let (file, plan) = state.withLock { ($0.file, $0.plan) }
        guard let file, let plan else { return [] }
        return try await LocalParts(source: file, plan: plan).equal(to: parts)
    }

    func recheckSource() async throws {
        let before = try info()
        let now = try await backend.headObject(source)
        guard now.size == before.size, now.etag == before.etag, now.lastModified == before.lastModified else {
            throw TransferError(.sourceChanged, "the object changed while it was downloaded", object: source)
        }
    }

    /// Compares the whole with what the service stores before anybody can take it for that.
    func complete(uploadID: String, parts: [CompletedPart]) throws -> TransferReceipt {
        let info = try info()
        guard let file = state.withLock({ $0.file }) else { throw Self.fileMissing }
        let crc = Self.combined(parts)
        if let stored = info.checksums.crc64, stored != crc {
            throw TransferError(
                .checksumMismatch, "the CRC-64 of the bytes that came is \(crc), and of those stored \(stored)",
                object: source)
        }
        try file.moveToTarget()
        state.withLock { $0.isMoved = true }
        return TransferReceipt(
            etag: tag(info, crc), size: info.size, versionID: info.versionID, checksums: Checksums(crc64: crc),
            verification: info.checksums.crc64 == nil ? .none : .crc64)
    }

    func headTarget() throws -> ObjectInfo {
        let (info, isMoved) = (try info(), state.withLock { $0.isMoved })
        do {
            guard let status = try fileSystem.status(at: path) else {
                throw TransferError(.notFound, "there is no file at '\(path)'")
            }
            guard !isMoved, status.size == info.size else { return ObjectInfo(size: status.size) }
            let crc = try checksum(status.size)
            return ObjectInfo(size: status.size, etag: tag(info, crc), checksums: Checksums(crc64: crc))
        } catch let error as SystemCallError {
            throw TransferError(wrapping: error, as: .fileUnreadable)
        }
    }

    func abort(uploadID: String, target: ObjectLocation) throws {
        // A record can name any path; only what a download of this name makes is removed.
        guard uploadID == DownloadFile.path(for: target.key) else { return }
        state.withLock { $0.file = nil }
        try DownloadFile.remove(for: target.key, fileSystem: fileSystem)
    }

    func isStillOpen(uploadID: String, target: ObjectLocation) -> Bool { false }

    /// Tasks and requests that have just ended may keep the file open for a moment longer than the caller, who may go on with
    /// the same download, needs to begin.
    func end() { state.withLock { $0.file }?.unlock() }

    private func info() throws(TransferError) -> ObjectInfo {
        guard let info = state.withLock({ $0.info }) else {
            throw TransferError(.conflict, "a request was started before the object was looked at")
        }
        return info
    }

    /// The CRC-64 of the file at the target.
    private func checksum(_ size: UInt64) throws -> UInt64 {
        let file = try fileSystem.open(path, .read)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { buffer.deallocate() }
        var crc = CRC64()
        var offset: UInt64 = 0
        while offset < size {
            let count = try fileSystem.read(file, at: offset, into: buffer)
            guard count > 0 else { break }
            crc.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += UInt64(count)
        }
        return crc.value
    }

    private static func combined(_ parts: [CompletedPart]) -> UInt64 {
        parts.reduce(0) { crc, part in
            CRC64.combine(crc, part.checksums.crc64 ?? 0, lengthOfB: part.size ?? 0)
        }
    }

    /// Parts of a file have no tags; their checksum tells them apart as well.
    private static func tag(_ crc: UInt64) -> ETag { ETag(String(crc, radix: 16)) }

    private func tag(_ info: ObjectInfo, _ crc: UInt64) -> ETag {
        if let etag = info.etag, !etag.isEmpty { etag } else { Self.tag(crc) }
    }

    private static var fileMissing: TransferError {
        TransferError(.uploadNotFound, "the file that the download wrote is gone")
    }
}

extension ObjectLocation {
    /// A file of this machine, as a record names it: no bucket, and the absolute path as key.
    init(localPath path: String) { self.init(bucket: "", key: path) }
}
