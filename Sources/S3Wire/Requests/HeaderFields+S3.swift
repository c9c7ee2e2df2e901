internal import TransferCore
internal import TransferHTTP
internal import TransferPrimitives
internal import TransferService

extension HeaderFields {
    /// What describes the content: content headers and user metadata.
    mutating func addDescription(
        of attributes: ObjectAttributes, key: String, _ dialect: S3Dialect
    ) throws(TransferError) {
        let known = dialect.namesTypeOfExtension ? ContentTypes.type(ofKey: key) : nil
        try addContent(of: attributes, type: attributes.contentType ?? known)
        if attributes.metadata[""] != nil { throw .invalidArgument("meta", "a metadata name is empty") }
        try addMetadata("meta", attributes.metadata) { name, value in
            (dialect.headers.metaPrefix + dialect.metadata.headerName(name), dialect.metadata.headerValue(value))
        }
    }

    /// How the object is kept: access, class, encryption, tags, and what only this service knows.
    mutating func addStorage(of options: ObjectOptions, _ dialect: S3Dialect) throws(TransferError) {
        let attributes = options.attributes
        let names = dialect.headers
        try add("acl", names.acl, attributes.acl)
        try add("storageClass", names.storageClass, attributes.storageClass)
        try addTags(names.tagging, attributes.tags)
        switch attributes.encryption {
        case nil: break
        case .managed(let algorithm)?: try add("serverSideEncryption", names.encryption, algorithm)
        case .keyManagement(let keyID)?:
            try add("serverSideEncryption", names.encryption, dialect.keyManagementAlgorithm)
            try add("serverSideEncryptionKeyID", names.encryptionKeyID, keyID)
        case .customerKey(let key)?: try addCustomerKey(key, field: "ssecKey", prefix: names.customerPrefix)
        }
        for (name, value) in options.extras.sorted(by: { $0.key < $1.key }) {
            let suffix = try Self.extra(name, dialect)
            if S3Dialect.callbacks.contains(suffix) { continue }
            try add(name, names.prefix + suffix, value)
        }
    }

    /// What stands behind the prefix of an extra field, if extras may set it and the service knows it.
    private static func extra(_ name: String, _ dialect: S3Dialect) throws(TransferError) -> String {
        let lowercased = name.lowercased()
        let suffix = String(lowercased.dropFirst(dialect.extrasPrefix.count))
        guard lowercased.hasPrefix(dialect.extrasPrefix), !S3Dialect.reserved.contains(suffix),
            !S3Dialect.reservedPrefixes.contains(where: suffix.hasPrefix)
        else { throw .invalidArgument("extras", "\(name.debugDescription) is no header that an extra may set") }
        if let field = dialect.unknownExtras[suffix] { throw dialect.unknown(field) }
        return suffix
    }

    /// What the service is to tell another server once the object stands; goes with the request that makes it.
    mutating func addCallback(of options: ObjectOptions, _ dialect: S3Dialect) throws(TransferError) {
        for suffix in S3Dialect.callbacks {
            guard let value = dialect.value(ofExtra: suffix, in: options) else { continue }
            if let field = dialect.unknownExtras[suffix] { throw dialect.unknown(field) }
            try add(dialect.extra(suffix), dialect.headers.prefix + suffix, value)
        }
    }

    /// Which object is copied, under which conditions, decrypted with which key.
    mutating func addCopySource(
        _ source: ObjectLocation, conditions: ObjectConditions, key: EncryptionKey?, _ dialect: S3Dialect,
        encodesTwice: Bool = false
    ) throws(TransferError) {
        let names = dialect.headers
        try NameRules.checkBucket(source.bucket, field: "srcBucket", dialect.buckets)
        try NameRules.checkKey(source.key, field: "srcKey")
        try NameRules.checkVersion(source.versionID, field: "srcVersionID")
        try add("srcKey", names.copySource, CopySource.header(source, encodesTwice: encodesTwice))
        try add("copySourceIfMatch", names.copySourceIfMatch, conditions.ifMatch)
        try add("copySourceIfNoneMatch", names.copySourceIfNoneMatch, conditions.ifNoneMatch)
        try add("copySourceIfModifiedSince", names.copySourceIfModifiedSince, conditions.ifModifiedSince)
        try add("copySourceIfUnmodifiedSince", names.copySourceIfUnmodifiedSince, conditions.ifUnmodifiedSince)
        try addCustomerKey(key, field: "copySourceSSECKey", prefix: names.copySourceCustomerPrefix)
    }

    /// The three headers of a customer-provided key, for the object that is written or read (TOS: spec section 3.8).
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
    mutating func addCustomerKey(of options: ObjectOptions, _ dialect: S3Dialect) throws(TransferError) {
        guard case .customerKey(let key)? = options.attributes.encryption else { return }
        try addCustomerKey(key, field: "ssecKey", prefix: dialect.headers.customerPrefix)
    }

    /// Bits per second, within what the service allows.
    mutating func addTrafficLimit(_ limit: Int?, _ dialect: S3Dialect) throws(TransferError) {
        guard limit != nil else { return }
        guard let limits = dialect.trafficLimits else { throw dialect.unknown("trafficLimit") }
        try addTrafficLimit(dialect.headers.trafficLimit, limit, within: limits)
    }
}
