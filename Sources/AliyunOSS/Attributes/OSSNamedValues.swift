/// A canned access-control list, by the service's own name. An open set: any text can be given.
public struct OSSACL: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }

    /// What the bucket's own list says.
    public static let `default`: OSSACL = "default"
    public static let `private`: OSSACL = "private"
    public static let publicRead: OSSACL = "public-read"
    public static let publicReadWrite: OSSACL = "public-read-write"
}

/// A storage class, by the service's own name. An open set: any text can be given.
public struct OSSStorageClass: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }

    public static let standard: OSSStorageClass = "Standard"
    public static let ia: OSSStorageClass = "IA"
    public static let archive: OSSStorageClass = "Archive"
    public static let coldArchive: OSSStorageClass = "ColdArchive"
    public static let deepColdArchive: OSSStorageClass = "DeepColdArchive"
}

/// Whether a copied object gets the metadata of its source or that of the request.
public enum OSSMetadataDirective: String, Sendable, Hashable, CaseIterable {
    /// Content type, cache headers and user metadata of the source; those of the request are not sent.
    case copy = "COPY"
    /// Those of the request, and nothing of the source.
    case replace = "REPLACE"
}
