internal import TransferCore
internal import TransferPrimitives

/// What one check works with: the backend, keys of its own, and a list of what is to be cleaned up.
struct Bench: Sendable {
    private struct Ledger {
        var objects: Set<ObjectLocation> = []
        var uploads: [MultipartUpload] = []
    }

    let subject: ConformanceSubject
    let backend: any TransferBackend
    private let prefix: String
    private let ledger = LockBox(Ledger())

    init(_ subject: ConformanceSubject, folder: String) {
        self.subject = subject
        backend = subject.makeBackend()
        prefix = subject.keyPrefix + folder
    }

    var limits: BackendCapabilities.PartLimits { backend.capabilities.parts }

    /// Bytes of a part that need not be the last, as few as the backend takes.
    var partSize: UInt64 { min(max(limits.minimumSize, 1_000), limits.maximumSize) }

    /// Bytes of a last part, fewer than of the others where there is a choice.
    var restSize: UInt64 { min(partSize, 777) }

    /// Another value of the backend, as the next call of an application has it.
    func another() -> any TransferBackend { subject.makeBackend() }

    func copying() throws(Undecided) -> any CopyBackend {
        guard let backend = backend as? any CopyBackend else { throw Undecided(reason: "the backend does not copy") }
        return backend
    }

    func reading() throws(Undecided) -> any ReadableBackend {
        guard let backend = backend as? any ReadableBackend else {
            throw Undecided(reason: "the backend is not readable")
        }
        return backend
    }

    /// A key of this check's own.
    func location(_ name: String) -> ObjectLocation {
        let location = ObjectLocation(bucket: subject.bucket, key: prefix + name)
        ledger.withLock { _ = $0.objects.insert(location) }
        return location
    }

    func create(
        at target: ObjectLocation, options: ObjectOptions = ObjectOptions()
    ) async throws -> MultipartUpload {
        let upload = try await backend.createMultipartUpload(at: target, options: options)
        note(upload)
        try expect(!upload.id.isEmpty, "the upload should have an id")
        try expectEqual(upload.target, target, "the upload's target")
        try expectEqual(upload.options, options, "what the upload keeps of the options")
        return upload
    }

    /// Has an upload aborted when the check has ended.
    func note(_ upload: MultipartUpload) { ledger.withLock { $0.uploads.append(upload) } }

    /// Leaves as little behind as can be. What the checks are about is decided by now: failures here change nothing.
    func cleanUp() async {
        let left = ledger.withLock { $0 }
        for upload in left.uploads { try? await backend.abortMultipartUpload(upload) }
        guard let remove = subject.remove else { return }
        for object in left.objects { try? await remove(object) }
    }
}
