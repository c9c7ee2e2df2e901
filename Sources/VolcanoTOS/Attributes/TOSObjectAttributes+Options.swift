internal import S3Wire
internal import TransferCore

extension TOSObjectAttributes {
    /// The same in the words of the engine; what only TOS knows goes into the extras under its header name.
    ///
    /// Throws `.invalidArgument` naming the field, `.unsupported` for one that `dialect` does not know.
    func options(_ dialect: S3Dialect) throws(TransferError) -> ObjectOptions {
        var options = ObjectOptions(
            attributes: ObjectAttributes(
                contentType: contentType, cacheControl: cacheControl, contentDisposition: contentDisposition,
                contentEncoding: contentEncoding, contentLanguage: contentLanguage, expires: expires, metadata: meta,
                storageClass: storageClass?.rawValue, acl: acl?.rawValue, tags: tagging, encryption: try encryption()))
        options.extras[dialect.extra("grant-full-control")] = grantFullControl
        options.extras[dialect.extra("grant-read")] = grantRead
        options.extras[dialect.extra("grant-read-acp")] = grantReadAcp
        options.extras[dialect.extra("grant-write-acp")] = grantWriteAcp
        options.extras[dialect.extra("website-redirect-location")] = websiteRedirectLocation
        if forbidOverwrite { options.extras[dialect.extra(S3Dialect.forbidOverwrite)] = "true" }
        if let objectExpires {
            guard objectExpires >= 1 else {
                throw .invalidArgument("objectExpires", "an object lives for at least 1 day, not \(objectExpires)")
            }
            options.extras[dialect.extra("object-expires")] = String(objectExpires)
        }
        try dialect.check(options)
        return options
    }

    private func encryption() throws(TransferError) -> ServerSideEncryption? {
        if serverSideEncryptionKeyID != nil, serverSideEncryption != "kms" {
            throw .invalidArgument("serverSideEncryptionKeyID", "a key id needs serverSideEncryption kms")
        }
        switch (serverSideEncryption, ssecKey) {
        case (nil, nil): return nil
        case (nil, let key?): return .customerKey(key)
        case ("kms"?, nil): return .keyManagement(keyID: serverSideEncryptionKeyID)
        case (let algorithm?, nil): return .managed(algorithm: algorithm)
        case (_?, _?):
            throw .invalidArgument("ssecKey", "an object is encrypted either with ssecKey or by serverSideEncryption")
        }
    }
}
