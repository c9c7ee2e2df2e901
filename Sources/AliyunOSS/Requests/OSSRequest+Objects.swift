internal import TransferCore
internal import TransferHTTP
internal import TransferPrimitives
internal import TransferService

// Requests about whole objects (spec sections 2.3 and 2.10 to 2.12).

extension OSSRequest {
    static func headObject(
        _ object: ObjectLocation, conditions: OSSObjectConditions = .init()
    ) throws(TransferError) -> OSSRequest {
        var request = OSSRequest(.headObject, .head, object)
        request.query = versionQuery(object)
        var fields = HeaderFields()
        try fields.addConditions(conditions)
        request.headers = fields.headers
        return request
    }

    /// `range` nil for the whole object. An empty range is refused: no header can say it.
    static func getObject(
        _ object: ObjectLocation, range: ByteRange?, conditions: OSSObjectConditions = .init(),
        overrides: OSSResponseOverrides = .init(), trafficLimit: Int? = nil
    ) throws(TransferError) -> OSSRequest {
        var request = OSSRequest(.getObject, .get, object)
        request.query = versionQuery(object) + overrides.query
        var fields = HeaderFields()
        if let range {
            guard let value = range.httpValue else { throw .invalidArgument("range", "an empty range cannot be read") }
            try fields.add("range", "Range", value)
            // Without it, a range that the object does not have brings the whole object.
            try fields.add("range", OSSHeader.rangeBehavior, "standard")
        }
        try fields.addConditions(conditions)
        try fields.addTrafficLimit(trafficLimit)
        request.headers = fields.headers
        return request
    }

    static func putObject(
        _ body: HTTPBody, at target: ObjectLocation, options: ObjectOptions, trafficLimit: Int? = nil
    ) throws(TransferError) -> OSSRequest {
        var request = OSSRequest(.putObject, .put, target)
        var fields = HeaderFields()
        try fields.addDescription(of: options.attributes, key: target.key)
        try fields.addStorage(of: options)
        try fields.addCallback(of: options)
        try fields.addTrafficLimit(trafficLimit)
        request.headers = fields.headers
        request.body = body
        return request
    }

    /// Deleting again, or what is not there, succeeds alike.
    static func deleteObject(_ object: ObjectLocation) -> OSSRequest {
        var request = OSSRequest(.deleteObject, .delete, object)
        request.query = versionQuery(object)
        return request
    }

    static func copyObject(
        _ source: ObjectLocation, to target: ObjectLocation, conditions: OSSCopySourceConditions = .init(),
        directive: OSSMetadataDirective = .copy, options: ObjectOptions, trafficLimit: Int? = nil
    ) throws(TransferError) -> OSSRequest {
        var request = OSSRequest(.copyObject, .put, target)
        var fields = HeaderFields()
        try fields.addCopySource(source, conditions: conditions)
        if directive == .replace {
            try fields.add("metadataDirective", OSSHeader.metadataDirective, directive.rawValue)
            try fields.addDescription(of: options.attributes, key: target.key)
        }
        if !options.attributes.tags.isEmpty { try fields.add("tagging", OSSHeader.taggingDirective, "Replace") }
        try fields.addStorage(of: options)
        try fields.addTrafficLimit(trafficLimit)
        request.headers = fields.headers
        return request
    }

    private static func versionQuery(_ object: ObjectLocation) -> [HTTPRequest.QueryItem] {
        object.versionID.map { [HTTPRequest.QueryItem("versionId", $0)] } ?? []
    }
}
