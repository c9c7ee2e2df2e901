/// The names of TOS headers, lower case (spec sections 3 and 4).
enum TOSHeader {
    static let requestID = "x-tos-request-id"
    static let id2 = "x-tos-id-2"
    static let ec = "x-tos-ec"

    static let metaPrefix = "x-tos-meta-"
    static let acl = "x-tos-acl"
    static let grantFullControl = "x-tos-grant-full-control"
    static let grantRead = "x-tos-grant-read"
    static let grantReadAcp = "x-tos-grant-read-acp"
    static let grantWriteAcp = "x-tos-grant-write-acp"
    static let storageClass = "x-tos-storage-class"
    static let tagging = "x-tos-tagging"
    static let taggingDirective = "x-tos-tagging-directive"
    static let metadataDirective = "x-tos-metadata-directive"
    static let websiteRedirectLocation = "x-tos-website-redirect-location"
    static let forbidOverwrite = "x-tos-forbid-overwrite"
    static let objectExpires = "x-tos-object-expires"
    static let trafficLimit = "x-tos-traffic-limit"

    static let encryption = "x-tos-server-side-encryption"
    static let encryptionKeyID = "x-tos-server-side-encryption-kms-key-id"
    static let customerPrefix = "x-tos-server-side-encryption-customer-"
    static let copySourceCustomerPrefix = "x-tos-copy-source-server-side-encryption-customer-"

    static let copySource = "x-tos-copy-source"
    static let copySourceRange = "x-tos-copy-source-range"
    static let copySourceIfMatch = "x-tos-copy-source-if-match"
    static let copySourceIfNoneMatch = "x-tos-copy-source-if-none-match"
    static let copySourceIfModifiedSince = "x-tos-copy-source-if-modified-since"
    static let copySourceIfUnmodifiedSince = "x-tos-copy-source-if-unmodified-since"
    static let copySourceVersionID = "x-tos-copy-source-version-id"

    static let crc64 = "x-tos-hash-crc64ecma"
    static let versionID = "x-tos-version-id"
    static let deleteMarker = "x-tos-delete-marker"
    static let objectType = "x-tos-object-type"
    static let tagCount = "x-tos-tagging-count"

    static let callbacks = ["x-tos-callback", "x-tos-callback-var"]

    /// Headers that a request gets from its operation or from the signer, never from an object's extras.
    static let reserved: Set<String> = [
        "x-tos-date", "x-tos-security-token", "x-tos-content-sha256", "x-tos-complete-all", acl, storageClass, tagging,
        taggingDirective, metadataDirective, encryption, encryptionKeyID,
    ]
}
