/// A place that stores objects, in the few steps that a transfer is made of.
///
/// A backend performs; the engine decides order, concurrency, resumption and clean-up. A conformance is a cheap value over
/// a shared client, made per task; it remembers nothing of an upload. It need not speak HTTP. Every method throws a
/// `TransferError` whose `code` and `retry` tell the engine what happened, or `CancellationError` at once when its task
/// is cancelled. Repetition after transient failures is the backend's own affair: what it throws is final.
///
/// A minimal conformance keeps objects in a dictionary:
///
///     struct MemoryBackend: TransferBackend {
///         let provider = "memory"
///         let capabilities = BackendCapabilities(
///             parts: .init(minimumSize: 1, maximumSize: 1 << 30, maximumCount: 10_000, defaultSize: 8 << 20),
///             largestPut: 1 << 30, largestCopy: 1 << 30)
///         let objects: ObjectTable   // an actor of the conformance's own
///
///         func headObject(_ object: ObjectLocation) async throws -> ObjectInfo { try await objects.info(object) }
///         func putObject(_ body: PartBody, at target: ObjectLocation, options: ObjectOptions) async throws
///             -> TransferReceipt { try await objects.put(body, at: target) }
///         // … and the five steps of a multipart upload
///     }
///
/// `TransferConformance` checks a conformance against all of this.
public protocol TransferBackend: Sendable {
    /// A short, stable name such as `tos`; part of a checkpoint's identity.
    var provider: String { get }
    /// The limits of the service, and what it computes and honours; the same for the life of the value.
    var capabilities: BackendCapabilities { get }

    /// What the service says of an object. Throws `.notFound` when there is none.
    func headObject(_ object: ObjectLocation) async throws -> ObjectInfo
    /// Stores an object by one request. The receipt's `verification` says how far the answer was compared with what was sent.
    func putObject(_ body: PartBody, at target: ObjectLocation, options: ObjectOptions) async throws -> TransferReceipt
    /// Opens a multipart upload.
    func createMultipartUpload(at target: ObjectLocation, options: ObjectOptions) async throws -> MultipartUpload
    /// Stores part `number` (from 1). Storing a number again replaces it. The answer has the CRC-64 of the bytes that were sent,
    /// whether or not the service confirmed it: a resumed upload sends a part without one again.
    func uploadPart(_ number: Int, of upload: MultipartUpload, body: PartBody) async throws -> CompletedPart
    /// The stored parts in ascending order, all pages. Throws `.uploadNotFound` when the upload is gone.
    func listParts(of upload: MultipartUpload) async throws -> [CompletedPart]
    /// Makes the object out of `parts`, which ascend by number. Throws `.uploadNotFound` when the upload is gone, which
    /// may be because an earlier call succeeded and its answer was lost.
    func completeMultipartUpload(_ upload: MultipartUpload, parts: [CompletedPart]) async throws -> TransferReceipt
    /// Gives the upload and its parts up. Succeeds when it is already gone.
    func abortMultipartUpload(_ upload: MultipartUpload) async throws
}

/// A backend whose service copies objects by itself.
public protocol CopyBackend: TransferBackend {
    /// Copies a whole object by one request; with `ifMatch`, only when the source still has that tag (`.sourceChanged`).
    func copyObject(
        _ source: ObjectLocation, to target: ObjectLocation, ifMatch: ETag?, options: ObjectOptions
    ) async throws -> TransferReceipt
    /// Stores `range` of the source as part `number`; with `ifMatch`, only when the source still has that tag.
    func uploadPartCopy(
        _ number: Int, of upload: MultipartUpload, from source: ObjectLocation, range: ByteRange, ifMatch: ETag?
    ) async throws -> CompletedPart
    /// What the service says of an object that is to be copied; differs from `headObject` where the source is encrypted
    /// with another customer key than the target.
    func headCopySource(_ source: ObjectLocation) async throws -> ObjectInfo
    /// The tags of an object that is to be copied; nil when the service or the credentials do not tell.
    func copySourceTags(_ source: ObjectLocation) async throws -> [String: String]?
}

extension CopyBackend {
    /// The same as `headObject`, for services that need no other request.
    public func headCopySource(_ source: ObjectLocation) async throws -> ObjectInfo { try await headObject(source) }
    /// Nil: the backend does not read tags.
    public func copySourceTags(_ source: ObjectLocation) async throws -> [String: String]? { nil }
}

/// A backend whose objects can be read.
public protocol ReadableBackend: TransferBackend {
    /// Sends the bytes of `range` (nil: all of them) into `sink`, each with its offset in the object; with `ifMatch`, only while
    /// the object has that tag (`.sourceChanged`). A range that ends behind the object brings what there is; one that begins
    /// there is refused. A throw of the sink ends the read with that error.
    func getObject(
        _ object: ObjectLocation, range: ByteRange?, ifMatch: ETag?, into sink: some PartSink
    ) async throws -> ObjectInfo
}
