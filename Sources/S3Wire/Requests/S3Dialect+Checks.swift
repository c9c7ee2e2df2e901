package import TransferCore
internal import TransferService

// Writes headers once for nothing: what cannot be sent later is refused now, before the first request.

extension S3Dialect {
    /// Throws `.invalidArgument` naming the field, `.unsupported` for one that the service does not know.
    package func check(_ options: ObjectOptions) throws(TransferError) {
        var fields = HeaderFields()
        try fields.addDescription(of: options.attributes, key: "", self)
        try fields.addStorage(of: options, self)
        try fields.addCallback(of: options, self)
    }

    package func check(
        copySource source: ObjectLocation, conditions: ObjectConditions, key: EncryptionKey?
    ) throws(TransferError) {
        var fields = HeaderFields()
        try fields.addCopySource(source, conditions: conditions, key: key, self)
    }

    package func check(trafficLimit: Int?) throws(TransferError) {
        var fields = HeaderFields()
        try fields.addTrafficLimit(trafficLimit, self)
    }
}
