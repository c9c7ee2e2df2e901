package import TransferCore
internal import TransferHTTP
internal import TransferService

/// An S3-speaking service as a place that the transfer engine copies in, uploads to and reads from. Providers wrap it in a
/// backend of their own name.
package struct WireBackend: Sendable {
    let service: S3Service
    private var dialect: S3Dialect { service.dialect }

    /// What must be true of a copy's source, checked when it is looked at and again with every part.
    package var conditions = ObjectConditions()
    /// What a copy's source was encrypted with, if the caller provided the key (SSE-C).
    package var copySourceSSECKey: EncryptionKey?
    /// What an object this backend looks at or reads was encrypted with (SSE-C).
    package var ssecKey: EncryptionKey?
    /// Bits per second of every request that moves bytes; nil for no limit.
    package var trafficLimit: Int?
    /// Whether a copy by one request keeps the source's metadata where the options give none.
    package var carriesMetadata = true

    package init(_ service: S3Service) { self.service = service }
}

extension WireBackend: TransferBackend {
    package var provider: String { dialect.provider }

    package var capabilities: BackendCapabilities { dialect.capabilities }

    package func headObject(_ object: ObjectLocation) async throws -> ObjectInfo {
        try await service.headObject(
            try dialect.headObject(object, ssecKey: ssecKey), FailureContext(operation: .headObject, object: object)
        ).value
    }

    package func putObject(
        _ body: PartBody, at target: ObjectLocation, options: ObjectOptions
    ) async throws -> TransferReceipt {
        try await service.putObject(
            try dialect.putObject(HTTPBody(body), at: target, options: options, trafficLimit: trafficLimit),
            FailureContext(operation: .putObject, object: target), hasCallback: dialect.hasCallback(options)
        ).value
    }

    package func createMultipartUpload(
        at target: ObjectLocation, options: ObjectOptions
    ) async throws -> MultipartUpload {
        let id = try await service.createMultipartUpload(
            try dialect.createMultipartUpload(at: target, options: options),
            FailureContext(operation: .createMultipartUpload, object: target)
        ).value
        return MultipartUpload(id: id, target: target, options: options)
    }

    package func uploadPart(
        _ number: Int, of upload: MultipartUpload, body: PartBody
    ) async throws -> CompletedPart {
        try await service.uploadPart(
            number,
            try dialect.uploadPart(number, of: upload, body: HTTPBody(body), trafficLimit: trafficLimit),
            context(.uploadPart, upload, part: number)
        ).value
    }

    package func listParts(of upload: MultipartUpload) async throws -> [CompletedPart] {
        try await service.listAllParts(of: upload, context(.listParts, upload))
    }

    /// An answer that names no tag, as all of Ceph RGW do, is settled by a look at the object: it stands when it has the tag
    /// that exactly these parts give.
    package func completeMultipartUpload(
        _ upload: MultipartUpload, parts: [CompletedPart]
    ) async throws -> TransferReceipt {
        do {
            return try await service.completeMultipartUpload(
                try dialect.completeMultipartUpload(upload, parts: parts), context(.completeMultipartUpload, upload),
                hasCallback: dialect.hasCallback(upload.options)
            ).receipt
        } catch let error as TransferError where error.code == .outcomeUnknown {
            guard let expected = ETag.multipart(parts), let info = try? await headObject(upload.target),
                info.etag == expected
            else {
                try Task.checkCancellation()
                throw error
            }
            return TransferReceipt(
                etag: expected, size: info.size, versionID: info.versionID, checksums: info.checksums,
                uploadID: upload.id,
                requestID: error.service?.requestID, hostID: error.service?.hostID, status: error.service?.status ?? 0)
        }
    }

    package func abortMultipartUpload(_ upload: MultipartUpload) async throws {
        _ = try await service.abortMultipartUpload(
            try dialect.abortMultipartUpload(upload), context(.abortMultipartUpload, upload))
    }

    private func context(_ operation: S3Operation, _ upload: MultipartUpload, part: Int? = nil) -> FailureContext {
        FailureContext(operation: operation, object: upload.target, part: part, uploadID: upload.id)
    }
}

extension WireBackend: CopyBackend {
    package func headCopySource(_ source: ObjectLocation) async throws -> ObjectInfo {
        let info = try await service.headObject(
            try dialect.headObject(source, conditions: conditions, ssecKey: copySourceSSECKey),
            FailureContext(operation: .headObject, object: source)
        ).value
        try await refuseLookAlike(of: source)
        return info
    }

    /// A service that decodes the source of a part copy twice would copy another object, and nothing in its answer would tell.
    /// Where it is not known whether it does, there must be no such object.
    private func refuseLookAlike(of source: ObjectLocation) async throws {
        guard dialect.decodesPartCopySourceTwice == nil, let other = CopySource.decodedTwice(source) else { return }
        do {
            _ = try await headObject(other)
        } catch let error as TransferError where [.notFound, .accessDenied].contains(error.code) {
            return
        }
        throw TransferError(
            .unsupported,
            "\(dialect.title) may take it for \(other), which is there as well; say in decodesPartCopySourceTwice whether it does",
            field: "srcKey", provider: dialect.provider)
    }

    package func copyObject(
        _ source: ObjectLocation, to target: ObjectLocation, ifMatch: ETag?, options: ObjectOptions
    ) async throws -> TransferReceipt {
        let keeps = carriesMetadata && !options.attributes.describesContent
        let request = try dialect.copyObject(
            source, to: target, conditions: conditions(matching: ifMatch), sourceKey: copySourceSSECKey,
            replacesMetadata: !keeps, options: options, trafficLimit: trafficLimit)
        return try await service.copyObject(
            request,
            FailureContext(
                operation: .copyObject, object: target,
                guardsSource: ifMatch != nil && !dialect.forbidsOverwrite(options))
        ).receipt
    }

    package func uploadPartCopy(
        _ number: Int, of upload: MultipartUpload, from source: ObjectLocation, range: ByteRange, ifMatch: ETag?
    ) async throws -> CompletedPart {
        try await service.uploadPartCopy(
            try partCopy(number, of: upload, from: source, range, ifMatch), partCopyContext(upload, number)
        ).part(number, range)
    }

    /// Apart, as all that does not wait, so that a task keeps no room for it while its request runs.
    @inline(never)
    private func partCopy(
        _ number: Int, of upload: MultipartUpload, from source: ObjectLocation, _ range: ByteRange, _ ifMatch: ETag?
    ) throws -> S3Request {
        try dialect.uploadPartCopy(
            number, of: upload, from: source, range: range, conditions: conditions(matching: ifMatch),
            sourceKey: copySourceSSECKey, trafficLimit: trafficLimit)
    }

    @inline(never)
    private func partCopyContext(_ upload: MultipartUpload, _ number: Int) -> FailureContext {
        var context = context(.uploadPartCopy, upload, part: number)
        context.guardsSource = true
        return context
    }

    /// Nil where the credentials may not read tags, or the service has none.
    package func copySourceTags(_ source: ObjectLocation) async throws -> [String: String]? {
        do {
            return try await service.objectTags(source)
        } catch let error as TransferError
            where [.accessDenied, .methodNotAllowed, .refused, .unsupported].contains(error.code)
        {
            return nil
        }
    }

    /// The tag seen when the copy was planned takes the place of the caller's own, which has been met by it.
    private func conditions(matching etag: ETag?) -> ObjectConditions {
        var conditions = conditions
        if let etag { conditions.ifMatch = etag.quoted }
        return conditions
    }
}

extension WireBackend: ReadableBackend {
    package func getObject(
        _ object: ObjectLocation, range: ByteRange?, ifMatch: ETag?, into sink: some PartSink
    ) async throws -> ObjectInfo {
        var context = FailureContext(operation: .getObject, object: object)
        context.guardsSource = ifMatch != nil
        return try await service.getObject(
            try dialect.getObject(
                object, range: range, conditions: ObjectConditions(ifMatch: ifMatch?.quoted), ssecKey: ssecKey,
                trafficLimit: trafficLimit), range: range, context,
            into: sink
        ).value
    }
}

extension CopyAnswer {
    @inline(never)
    fileprivate func part(_ number: Int, _ range: ByteRange) -> CompletedPart {
        CompletedPart(number: number, etag: receipt.etag, size: range.length)
    }
}
