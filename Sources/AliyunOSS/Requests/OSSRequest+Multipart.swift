internal import TransferCore
internal import TransferHTTP
internal import TransferPrimitives
internal import TransferService
internal import TransferXML

// Requests of a multipart upload (spec sections 2.4 to 2.9).

extension OSSRequest {
    /// Everything that the object is to carry must be said here: parts bring nothing but bytes.
    static func initiateMultipartUpload(
        at target: ObjectLocation, options: ObjectOptions
    ) throws(TransferError) -> OSSRequest {
        var request = OSSRequest(.initiateMultipartUpload, .post, target)
        request.query = [.init("uploads"), encodedKeys]
        var fields = HeaderFields()
        try fields.addDescription(of: options.attributes, key: target.key)
        try fields.addStorage(of: options)
        request.headers = fields.headers
        return request
    }

    static func uploadPart(
        _ number: Int, of upload: MultipartUpload, body: HTTPBody, trafficLimit: Int? = nil
    ) throws(TransferError) -> OSSRequest {
        var request = try part(.uploadPart, number, of: upload)
        var fields = HeaderFields()
        try fields.addTrafficLimit(trafficLimit)
        request.headers = fields.headers
        request.body = body
        return request
    }

    /// `range` nil for the whole source. An empty range is refused: no header can say it.
    static func uploadPartCopy(
        _ number: Int, of upload: MultipartUpload, from source: ObjectLocation, range: ByteRange?,
        conditions: OSSCopySourceConditions = .init(), trafficLimit: Int? = nil
    ) throws(TransferError) -> OSSRequest {
        var request = try part(.uploadPartCopy, number, of: upload)
        var fields = HeaderFields()
        try fields.addCopySource(source, conditions: conditions)
        if let range {
            guard let value = range.httpValue else {
                throw .invalidArgument("range", "an empty range cannot be copied")
            }
            try fields.add("range", OSSHeader.copySourceRange, value)
        }
        try fields.addTrafficLimit(trafficLimit)
        request.headers = fields.headers
        return request
    }

    /// The page behind part `marker`.
    static func listParts(
        of upload: MultipartUpload, marker: Int = 0, maxParts: Int = 1000
    ) throws(TransferError) -> OSSRequest {
        var request = try about(.listParts, .get, upload)
        request.query.append(.init("max-parts", String(maxParts)))
        if marker > 0 { request.query.append(.init("part-number-marker", String(marker))) }
        request.query.append(encodedKeys)
        return request
    }

    static func listMultipartUploads(
        in bucket: String, prefix: String, delimiter: String, marker: OSSUploadsMarker?, maxUploads: Int
    ) -> OSSRequest {
        var request = OSSRequest(.listMultipartUploads, .get, bucket: bucket)
        request.query = [.init("uploads"), encodedKeys]
        if !prefix.isEmpty { request.query.append(.init("prefix", prefix)) }
        if !delimiter.isEmpty { request.query.append(.init("delimiter", delimiter)) }
        if let marker {
            request.query.append(.init("key-marker", marker.key))
            request.query.append(.init("upload-id-marker", marker.uploadID))
        }
        request.query.append(.init("max-uploads", String(maxUploads)))
        return request
    }

    /// Throws `.invalidArgument` for no parts, a number out of range or one that stands twice.
    static func completeMultipartUpload(
        _ upload: MultipartUpload, parts: [CompletedPart]
    ) throws(TransferError) -> OSSRequest {
        let parts = try parts.checkedForComplete(OSSProvider.partLimits)
        var request = try about(.completeMultipartUpload, .post, upload)
        request.query.append(encodedKeys)
        let document = try completeDocument(parts)
        request.body = .bytes(document)
        var fields = HeaderFields()
        let digest = Digest.md5(document)
        // A build of OpenSSL without MD5 gives none; the header is not required.
        if !digest.isEmpty { try fields.add("parts", "Content-MD5", Base64.encode(digest)) }
        if upload.options.forbidsOverwrite { try fields.add("forbidOverwrite", OSSHeader.forbidOverwrite, "true") }
        try fields.addCallback(of: upload.options)
        request.headers = fields.headers
        return request
    }

    static func abortMultipartUpload(_ upload: MultipartUpload) throws(TransferError) -> OSSRequest {
        try about(.abortMultipartUpload, .delete, upload)
    }

    /// Keys in the answer come percent-encoded: not every character of a key can stand in XML.
    private static let encodedKeys = HTTPRequest.QueryItem("encoding-type", "url")

    private static func completeDocument(_ parts: [CompletedPart]) throws(TransferError) -> [UInt8] {
        var document = XMLWriter(declaration: false)
        do {
            try document.element("CompleteMultipartUpload") { document in
                for part in parts {
                    try document.element("Part") { document in
                        try document.element("PartNumber", text: String(part.number))
                        try document.element("ETag", text: part.etag.quoted)
                    }
                }
            }
        } catch {
            throw .invalidArgument("parts", "an ETag cannot be sent: \(error)")
        }
        return document.bytes
    }

    private static func part(
        _ operation: OSSOperation, _ number: Int, of upload: MultipartUpload
    ) throws(TransferError) -> OSSRequest {
        try NameRules.checkPartNumber(number)
        var request = try about(operation, .put, upload)
        request.query.insert(.init("partNumber", String(number)), at: 0)
        return request
    }

    private static func about(
        _ operation: OSSOperation, _ method: HTTPMethod, _ upload: MultipartUpload
    ) throws(TransferError) -> OSSRequest {
        try NameRules.checkUploadID(upload.id)
        var request = OSSRequest(operation, method, upload.target)
        request.query = [.init("uploadId", upload.id)]
        return request
    }
}

extension ObjectOptions {
    /// Whether an object that exists must stay.
    var forbidsOverwrite: Bool { extras[OSSHeader.forbidOverwrite] == "true" }

    /// Whether another server answers in place of OSS once the object stands.
    var hasCallback: Bool { extras[OSSHeader.callback] != nil }
}
