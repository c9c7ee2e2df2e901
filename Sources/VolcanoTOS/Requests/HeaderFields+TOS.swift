internal import TransferCore
internal import TransferHTTP
internal import TransferPrimitives
internal import TransferService

extension HeaderFields {
    /// What describes the content: content headers and user metadata.
    mutating func addDescription(of attributes: ObjectAttributes) throws(TransferError) {
        try addContent(of: attributes, type: attributes.contentType)
        if attributes.metadata[""] != nil { throw .invalidArgument("meta", "a metadata name is empty") }
        try addMetadata("meta", attributes.metadata) { name, value in
            (MetadataCoding.headerName(name), MetadataCoding.headerValue(value))
        }
    }

    /// How the object is kept: access, class, encryption, tags, and what only TOS knows.
    mutating func addStorage(of options: ObjectOptions) throws(TransferError) {
        let attributes = options.attributes
        try add("acl", TOSHeader.acl, attributes.acl)
        try add("storageClass", TOSHeader.storageClass, attributes.storageClass)
        try addTags(TOSHeader.tagging, attributes.tags)
        switch attributes.encryption {
        case nil: break
        case .managed(let algorithm)?: try add("serverSideEncryption", TOSHeader.encryption, algorithm)
        case .keyManagement(let keyID)?:
            try add("serverSideEncryption", TOSHeader.encryption, "kms")
            try add("serverSideEncryptionKeyID", TOSHeader.encryptionKeyID, keyID)
        case .customerKey(let key)?: try addCustomerKey(key, field: "ssecKey", prefix: TOSHeader.customerPrefix)
        }
        for (name, value) in options.extras.sorted(by: { $0.key < $1.key }) {
            let name = name.lowercased()
            if TOSHeader.callbacks.contains(name) { continue }
            guard name.hasPrefix("x-tos-"), !name.hasPrefix(TOSHeader.copySource),
                !name.hasPrefix(TOSHeader.metaPrefix),
                !name.hasPrefix(TOSHeader.customerPrefix), !TOSHeader.reserved.contains(name)
            else { throw .invalidArgument("extras", "\(name.debugDescription) is no header that an extra may set") }
            try add(name, name, value)
        }
    }

    /// What TOS is to tell another server once the object stands; goes with the request that makes it.
    mutating func addCallback(of options: ObjectOptions) throws(TransferError) {
        for name in TOSHeader.callbacks { try add(name, name, options.extras[name]) }
    }

    /// Which object is copied, under which conditions, decrypted with which key.
    mutating func addCopySource(
        _ source: ObjectLocation, conditions: TOSCopySourceConditions, key: EncryptionKey?
    ) throws(TransferError) {
        try NameRules.checkBucket(source.bucket, field: "srcBucket")
        try NameRules.checkKey(source.key, field: "srcKey")
        try NameRules.checkVersion(source.versionID, field: "srcVersionID")
        try add("srcKey", TOSHeader.copySource, CopySource.header(source))
        try add("copySourceIfMatch", TOSHeader.copySourceIfMatch, conditions.copySourceIfMatch)
        try add("copySourceIfNoneMatch", TOSHeader.copySourceIfNoneMatch, conditions.copySourceIfNoneMatch)
        try add("copySourceIfModifiedSince", TOSHeader.copySourceIfModifiedSince, conditions.copySourceIfModifiedSince)
        try add(
            "copySourceIfUnmodifiedSince", TOSHeader.copySourceIfUnmodifiedSince, conditions.copySourceIfUnmodifiedSince
        )
        try addCustomerKey(key, field: "copySourceSSECKey", prefix: TOSHeader.copySourceCustomerPrefix)
    }

    /// The three headers of a customer-provided key, for the object that is written or read (spec section 3.8).
    mutating func addCustomerKey(_ key: EncryptionKey?, field: String, prefix: String) throws(TransferError) {
        guard let key else { return }
        guard key.bytes.count == 32 else {
            throw .invalidArgument(field, "a customer-provided key has 32 bytes, and this one has \(key.bytes.count)")
        }
        try add(field, prefix + "algorithm", "AES256")
        try add(field, prefix + "key", Base64.encode(key.bytes))
        try add(field, prefix + "key-MD5", Base64.encode(Digest.md5(key.bytes)))
    }

    /// The key that parts repeat from the upload they belong to.
    mutating func addCustomerKey(of options: ObjectOptions) throws(TransferError) {
        guard case .customerKey(let key)? = options.attributes.encryption else { return }
        try addCustomerKey(key, field: "ssecKey", prefix: TOSHeader.customerPrefix)
    }

    /// Bits per second, within what TOS allows.
    mutating func addTrafficLimit(_ limit: Int?) throws(TransferError) {
        try addTrafficLimit(TOSHeader.trafficLimit, limit, within: TOSProvider.trafficLimits)
    }
}
