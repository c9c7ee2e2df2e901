package import TransferCore
package import TransferHTTP
internal import TransferPrimitives
internal import TransferService
internal import TransferXML

// Requests about whole objects (TOS: spec sections 4.1, 4.9 to 4.11, 4.14; S3: PutObject, HeadObject and so on).

extension S3Dialect {
    package func headObject(
        _ object: ObjectLocation, conditions: ObjectConditions = .init(), ssecKey: EncryptionKey? = nil
    ) throws(TransferError) -> S3Request {
        try reading(.headObject, .head, object, conditions, ssecKey)
    }

    /// `range` nil for the whole object. An empty range is refused: no header can say it.
    package func getObject(
        _ object: ObjectLocation, range: ByteRange?, conditions: ObjectConditions = .init(),
        ssecKey: EncryptionKey? = nil, trafficLimit: Int? = nil
    ) throws(TransferError) -> S3Request {
        var request = try reading(.getObject, .get, object, conditions, ssecKey)
        var fields = HeaderFields(request.headers)
        if let range {
            guard let value = range.httpValue else { throw .invalidArgument("range", "an empty range cannot be read") }
            try fields.add("range", "Range", value)
        }
        try fields.addTrafficLimit(trafficLimit, self)
        request.headers = fields.headers
        return request
    }

    private func reading(
        _ operation: S3Operation, _ method: HTTPMethod, _ object: ObjectLocation, _ conditions: ObjectConditions,
        _ ssecKey: EncryptionKey?
    ) throws(TransferError) -> S3Request {
        var request = S3Request(operation, method, object)
        request.query = Self.versionQuery(object)
        var fields = HeaderFields()
        try fields.add("ifMatch", "If-Match", conditions.ifMatch)
        try fields.add("ifNoneMatch", "If-None-Match", conditions.ifNoneMatch)
        try fields.add("ifModifiedSince", "If-Modified-Since", conditions.ifModifiedSince)
        try fields.add("ifUnmodifiedSince", "If-Unmodified-Since", conditions.ifUnmodifiedSince)
        try fields.addCustomerKey(ssecKey, field: "ssecKey", prefix: headers.customerPrefix)
        request.headers = fields.headers
        return request
    }

    package func putObject(
        _ body: HTTPBody, at target: ObjectLocation, options: ObjectOptions, trafficLimit: Int? = nil
    ) throws(TransferError) -> S3Request {
        var request = S3Request(.putObject, .put, target)
        var fields = HeaderFields()
        try fields.addDescription(of: options.attributes, key: target.key, self)
        try fields.addStorage(of: options, self)
        try fields.addCallback(of: options, self)
        try fields.addTrafficLimit(trafficLimit, self)
        request.headers = fields.headers
        request.body = body
        request.isIdempotent = !forbidsOverwrite(options)
        return request
    }

    /// Deleting again, or what is not there, succeeds alike.
    package func deleteObject(_ object: ObjectLocation) -> S3Request {
        var request = S3Request(.deleteObject, .delete, object)
        request.query = Self.versionQuery(object)
        return request
    }

    package func copyObject(
        _ source: ObjectLocation, to target: ObjectLocation, conditions: ObjectConditions = .init(),
        sourceKey: EncryptionKey? = nil, replacesMetadata: Bool = false, options: ObjectOptions,
        trafficLimit: Int? = nil
    ) throws(TransferError) -> S3Request {
        var request = S3Request(.copyObject, .put, target)
        var fields = HeaderFields()
        try fields.addCopySource(source, conditions: conditions, key: sourceKey, self)
        if replacesMetadata {
            try fields.add("metadataDirective", headers.metadataDirective, "REPLACE")
            try fields.addDescription(of: options.attributes, key: target.key, self)
        }
        if !options.attributes.tags.isEmpty { try fields.add("tagging", headers.taggingDirective, taggingReplace) }
        try fields.addStorage(of: options, self)
        try fields.addTrafficLimit(trafficLimit, self)
        request.headers = fields.headers
        request.isIdempotent = !forbidsOverwrite(options)
        return request
    }

    package func getObjectTagging(_ object: ObjectLocation) -> S3Request {
        var request = S3Request(.getObjectTagging, .get, object)
        request.query = [.init("tagging", "")] + Self.versionQuery(object)
        return request
    }

    /// - Parameter location: The region that the document names; nil for no document.
    package func createBucket(_ bucket: String, location: String?) throws(TransferError) -> S3Request {
        var request = S3Request(.createBucket, .put, ObjectLocation(bucket: bucket, key: ""))
        guard let location else { return request }
        var document = XMLWriter(declaration: false)
        do {
            try document.element("CreateBucketConfiguration") { document in
                try document.element("LocationConstraint", text: location)
            }
        } catch {
            throw .invalidArgument("location", "it cannot be sent: \(error)")
        }
        request.body = .bytes(document.bytes)
        return request
    }

    /// TOS writes the word small (TOS: spec section 3.9), S3 large.
    private var taggingReplace: String { documents == .json ? "Replace" : "REPLACE" }

    private static func versionQuery(_ object: ObjectLocation) -> [HTTPRequest.QueryItem] {
        object.versionID.map { [HTTPRequest.QueryItem("versionId", $0)] } ?? []
    }
}
