public import TransferCore
internal import TransferService

extension OSSBackend: CopyBackend {
    public func headCopySource(_ source: ObjectLocation) async throws -> ObjectInfo {
        try await service.headObject(
            try .headObject(source, conditions: OSSObjectConditions(conditions)), FailureContext(.headObject, source)
        ).value.info
    }

    public func copyObject(
        _ source: ObjectLocation, to target: ObjectLocation, ifMatch: ETag?, options: ObjectOptions
    ) async throws -> TransferReceipt {
        let keeps = carriesMetadata && !options.attributes.describesContent
        let request = try OSSRequest.copyObject(
            source, to: target, conditions: conditions(matching: ifMatch), directive: keeps ? .copy : .replace,
            options: options, trafficLimit: trafficLimit)
        return try await service.copyObject(
            request, FailureContext(.copyObject, target, guardsSource: ifMatch != nil)
        ).receipt
    }

    public func uploadPartCopy(
        _ number: Int, of upload: MultipartUpload, from source: ObjectLocation, range: ByteRange, ifMatch: ETag?
    ) async throws -> CompletedPart {
        try await service.uploadPartCopy(
            try partCopy(number, of: upload, from: source, range, ifMatch),
            FailureContext(.uploadPartCopy, of: upload, part: number, guardsSource: true)
        ).part(number, range)
    }

    /// Apart, as all that does not wait, so that a task keeps no room for it while its request runs.
    @inline(never)
    private func partCopy(
        _ number: Int, of upload: MultipartUpload, from source: ObjectLocation, _ range: ByteRange, _ ifMatch: ETag?
    ) throws -> OSSRequest {
        try .uploadPartCopy(
            number, of: upload, from: source, range: range, conditions: conditions(matching: ifMatch),
            trafficLimit: trafficLimit)
    }

    /// The tag seen when the copy was planned takes the place of the caller's own, which has been met by it.
    private func conditions(matching etag: ETag?) -> OSSCopySourceConditions {
        var conditions = conditions
        if let etag { conditions.copySourceIfMatch = etag.quoted }
        return conditions
    }
}

extension CopyAnswer {
    @inline(never)
    fileprivate func part(_ number: Int, _ range: ByteRange) -> CompletedPart {
        CompletedPart(
            number: number, etag: receipt.etag, size: range.length, checksums: receipt.checksums,
            isConfirmed: !receipt.checksums.isEmpty)
    }
}
