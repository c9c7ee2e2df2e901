package import TransferCore
package import TransferHTTP
internal import TransferPrimitives
internal import TransferService

// Requests of a multipart upload (TOS: spec sections 4.2 to 4.8; S3: CreateMultipartUpload and so on).

extension S3Dialect {
    /// Everything that the object is to carry must be said here: part copies bring nothing but bytes.
    package func createMultipartUpload(
        at target: ObjectLocation, options: ObjectOptions
    ) throws(TransferError) -> S3Request {
        var request = S3Request(.createMultipartUpload, .post, target)
        // Written with its `=`, the form that is signed.
        request.query = [.init("uploads", "")]
        var fields = HeaderFields()
        try fields.addDescription(of: options.attributes, key: target.key, self)
        try fields.addStorage(of: options, self)
        request.headers = fields.headers
        return request
    }

    package func uploadPart(
        _ number: Int, of upload: MultipartUpload, body: HTTPBody, trafficLimit: Int? = nil
    ) throws(TransferError) -> S3Request {
        var request = try part(.uploadPart, number, of: upload)
        var fields = HeaderFields()
        try fields.addCustomerKey(of: upload.options, self)
        try fields.addTrafficLimit(trafficLimit, self)
        request.headers = fields.headers
        request.body = body
        return request
    }

    /// `range` nil for the whole source. An empty range is refused: no header can say it.
    package func uploadPartCopy(
        _ number: Int, of upload: MultipartUpload, from source: ObjectLocation, range: ByteRange?,
        conditions: ObjectConditions = .init(), sourceKey: EncryptionKey? = nil, trafficLimit: Int? = nil
    ) throws(TransferError) -> S3Request {
        var request = try part(.uploadPartCopy, number, of: upload)
        var fields = HeaderFields()
        try fields.addCopySource(
            source, conditions: conditions, key: sourceKey, self, encodesTwice: decodesPartCopySourceTwice == true)
        if let range {
            guard let value = range.httpValue else {
                throw .invalidArgument("range", "an empty range cannot be copied")
            }
            try fields.add("range", headers.copySourceRange, value)
        }
        try fields.addCustomerKey(of: upload.options, self)
        try fields.addTrafficLimit(trafficLimit, self)
        request.headers = fields.headers
        return request
    }

    /// The page behind part `marker`.
    package func listParts(
        of upload: MultipartUpload, marker: Int = 0, maxParts: Int = 1000
    ) throws(TransferError) -> S3Request {
        var request = try about(.listParts, .get, upload)
        request.query += [.init("max-parts", String(maxParts))]
        if marker > 0 { request.query.append(.init("part-number-marker", String(marker))) }
        return request
    }

    /// The page behind `marker`. Keys come percent-encoded: not every character of a key can stand in a document.
    package func listMultipartUploads(
        in bucket: String, prefix: String = "", delimiter: String = "", marker: UploadsMarker? = nil,
        maxUploads: Int = 1000
    ) -> S3Request {
        var request = S3Request(.listMultipartUploads, .get, ObjectLocation(bucket: bucket, key: ""))
        request.query = [.init("uploads", ""), .init("encoding-type", "url")]
        if !prefix.isEmpty { request.query.append(.init("prefix", prefix)) }
        if !delimiter.isEmpty { request.query.append(.init("delimiter", delimiter)) }
        if let marker {
            request.query.append(.init("key-marker", marker.key))
            if !marker.uploadID.isEmpty { request.query.append(.init("upload-id-marker", marker.uploadID)) }
        }
        request.query.append(.init("max-uploads", String(maxUploads)))
        return request
    }

    /// Throws `.invalidArgument` for no parts, a number out of range or one that stands twice.
    package func completeMultipartUpload(
        _ upload: MultipartUpload, parts: [CompletedPart]
    ) throws(TransferError) -> S3Request {
        let parts = try parts.checkedForComplete(capabilities.parts)
        var request = try completing(upload)
        switch documents {
        case .json: request.body = .bytes(CompleteRequestDocument.json(parts))
        case .xml:
            request.body = .bytes(try CompleteRequestDocument.xml(parts))
            var fields = HeaderFields(request.headers)
            try fields.add("parts", "Content-Type", "application/xml")
            request.headers = fields.headers
        }
        return request
    }

    /// Makes the object out of whatever parts the service holds (TOS: spec section 4.5).
    package func completeMultipartUploadOfAll(_ upload: MultipartUpload) throws(TransferError) -> S3Request {
        guard completesAll else { throw unknown("completeAll") }
        var request = try completing(upload)
        var fields = HeaderFields(request.headers)
        try fields.add("completeAll", headers.completeAll, "yes")
        request.headers = fields.headers
        return request
    }

    private func completing(_ upload: MultipartUpload) throws(TransferError) -> S3Request {
        var request = try about(.completeMultipartUpload, .post, upload)
        var fields = HeaderFields()
        if forbidsOverwrite(upload.options) {
            if let field = unknownExtras[Self.forbidOverwrite] { throw unknown(field) }
            try fields.add("forbidOverwrite", headers.prefix + Self.forbidOverwrite, "true")
        }
        try fields.addCallback(of: upload.options, self)
        request.headers = fields.headers
        return request
    }

    package func abortMultipartUpload(_ upload: MultipartUpload) throws(TransferError) -> S3Request {
        try about(.abortMultipartUpload, .delete, upload)
    }

    private func part(
        _ operation: S3Operation, _ number: Int, of upload: MultipartUpload
    ) throws(TransferError) -> S3Request {
        try NameRules.checkPartNumber(number, of: capabilities.parts, field: "partNumber")
        var request = try about(operation, .put, upload)
        request.query.insert(.init("partNumber", String(number)), at: 0)
        return request
    }

    private func about(
        _ operation: S3Operation, _ method: HTTPMethod, _ upload: MultipartUpload
    ) throws(TransferError) -> S3Request {
        try NameRules.checkUploadID(upload.id)
        var request = S3Request(operation, method, upload.target)
        request.query = [.init("uploadId", upload.id)]
        return request
    }
}
