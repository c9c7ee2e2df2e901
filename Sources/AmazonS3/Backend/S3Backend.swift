internal import S3Wire
public import TransferCore
internal import TransferHTTP

/// S3 as a place that the transfer engine copies in, uploads to and reads from; also its multipart operations one by one.
///
/// A cheap value over a client, made per transfer: it holds what belongs to one transfer and to no object.
public struct S3Backend: Sendable {
    private let service: S3Service

    /// The 32 bytes that a copy's source was encrypted with, if the caller provided them (SSE-C).
    public var copySourceSSECKey: EncryptionKey?
    /// The 32 bytes that an object this backend looks at or reads was encrypted with (SSE-C).
    public var ssecKey: EncryptionKey?
    /// Whether a copy by one request keeps the source's metadata where the options give none. True by default.
    public var carriesMetadata = true

    /// - Parameters:
    ///   - client: Whose connections and credentials are used. It need not be held.
    ///   - maxRetryCount: Repeats of a failed request; nil for what the client's configuration says, 0 for none.
    public init(_ client: S3Client, maxRetryCount: Int? = nil) {
        guard let maxRetryCount else {
            service = client.service
            return
        }
        var policy = client.configuration.retryPolicy
        policy.maxRetries = max(0, maxRetryCount)
        service = client.service.retrying(policy)
    }

    /// Apart from those who wait, whose tasks keep no room for the making of it.
    @inline(never) private var backend: WireBackend {
        var backend = WireBackend(service)
        backend.copySourceSSECKey = copySourceSSECKey
        backend.ssecKey = ssecKey
        backend.carriesMetadata = carriesMetadata
        return backend
    }
}

extension S3Backend: TransferBackend {
    public var provider: String { backend.provider }

    public var capabilities: BackendCapabilities { backend.capabilities }

    public func headObject(_ object: ObjectLocation) async throws -> ObjectInfo { try await backend.headObject(object) }

    public func putObject(
        _ body: PartBody, at target: ObjectLocation, options: ObjectOptions
    ) async throws -> TransferReceipt { try await backend.putObject(body, at: target, options: options) }

    public func createMultipartUpload(
        at target: ObjectLocation, options: ObjectOptions
    ) async throws -> MultipartUpload { try await backend.createMultipartUpload(at: target, options: options) }

    public func uploadPart(_ number: Int, of upload: MultipartUpload, body: PartBody) async throws -> CompletedPart {
        try await backend.uploadPart(number, of: upload, body: body)
    }

    public func listParts(of upload: MultipartUpload) async throws -> [CompletedPart] {
        try await backend.listParts(of: upload)
    }

    public func completeMultipartUpload(
        _ upload: MultipartUpload, parts: [CompletedPart]
    ) async throws -> TransferReceipt { try await backend.completeMultipartUpload(upload, parts: parts) }

    public func abortMultipartUpload(_ upload: MultipartUpload) async throws {
        try await backend.abortMultipartUpload(upload)
    }
}

extension S3Backend: CopyBackend {
    public func headCopySource(_ source: ObjectLocation) async throws -> ObjectInfo {
        try await backend.headCopySource(source)
    }

    public func copyObject(
        _ source: ObjectLocation, to target: ObjectLocation, ifMatch: ETag?, options: ObjectOptions
    ) async throws -> TransferReceipt {
        try await backend.copyObject(source, to: target, ifMatch: ifMatch, options: options)
    }

    public func uploadPartCopy(
        _ number: Int, of upload: MultipartUpload, from source: ObjectLocation, range: ByteRange, ifMatch: ETag?
    ) async throws -> CompletedPart {
        try await backend.uploadPartCopy(number, of: upload, from: source, range: range, ifMatch: ifMatch)
    }

    /// Nil where the credentials may not read tags.
    public func copySourceTags(_ source: ObjectLocation) async throws -> [String: String]? {
        try await backend.copySourceTags(source)
    }
}

extension S3Backend: ReadableBackend {
    public func getObject(
        _ object: ObjectLocation, range: ByteRange?, ifMatch: ETag?, into sink: some PartSink
    ) async throws -> ObjectInfo {
        try await backend.getObject(object, range: range, ifMatch: ifMatch, into: sink)
    }
}
