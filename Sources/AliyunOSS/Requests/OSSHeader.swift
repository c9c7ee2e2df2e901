/// The names of OSS headers, lower case (spec sections 2 and 4).
enum OSSHeader {
    static let prefix = "x-oss-"
    static let requestID = "x-oss-request-id"
    static let securityToken = "x-oss-security-token"
    /// The error document of an answer that can have no body, in base64. The second name is one that clients expect and no
    /// server is known to send.
    static let errorDocuments = ["x-oss-err", "x-oss-error"]
    static let ec = "x-oss-ec"

    static let metaPrefix = "x-oss-meta-"
    static let acl = "x-oss-object-acl"
    static let storageClass = "x-oss-storage-class"
    static let tagging = "x-oss-tagging"
    static let taggingDirective = "x-oss-tagging-directive"
    static let metadataDirective = "x-oss-metadata-directive"
    static let forbidOverwrite = "x-oss-forbid-overwrite"
    static let trafficLimit = "x-oss-traffic-limit"
    static let requestPayer = "x-oss-request-payer"

    static let encryption = "x-oss-server-side-encryption"
    static let dataEncryption = "x-oss-server-side-data-encryption"
    static let encryptionKeyID = "x-oss-server-side-encryption-key-id"

    static let copySource = "x-oss-copy-source"
    static let copySourceRange = "x-oss-copy-source-range"
    static let copySourceIfMatch = "x-oss-copy-source-if-match"
    static let copySourceIfNoneMatch = "x-oss-copy-source-if-none-match"
    static let copySourceIfModifiedSince = "x-oss-copy-source-if-modified-since"
    static let copySourceIfUnmodifiedSince = "x-oss-copy-source-if-unmodified-since"
    static let copySourceVersionID = "x-oss-copy-source-version-id"
    static let rangeBehavior = "x-oss-range-behavior"

    static let crc64 = "x-oss-hash-crc64ecma"
    static let versionID = "x-oss-version-id"
    static let deleteMarker = "x-oss-delete-marker"
    static let objectType = "x-oss-object-type"
    static let tagCount = "x-oss-tagging-count"

    static let callback = "x-oss-callback"
    static let callbackVariables = "x-oss-callback-var"

    /// Headers that a request gets from its operation, its client or the signer, never from an object's extras.
    static let reserved: Set<String> = [
        "x-oss-date", securityToken, "x-oss-content-sha256", "x-oss-complete-all", acl, storageClass, tagging,
        taggingDirective, metadataDirective, encryption, encryptionKeyID, requestPayer, trafficLimit, rangeBehavior,
    ]
}
