internal import TransferCore
internal import TransferService

extension TOSObjectAttributes {
    /// The same in the words of the engine; what only TOS knows goes into the extras under its header name.
    ///
    /// Throws `.invalidArgument` naming the field.
    func options() throws(TransferError) -> ObjectOptions {
        var options = ObjectOptions(
            attributes: ObjectAttributes(
                contentType: contentType, cacheControl: cacheControl, contentDisposition: contentDisposition,
                contentEncoding: contentEncoding, contentLanguage: contentLanguage, expires: expires, metadata: meta,
                storageClass: storageClass?.rawValue, acl: acl?.rawValue, tags: tagging, encryption: try encryption()))
        options.extras[TOSHeader.grantFullControl] = grantFullControl
        options.extras[TOSHeader.grantRead] = grantRead
        options.extras[TOSHeader.grantReadAcp] = grantReadAcp
        options.extras[TOSHeader.grantWriteAcp] = grantWriteAcp
        options.extras[TOSHeader.websiteRedirectLocation] = websiteRedirectLocation
        if forbidOverwrite { options.extras[TOSHeader.forbidOverwrite] = "true" }
        if let objectExpires {
            guard objectExpires >= 1 else {
                throw .invalidArgument("objectExpires", "an object lives for at least 1 day, not \(objectExpires)")
            }
            options.extras[TOSHeader.objectExpires] = String(objectExpires)
        }
        // Writes the headers once, so that a field that cannot be sent is refused before the first request.
        var headers = HeaderFields()
        try headers.addDescription(of: options.attributes)
        try headers.addStorage(of: options)
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
