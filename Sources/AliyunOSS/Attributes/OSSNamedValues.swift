/// A canned access-control list, by the service's own name. An open set: any text can be given.
public struct OSSACL: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral {
    /// As the service writes it.
    public let rawValue: String
    /// Takes any text; whether it is known is for the service to say.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Takes any text; whether it is known is for the service to say.
    public init(stringLiteral value: String) { rawValue = value }

    /// What the bucket's own list says.
    public static let `default`: OSSACL = "default"
    /// Only the owner reads and writes.
    public static let `private`: OSSACL = "private"
    /// Everybody reads; the owner writes.
    public static let publicRead: OSSACL = "public-read"
    /// Everybody reads and writes.
    public static let publicReadWrite: OSSACL = "public-read-write"
}

/// A storage class, by the service's own name. An open set: any text can be given.
public struct OSSStorageClass: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral {
    /// As the service writes it.
    public let rawValue: String
    /// Takes any text; whether it is known is for the service to say.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Takes any text; whether it is known is for the service to say.
    public init(stringLiteral value: String) { rawValue = value }

    /// For what is read often; the service's default.
    public static let standard: OSSStorageClass = "Standard"
    /// Infrequent access: cheaper to keep, charged for reading.
    public static let ia: OSSStorageClass = "IA"
    /// Must be restored before it can be read.
    public static let archive: OSSStorageClass = "Archive"
    /// Must be restored before it can be read, which takes hours.
    public static let coldArchive: OSSStorageClass = "ColdArchive"
    /// Must be restored before it can be read, which takes longest.
    public static let deepColdArchive: OSSStorageClass = "DeepColdArchive"
}

/// Whether a copied object gets the metadata of its source or that of the request.
public enum OSSMetadataDirective: String, Sendable, Hashable, CaseIterable {
    /// Content type, cache headers and user metadata of the source; those of the request are not sent.
    case copy = "COPY"
    /// Those of the request, and nothing of the source.
    case replace = "REPLACE"
}
