internal import TransferCore
internal import TransferHTTP
internal import TransferService

extension HeaderFields {
    /// What describes the content: content headers and user metadata. Without a type, the key's extension gives one.
    mutating func addDescription(of attributes: ObjectAttributes, key: String) throws(TransferError) {
        let type = attributes.contentType ?? ContentTypes.type(ofKey: key) ?? "application/octet-stream"
        try addContent(of: attributes, type: type)
        if attributes.metadata[""] != nil { throw .invalidArgument("metadata", "a name is empty") }
        try addMetadata("metadata", attributes.metadata) { name, value in
            (OSSHeader.metaPrefix + name, MetadataCoding.headerValue(value))
        }
    }

    /// How the object is kept: access, class, encryption, tags, and what only OSS knows.
    mutating func addStorage(of options: ObjectOptions) throws(TransferError) {
        let attributes = options.attributes
        try add("acl", OSSHeader.acl, attributes.acl)
        try add("storageClass", OSSHeader.storageClass, attributes.storageClass)
        try addTags(OSSHeader.tagging, attributes.tags)
        switch attributes.encryption {
        case nil: break
        case .managed(let algorithm)?: try add("serverSideEncryption", OSSHeader.encryption, algorithm)
        case .keyManagement(let keyID)?:
            try add("serverSideEncryption", OSSHeader.encryption, "KMS")
            try add("serverSideEncryptionKeyID", OSSHeader.encryptionKeyID, keyID)
        case .customerKey?:
            throw TransferError(
                .unsupported, "OSS does not encrypt with keys of the caller's", field: "encryption",
                provider: OSSProvider.name)
        }
        for (name, value) in options.extras.sorted(by: { $0.key < $1.key }) {
            let name = name.lowercased()
            // A callback goes with the request that makes the object; see below.
            if name == OSSHeader.callback || name == OSSHeader.callbackVariables { continue }
            guard name.hasPrefix(OSSHeader.prefix), !name.hasPrefix(OSSHeader.copySource),
                !name.hasPrefix(OSSHeader.metaPrefix), !OSSHeader.reserved.contains(name)
            else { throw .invalidArgument("extras", "\(name.debugDescription) is no header that an extra may set") }
            try add(name, name, value)
        }
    }

    /// What OSS is to tell another server once the object stands.
    mutating func addCallback(of options: ObjectOptions) throws(TransferError) {
        for name in [OSSHeader.callback, OSSHeader.callbackVariables] {
            try add("callback", name, options.extras[name])
        }
    }

    /// Which object is copied, under which conditions.
    mutating func addCopySource(
        _ source: ObjectLocation, conditions: OSSCopySourceConditions
    ) throws(TransferError) {
        try NameRules.checkBucket(source.bucket, field: "srcBucket")
        try NameRules.checkKey(source.key, field: "srcKey")
        try NameRules.checkVersion(source.versionID, field: "srcVersionID")
        try add("srcKey", OSSHeader.copySource, CopySource.header(source))
        try add("copySourceIfMatch", OSSHeader.copySourceIfMatch, conditions.copySourceIfMatch)
        try add("copySourceIfNoneMatch", OSSHeader.copySourceIfNoneMatch, conditions.copySourceIfNoneMatch)
        try add("copySourceIfModifiedSince", OSSHeader.copySourceIfModifiedSince, conditions.copySourceIfModifiedSince)
        try add(
            "copySourceIfUnmodifiedSince", OSSHeader.copySourceIfUnmodifiedSince, conditions.copySourceIfUnmodifiedSince
        )
    }

    mutating func addConditions(_ conditions: OSSObjectConditions) throws(TransferError) {
        try add("ifMatch", "If-Match", conditions.ifMatch)
        try add("ifNoneMatch", "If-None-Match", conditions.ifNoneMatch)
        try add("ifModifiedSince", "If-Modified-Since", conditions.ifModifiedSince)
        try add("ifUnmodifiedSince", "If-Unmodified-Since", conditions.ifUnmodifiedSince)
    }

    /// Bits per second, within what OSS allows.
    mutating func addTrafficLimit(_ limit: Int?) throws(TransferError) {
        try addTrafficLimit(OSSHeader.trafficLimit, limit, within: OSSProvider.trafficLimits)
    }
}
