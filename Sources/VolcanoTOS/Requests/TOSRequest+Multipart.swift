internal import TransferCore
internal import TransferHTTP
internal import TransferPrimitives
internal import TransferService

// Requests of a multipart upload (spec sections 4.2 to 4.7).

extension TOSRequest {
    /// Everything that the object is to carry must be said here: part copies bring nothing but bytes.
    static func createMultipartUpload(
        at target: ObjectLocation, options: ObjectOptions
    ) throws(TransferError) -> TOSRequest {
        var request = TOSRequest(.createMultipartUpload, .post, target)
        // Written with its `=`, the form that is signed.
        request.query = [.init("uploads", "")]
        var fields = HeaderFields()
        try fields.addDescription(of: options.attributes)
        try fields.addStorage(of: options)
        request.headers = fields.headers
        return request
    }

    static func uploadPart(
        _ number: Int, of upload: MultipartUpload, body: HTTPBody, trafficLimit: Int? = nil
    ) throws(TransferError) -> TOSRequest {
        var request = try part(.uploadPart, number, of: upload)
        var fields = HeaderFields()
        try fields.addCustomerKey(of: upload.options)
        try fields.addTrafficLimit(trafficLimit)
        request.headers = fields.headers
        request.body = body
        return request
    }

    /// `range` nil for the whole source. An empty range is refused: no header can say it.
    static func uploadPartCopy(
        _ number: Int, of upload: MultipartUpload, from source: ObjectLocation, range: ByteRange?,
        conditions: TOSCopySourceConditions = .init(), sourceKey: EncryptionKey? = nil, trafficLimit: Int? = nil
    ) throws(TransferError) -> TOSRequest {
        var request = try part(.uploadPartCopy, number, of: upload)
        var fields = HeaderFields()
        try fields.addCopySource(source, conditions: conditions, key: sourceKey)
        if let range {
            guard let value = range.httpValue else {
                throw .invalidArgument("range", "an empty range cannot be copied")
            }
            try fields.add("range", TOSHeader.copySourceRange, value)
        }
        try fields.addCustomerKey(of: upload.options)
        try fields.addTrafficLimit(trafficLimit)
        request.headers = fields.headers
        return request
    }

    /// The page behind part `marker`.
    static func listParts(
        of upload: MultipartUpload, marker: Int = 0, maxParts: Int = 1000
    ) throws(TransferError) -> TOSRequest {
        var request = try about(.listParts, .get, upload)
        request.query += [.init("max-parts", String(maxParts))]
        if marker > 0 { request.query.append(.init("part-number-marker", String(marker))) }
        return request
    }

    /// Throws `.invalidArgument` for no parts, a number out of range or one that stands twice.
    static func completeMultipartUpload(
        _ upload: MultipartUpload, parts: [CompletedPart]
    ) throws(TransferError) -> TOSRequest {
        let parts = try parts.checkedForComplete(TOSProvider.partLimits)
        var request = try about(.completeMultipartUpload, .post, upload)
        request.body = .bytes(CompleteRequestDocument.bytes(parts))
        var fields = HeaderFields()
        if upload.options.forbidsOverwrite { try fields.add("forbidOverwrite", TOSHeader.forbidOverwrite, "true") }
        try fields.addCallback(of: upload.options)
        request.headers = fields.headers
        return request
    }

    static func abortMultipartUpload(_ upload: MultipartUpload) throws(TransferError) -> TOSRequest {
        try about(.abortMultipartUpload, .delete, upload)
    }

    private static func part(
        _ operation: TOSOperation, _ number: Int, of upload: MultipartUpload
    ) throws(TransferError) -> TOSRequest {
        try NameRules.checkPartNumber(number)
        var request = try about(operation, .put, upload)
        request.query.insert(.init("partNumber", String(number)), at: 0)
        return request
    }

    private static func about(
        _ operation: TOSOperation, _ method: HTTPMethod, _ upload: MultipartUpload
    ) throws(TransferError) -> TOSRequest {
        try NameRules.checkUploadID(upload.id)
        var request = TOSRequest(operation, method, upload.target)
        request.query = [.init("uploadId", upload.id)]
        return request
    }
}
