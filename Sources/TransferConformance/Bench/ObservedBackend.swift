internal import TransferCore
internal import TransferPrimitives

/// A backend behind which the one under test stands: it notes what succeeded, and calls a hook around each step.
final class ObservedBackend: CopyBackend, ReadableBackend {
    /// A step that moves data, or makes the object.
    enum Step: Sendable, Hashable {
        case put
        case create
        case part(Int)
        /// Of the bytes from this offset.
        case read(UInt64)
        case complete
        case abort
        case copy
    }

    private struct State {
        var succeeded: [Step: Int] = [:]
        var uploads: [MultipartUpload] = []
    }

    private let base: any TransferBackend
    private let before: @Sendable (Step) -> Void
    /// A throw loses the answer of a step that succeeded.
    private let after: @Sendable (Step) throws -> Void
    private let state = LockBox(State())

    init(
        _ base: any TransferBackend, before: @escaping @Sendable (Step) -> Void = { _ in },
        after: @escaping @Sendable (Step) throws -> Void = { _ in }
    ) {
        self.base = base
        self.before = before
        self.after = after
    }

    /// How often each step succeeded.
    var succeeded: [Step: Int] { state.withLock { $0.succeeded } }
    /// The uploads that were opened.
    var uploads: [MultipartUpload] { state.withLock { $0.uploads } }

    private func observe<Value>(_ step: Step, _ body: () async throws -> Value) async throws -> Value {
        before(step)
        let value = try await body()
        state.withLock { $0.succeeded[step, default: 0] += 1 }
        try after(step)
        return value
    }

    var provider: String { base.provider }
    var capabilities: BackendCapabilities { base.capabilities }

    func headObject(_ object: ObjectLocation) async throws -> ObjectInfo { try await base.headObject(object) }

    func putObject(
        _ body: PartBody, at target: ObjectLocation, options: ObjectOptions
    ) async throws -> TransferReceipt {
        try await observe(.put) { try await base.putObject(body, at: target, options: options) }
    }

    func createMultipartUpload(at target: ObjectLocation, options: ObjectOptions) async throws -> MultipartUpload {
        try await observe(.create) {
            let upload = try await base.createMultipartUpload(at: target, options: options)
            state.withLock { $0.uploads.append(upload) }
            return upload
        }
    }

    func uploadPart(_ number: Int, of upload: MultipartUpload, body: PartBody) async throws -> CompletedPart {
        try await observe(.part(number)) { try await base.uploadPart(number, of: upload, body: body) }
    }

    func listParts(of upload: MultipartUpload) async throws -> [CompletedPart] { try await base.listParts(of: upload) }

    func completeMultipartUpload(
        _ upload: MultipartUpload, parts: [CompletedPart]
    ) async throws -> TransferReceipt {
        try await observe(.complete) { try await base.completeMultipartUpload(upload, parts: parts) }
    }

    func abortMultipartUpload(_ upload: MultipartUpload) async throws {
        try await observe(.abort) { try await base.abortMultipartUpload(upload) }
    }

    // What follows is asked for only where the backend under test can do it.

    private var copying: any CopyBackend {
        get throws {
            guard let base = base as? any CopyBackend else {
                throw TransferError(.unsupported, "the backend does not copy")
            }
            return base
        }
    }

    func copyObject(
        _ source: ObjectLocation, to target: ObjectLocation, ifMatch: ETag?, options: ObjectOptions
    ) async throws -> TransferReceipt {
        try await observe(.copy) {
            try await copying.copyObject(source, to: target, ifMatch: ifMatch, options: options)
        }
    }

    func uploadPartCopy(
        _ number: Int, of upload: MultipartUpload, from source: ObjectLocation, range: ByteRange, ifMatch: ETag?
    ) async throws -> CompletedPart {
        try await observe(.part(number)) {
            try await copying.uploadPartCopy(number, of: upload, from: source, range: range, ifMatch: ifMatch)
        }
    }

    func headCopySource(_ source: ObjectLocation) async throws -> ObjectInfo {
        try await copying.headCopySource(source)
    }

    func copySourceTags(_ source: ObjectLocation) async throws -> [String: String]? {
        try await copying.copySourceTags(source)
    }

    func getObject(
        _ object: ObjectLocation, range: ByteRange?, ifMatch: ETag?, into sink: some PartSink
    ) async throws -> ObjectInfo {
        guard let base = base as? any ReadableBackend else {
            throw TransferError(.unsupported, "the backend is not readable")
        }
        return try await observe(.read(range?.offset ?? 0)) {
            try await base.getObject(object, range: range, ifMatch: ifMatch, into: sink)
        }
    }
}
