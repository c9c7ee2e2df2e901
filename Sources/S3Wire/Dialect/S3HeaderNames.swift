/// The names of the headers that a service has beside the standard ones: one list for all, each name behind the service's
/// own prefix.
package final class S3HeaderNames: Sendable {
    /// In lower case, up to and including the last hyphen, such as `x-amz-`.
    package let prefix: String

    package let requestID: String
    package let id2: String
    package let ec: String

    package let metaPrefix: String
    package let acl: String
    package let storageClass: String
    package let tagging: String
    package let taggingDirective: String
    package let metadataDirective: String
    package let trafficLimit: String
    package let completeAll: String
    package let contentSHA256: String

    package let encryption: String
    package let encryptionKeyID: String
    package let customerPrefix: String
    package let copySourceCustomerPrefix: String

    package let copySource: String
    package let copySourceRange: String
    package let copySourceIfMatch: String
    package let copySourceIfNoneMatch: String
    package let copySourceIfModifiedSince: String
    package let copySourceIfUnmodifiedSince: String
    package let copySourceVersionID: String

    package let crc64: String
    package let versionID: String
    package let deleteMarker: String
    package let objectType: String
    package let tagCount: String
    package let websiteRedirectLocation: String

    /// - Parameters:
    ///   - prefix: What the service's names begin with.
    ///   - keyID: Behind the prefix, how the key of the key-management service is called.
    package init(prefix: String, keyID: String) {
        self.prefix = prefix
        requestID = prefix + "request-id"
        id2 = prefix + "id-2"
        ec = prefix + "ec"
        metaPrefix = prefix + "meta-"
        acl = prefix + "acl"
        storageClass = prefix + "storage-class"
        tagging = prefix + "tagging"
        taggingDirective = prefix + "tagging-directive"
        metadataDirective = prefix + "metadata-directive"
        trafficLimit = prefix + "traffic-limit"
        completeAll = prefix + "complete-all"
        contentSHA256 = prefix + "content-sha256"
        encryption = prefix + "server-side-encryption"
        encryptionKeyID = prefix + keyID
        customerPrefix = prefix + "server-side-encryption-customer-"
        copySourceCustomerPrefix = prefix + "copy-source-server-side-encryption-customer-"
        copySource = prefix + "copy-source"
        copySourceRange = prefix + "copy-source-range"
        copySourceIfMatch = prefix + "copy-source-if-match"
        copySourceIfNoneMatch = prefix + "copy-source-if-none-match"
        copySourceIfModifiedSince = prefix + "copy-source-if-modified-since"
        copySourceIfUnmodifiedSince = prefix + "copy-source-if-unmodified-since"
        copySourceVersionID = prefix + "copy-source-version-id"
        crc64 = prefix + "hash-crc64ecma"
        versionID = prefix + "version-id"
        deleteMarker = prefix + "delete-marker"
        objectType = prefix + "object-type"
        tagCount = prefix + "tagging-count"
        websiteRedirectLocation = prefix + "website-redirect-location"
    }
}
