internal import TransferCore
internal import TransferService

extension OSSObjectAttributes {
    /// The same in the words of the engine; what only OSS knows goes into the extras under its header name.
    ///
    /// Throws `.invalidArgument` naming the field.
    func options() throws(TransferError) -> ObjectOptions {
        var options = ObjectOptions(
            attributes: ObjectAttributes(
                contentType: contentType, cacheControl: cacheControl, contentDisposition: contentDisposition,
                contentEncoding: contentEncoding, contentLanguage: contentLanguage, expires: expires,
                metadata: metadata, storageClass: storageClass?.rawValue, acl: acl?.rawValue, tags: tagging,
                encryption: try encryption()))
        if forbidOverwrite { options.extras[OSSHeader.forbidOverwrite] = "true" }
        options.extras[OSSHeader.dataEncryption] = serverSideDataEncryption
        if let callback { options.extras.merge(try callback.headers()) { $1 } }
        // Writes the headers once, so that a field that cannot be sent is refused before the first request.
        var headers = HeaderFields()
        try headers.addDescription(of: options.attributes, key: "")
        try headers.addStorage(of: options)
        try headers.addCallback(of: options)
        return options
    }

    /// The same for a copy, which no callback follows.
    func copyOptions() throws(TransferError) -> ObjectOptions {
        guard callback == nil else {
            throw .invalidArgument("callback", "OSS makes no callback after a copy by one request")
        }
        return try options()
    }

    private func encryption() throws(TransferError) -> ServerSideEncryption? {
        let usesKMS = serverSideEncryption == "KMS"
        for (field, value) in [
            ("serverSideEncryptionKeyID", serverSideEncryptionKeyID),
            ("serverSideDataEncryption", serverSideDataEncryption),
        ] where value != nil && !usesKMS {
            throw .invalidArgument(field, "needs serverSideEncryption KMS")
        }
        return usesKMS
            ? .keyManagement(keyID: serverSideEncryptionKeyID) : serverSideEncryption.map { .managed(algorithm: $0) }
    }
}
