/// A canned access-control list, by the service's own name. An open set: any text can be given.
public struct TOSACL: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral {
    /// As the service writes it.
    public let rawValue: String
    /// Takes any text; whether it is known is for the service to say.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Takes any text; whether it is known is for the service to say.
    public init(stringLiteral value: String) { rawValue = value }

    /// Only the owner reads and writes.
    public static let `private`: TOSACL = "private"
    /// Everybody reads; the owner writes.
    public static let publicRead: TOSACL = "public-read"
    /// Everybody reads and writes.
    public static let publicReadWrite: TOSACL = "public-read-write"
    /// Every account of the service reads; the owner writes.
    public static let authenticatedRead: TOSACL = "authenticated-read"
    /// The bucket's owner reads; the object's owner reads and writes.
    public static let bucketOwnerRead: TOSACL = "bucket-owner-read"
    /// The owners of the bucket and of the object both have full control.
    public static let bucketOwnerFullControl: TOSACL = "bucket-owner-full-control"
    /// What the bucket's own list says. Without any list, TOS makes a copied object private (TOS: "CopyObject").
    public static let `default`: TOSACL = "default"
}

/// A storage class, by the service's own name. An open set: any text can be given.
public struct TOSStorageClass: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral {
    /// As the service writes it.
    public let rawValue: String
    /// Takes any text; whether it is known is for the service to say.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Takes any text; whether it is known is for the service to say.
    public init(stringLiteral value: String) { rawValue = value }

    /// For what is read often; the service's default.
    public static let standard: TOSStorageClass = "STANDARD"
    /// Infrequent access: cheaper to keep, charged for reading.
    public static let ia: TOSStorageClass = "IA"
    /// Archive that is readable at once ("archive flash retrieval").
    public static let archiveFr: TOSStorageClass = "ARCHIVE_FR"
    /// Moved between classes by the service, by how often it is read.
    public static let intelligentTiering: TOSStorageClass = "INTELLIGENT_TIERING"
    /// Must be restored before it can be read, which takes hours.
    public static let coldArchive: TOSStorageClass = "COLD_ARCHIVE"
    /// Must be restored before it can be read.
    public static let archive: TOSStorageClass = "ARCHIVE"
    /// Must be restored before it can be read, which takes longest.
    public static let deepColdArchive: TOSStorageClass = "DEEP_COLD_ARCHIVE"
}

/// Whether a copied object gets the metadata of its source or that of the request.
public enum TOSMetadataDirective: String, Sendable, Hashable, CaseIterable {
    /// Content type, cache headers and user metadata of the source; those of the request are not sent.
    case copy = "COPY"
    /// Those of the request, and nothing of the source.
    case replace = "REPLACE"
}
