public import TransferCore
internal import TransferHTTP
internal import TransferService

/// OSS as a place that the transfer engine uploads to, copies in and reads from.
///
/// A cheap value over a client, made per transfer: it holds what belongs to one transfer and to no object.
///
///     let handle = try TransferEngine().upload(
///         .file("/films/a.mov"), to: ObjectLocation(bucket: "films", key: "a.mov"), using: OSSBackend(client))
public struct OSSBackend: Sendable {
    let service: OSSService

    /// What must be true of a copy's source, checked when it is looked at and again with every part.
    public var conditions = OSSCopySourceConditions()
    /// Bits per second of every request that moves bytes, 245,760 to 838,860,800; nil for no limit.
    public var trafficLimit: Int?
    /// Whether a copy by one request keeps the source's metadata where the options give none.
    public var carriesMetadata = true
    /// Bytes of a part where the caller names no size. 8 MiB unless set.
    public var defaultPartSize = OSSProvider.partLimits.defaultSize

    /// A backend over a client, whose connections, limits and credentials it shares.
    ///
    /// - Parameters:
    ///   - client: What requests go through; the backend is of no use any more once it was shut down.
    ///   - maxRetryCount: Repeats of a failed request; nil for what the client's configuration says, 0 for none.
    public init(_ client: OSSClient, maxRetryCount: Int? = nil) {
        var policy = client.configuration.retryPolicy
        if let maxRetryCount { policy.maxRetries = max(0, maxRetryCount) }
        self.init(client.service.retrying(policy))
    }

    package init(_ service: OSSService) { self.service = service }
}

extension OSSBackend: TransferBackend {
    public var provider: String { OSSProvider.name }

    public var capabilities: BackendCapabilities {
        var parts = OSSProvider.partLimits
        parts.defaultSize = defaultPartSize
        return BackendCapabilities(
            parts: parts, largestPut: OSSProvider.largestPut, largestCopy: OSSProvider.largestCopy, checksums: [.crc64],
            // Temporary credentials are often good for writing alone.
            mayDenyHead: true, mayDenyListParts: true, honoursCopyPreconditions: true)
    }

    public func headObject(_ object: ObjectLocation) async throws -> ObjectInfo {
        try await service.headObject(try .headObject(object), FailureContext(.headObject, object)).value.info
    }

    public func putObject(
        _ body: PartBody, at target: ObjectLocation, options: ObjectOptions
    ) async throws -> TransferReceipt {
        try await service.putObject(
            try .putObject(HTTPBody(body), at: target, options: options, trafficLimit: trafficLimit),
            FailureContext(.putObject, target), hasCallback: options.hasCallback)
    }

    public func createMultipartUpload(
        at target: ObjectLocation, options: ObjectOptions
    ) async throws -> MultipartUpload {
        let answer = try await service.initiateMultipartUpload(
            try .initiateMultipartUpload(at: target, options: options),
            FailureContext(.initiateMultipartUpload, target))
        return MultipartUpload(id: answer.value, target: target, options: options)
    }

    public func uploadPart(_ number: Int, of upload: MultipartUpload, body: PartBody) async throws -> CompletedPart {
        try await service.uploadPart(
            try .uploadPart(number, of: upload, body: HTTPBody(body), trafficLimit: trafficLimit),
            FailureContext(.uploadPart, of: upload, part: number)
        ).value
    }

    public func listParts(of upload: MultipartUpload) async throws -> [CompletedPart] {
        try await service.listAllParts(of: upload, FailureContext(.listParts, of: upload)).map(\.completed)
    }

    public func completeMultipartUpload(
        _ upload: MultipartUpload, parts: [CompletedPart]
    ) async throws -> TransferReceipt {
        try await service.completeMultipartUpload(
            try .completeMultipartUpload(upload, parts: parts), FailureContext(.completeMultipartUpload, of: upload),
            hasCallback: upload.options.hasCallback)
    }

    public func abortMultipartUpload(_ upload: MultipartUpload) async throws {
        _ = try await service.abortMultipartUpload(
            try .abortMultipartUpload(upload), FailureContext(.abortMultipartUpload, of: upload))
    }
}
