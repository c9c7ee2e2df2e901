public import TransferCore
internal import TransferHTTP
internal import TransferService

/// TOS as a place that the transfer engine copies in, uploads to and reads from.
///
/// A cheap value over a client, made per transfer: it holds what belongs to one transfer and to no object, such as the
/// key that the source is encrypted with.
public struct TOSBackend: Sendable {
    private let service: TOSService

    /// What must be true of a copy's source, checked when it is looked at and again with every part.
    public var conditions = TOSCopySourceConditions()
    /// The 32 bytes that a copy's source was encrypted with, if the caller provided them (SSE-C).
    public var copySourceSSECKey: EncryptionKey?
    /// The 32 bytes that an object this backend looks at or reads was encrypted with (SSE-C).
    public var ssecKey: EncryptionKey?
    /// Bits per second of every request that moves bytes, 819,200 to 838,860,800; nil for no limit.
    public var trafficLimit: Int?
    /// Whether a copy by one request keeps the source's metadata where the options give none.
    public var carriesMetadata = true

    /// - Parameter maxRetryCount: Repeats of a failed request; nil for what the client's configuration says, 0 for none.
    public init(_ client: TOSClient, maxRetryCount: Int? = nil) {
        guard let maxRetryCount else {
            service = client.service
            return
        }
        var policy = client.configuration.retryPolicy
        policy.maxRetries = max(0, maxRetryCount)
        service = client.service.retrying(policy)
    }
}

extension TOSBackend: TransferBackend {
    public var provider: String { TOSProvider.name }

    public var capabilities: BackendCapabilities {
        BackendCapabilities(
            parts: TOSProvider.partLimits, largestPut: TOSProvider.largestSingleRequest,
            largestCopy: TOSProvider.largestSingleRequest, checksums: [.crc64], honoursCopyPreconditions: true)
    }

    public func headObject(_ object: ObjectLocation) async throws -> ObjectInfo {
        try await service.headObject(
            try .headObject(object, ssecKey: ssecKey), FailureContext(operation: .headObject, object: object)
        ).value
    }

    public func putObject(
        _ body: PartBody, at target: ObjectLocation, options: ObjectOptions
    ) async throws -> TransferReceipt {
        try await service.putObject(
            try .putObject(HTTPBody(body), at: target, options: options, trafficLimit: trafficLimit),
            FailureContext(operation: .putObject, object: target))
    }

    public func createMultipartUpload(
        at target: ObjectLocation, options: ObjectOptions
    ) async throws -> MultipartUpload {
        let id = try await service.createMultipartUpload(
            try .createMultipartUpload(at: target, options: options),
            FailureContext(operation: .createMultipartUpload, object: target)
        ).value
        return MultipartUpload(id: id, target: target, options: options)
    }

    public func uploadPart(_ number: Int, of upload: MultipartUpload, body: PartBody) async throws -> CompletedPart {
        try await service.uploadPart(
            number,
            try .uploadPart(number, of: upload, body: HTTPBody(body), trafficLimit: trafficLimit),
            context(.uploadPart, upload, part: number)
        ).value
    }

    public func listParts(of upload: MultipartUpload) async throws -> [CompletedPart] {
        try await service.listAllParts(of: upload, context(.listParts, upload))
    }

    public func completeMultipartUpload(
        _ upload: MultipartUpload, parts: [CompletedPart]
    ) async throws -> TransferReceipt {
        try await service.completeMultipartUpload(
            try .completeMultipartUpload(upload, parts: parts), context(.completeMultipartUpload, upload))
    }

    public func abortMultipartUpload(_ upload: MultipartUpload) async throws {
        _ = try await service.abortMultipartUpload(
            try .abortMultipartUpload(upload), context(.abortMultipartUpload, upload))
    }

    private func context(_ operation: TOSOperation, _ upload: MultipartUpload, part: Int? = nil) -> FailureContext {
        FailureContext(operation: operation, object: upload.target, part: part, uploadID: upload.id)
    }
}

extension TOSBackend: CopyBackend {
    public func headCopySource(_ source: ObjectLocation) async throws -> ObjectInfo {
        try await service.headObject(
            try .headObject(source, conditions: TOSObjectConditions(conditions), ssecKey: copySourceSSECKey),
            FailureContext(operation: .headObject, object: source)
        ).value
    }

    public func copyObject(
        _ source: ObjectLocation, to target: ObjectLocation, ifMatch: ETag?, options: ObjectOptions
    ) async throws -> TransferReceipt {
        let keeps = carriesMetadata && !options.attributes.describesContent
        let request = try TOSRequest.copyObject(
            source, to: target, conditions: conditions(matching: ifMatch), sourceKey: copySourceSSECKey,
            directive: keeps ? .copy : .replace, options: options, trafficLimit: trafficLimit)
        return try await service.copyObject(
            request,
            FailureContext(
                operation: .copyObject, object: target, guardsSource: ifMatch != nil && !options.forbidsOverwrite)
        ).receipt
    }

    public func uploadPartCopy(
        _ number: Int, of upload: MultipartUpload, from source: ObjectLocation, range: ByteRange, ifMatch: ETag?
    ) async throws -> CompletedPart {
        let request = try TOSRequest.uploadPartCopy(
            number, of: upload, from: source, range: range, conditions: conditions(matching: ifMatch),
            sourceKey: copySourceSSECKey, trafficLimit: trafficLimit)
        var context = context(.uploadPartCopy, upload, part: number)
        context.guardsSource = true
        let receipt = try await service.uploadPartCopy(request, context).receipt
        return CompletedPart(number: number, etag: receipt.etag, size: range.length)
    }

    /// Nil where the credentials may not read tags.
    public func copySourceTags(_ source: ObjectLocation) async throws -> [String: String]? {
        do {
            return try await service.objectTags(source)
        } catch let error as TransferError where [.accessDenied, .methodNotAllowed, .refused].contains(error.code) {
            return nil
        }
    }

    /// The tag seen when the copy was planned takes the place of the caller's own, which has been met by it.
    private func conditions(matching etag: ETag?) -> TOSCopySourceConditions {
        var conditions = conditions
        if let etag { conditions.copySourceIfMatch = etag.quoted }
        return conditions
    }
}

extension TOSBackend: ReadableBackend {
    public func getObject(
        _ object: ObjectLocation, range: ByteRange?, ifMatch: ETag?, into sink: some PartSink
    ) async throws -> ObjectInfo {
        var conditions = TOSObjectConditions()
        conditions.ifMatch = ifMatch?.quoted
        var context = FailureContext(operation: .getObject, object: object)
        context.guardsSource = ifMatch != nil
        return try await service.getObject(
            try .getObject(object, range: range, conditions: conditions, ssecKey: ssecKey), range: range, context,
            into: sink
        ).value
    }
}
