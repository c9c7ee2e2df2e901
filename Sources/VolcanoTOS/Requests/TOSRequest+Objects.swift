internal import TransferCore
internal import TransferHTTP
internal import TransferPrimitives
internal import TransferService

// Requests about whole objects (spec sections 4.1, 4.9 to 4.11, 4.14).

extension TOSRequest {
    static func headObject(
        _ object: ObjectLocation, conditions: TOSObjectConditions = .init(), ssecKey: EncryptionKey? = nil
    ) throws(TransferError) -> TOSRequest {
        try reading(.headObject, .head, object, conditions, ssecKey)
    }

    /// `range` nil for the whole object. An empty range is refused: no header can say it.
    static func getObject(
        _ object: ObjectLocation, range: ByteRange?, conditions: TOSObjectConditions = .init(),
        ssecKey: EncryptionKey? = nil
    ) throws(TransferError) -> TOSRequest {
        var request = try reading(.getObject, .get, object, conditions, ssecKey)
        if let range {
            guard let value = range.httpValue else { throw .invalidArgument("range", "an empty range cannot be read") }
            var fields = HeaderFields(request.headers)
            try fields.add("range", "Range", value)
            request.headers = fields.headers
        }
        return request
    }

    private static func reading(
        _ operation: TOSOperation, _ method: HTTPMethod, _ object: ObjectLocation, _ conditions: TOSObjectConditions,
        _ ssecKey: EncryptionKey?
    ) throws(TransferError) -> TOSRequest {
        var request = TOSRequest(operation, method, object)
        request.query = versionQuery(object)
        var fields = HeaderFields()
        try fields.add("ifMatch", "If-Match", conditions.ifMatch)
        try fields.add("ifNoneMatch", "If-None-Match", conditions.ifNoneMatch)
        try fields.add("ifModifiedSince", "If-Modified-Since", conditions.ifModifiedSince)
        try fields.add("ifUnmodifiedSince", "If-Unmodified-Since", conditions.ifUnmodifiedSince)
        try fields.addCustomerKey(ssecKey, field: "ssecKey", prefix: TOSHeader.customerPrefix)
        request.headers = fields.headers
        return request
    }

    static func putObject(
        _ body: HTTPBody, at target: ObjectLocation, options: ObjectOptions, trafficLimit: Int? = nil
    ) throws(TransferError) -> TOSRequest {
        var request = TOSRequest(.putObject, .put, target)
        var fields = HeaderFields()
        try fields.addDescription(of: options.attributes)
        try fields.addStorage(of: options)
        try fields.addCallback(of: options)
        try fields.addTrafficLimit(trafficLimit)
        request.headers = fields.headers
        request.body = body
        request.isIdempotent = !options.forbidsOverwrite
        return request
    }

    /// Deleting again, or what is not there, succeeds alike.
    static func deleteObject(_ object: ObjectLocation) -> TOSRequest {
        var request = TOSRequest(.deleteObject, .delete, object)
        request.query = versionQuery(object)
        return request
    }

    static func copyObject(
        _ source: ObjectLocation, to target: ObjectLocation, conditions: TOSCopySourceConditions = .init(),
        sourceKey: EncryptionKey? = nil, directive: TOSMetadataDirective = .copy, options: ObjectOptions,
        trafficLimit: Int? = nil
    ) throws(TransferError) -> TOSRequest {
        var request = TOSRequest(.copyObject, .put, target)
        var fields = HeaderFields()
        try fields.addCopySource(source, conditions: conditions, key: sourceKey)
        if directive == .replace {
            try fields.add("metadataDirective", TOSHeader.metadataDirective, directive.rawValue)
            try fields.addDescription(of: options.attributes)
        }
        if !options.attributes.tags.isEmpty { try fields.add("tagging", TOSHeader.taggingDirective, "Replace") }
        try fields.addStorage(of: options)
        try fields.addTrafficLimit(trafficLimit)
        request.headers = fields.headers
        request.isIdempotent = !options.forbidsOverwrite
        return request
    }

    static func getObjectTagging(_ object: ObjectLocation) -> TOSRequest {
        var request = TOSRequest(.getObjectTagging, .get, object)
        request.query = [.init("tagging", "")] + versionQuery(object)
        return request
    }

    private static func versionQuery(_ object: ObjectLocation) -> [HTTPRequest.QueryItem] {
        object.versionID.map { [HTTPRequest.QueryItem("versionId", $0)] } ?? []
    }
}

extension ObjectOptions {
    /// A request that refuses to overwrite is not repeated blindly: the repeat would meet what the first one stored.
    var forbidsOverwrite: Bool { extras[TOSHeader.forbidOverwrite] == "true" }
}
