/// A canned access-control list, by the service's own name. An open set: any text can be given.
public struct TOSACL: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }

    public static let `private`: TOSACL = "private"
    public static let publicRead: TOSACL = "public-read"
    public static let publicReadWrite: TOSACL = "public-read-write"
    public static let authenticatedRead: TOSACL = "authenticated-read"
    public static let bucketOwnerRead: TOSACL = "bucket-owner-read"
    public static let bucketOwnerFullControl: TOSACL = "bucket-owner-full-control"
    /// What the bucket's own list says. Without any list, TOS makes a copied object private (TOS: "CopyObject").
    public static let `default`: TOSACL = "default"
}

/// A storage class, by the service's own name. An open set: any text can be given.
public struct TOSStorageClass: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }

    public static let standard: TOSStorageClass = "STANDARD"
    public static let ia: TOSStorageClass = "IA"
    public static let archiveFr: TOSStorageClass = "ARCHIVE_FR"
    public static let intelligentTiering: TOSStorageClass = "INTELLIGENT_TIERING"
    public static let coldArchive: TOSStorageClass = "COLD_ARCHIVE"
    public static let archive: TOSStorageClass = "ARCHIVE"
    public static let deepColdArchive: TOSStorageClass = "DEEP_COLD_ARCHIVE"
}

/// Whether a copied object gets the metadata of its source or that of the request.
public enum TOSMetadataDirective: String, Sendable, Hashable, CaseIterable {
    /// Content type, cache headers and user metadata of the source; those of the request are not sent.
    case copy = "COPY"
    /// Those of the request, and nothing of the source.
    case replace = "REPLACE"
}
