/// What a service answered when the object stood, and how far it was verified.
public struct TransferReceipt: Sendable, Hashable {
    /// How far the stored object is known to equal its source.
    public enum Verification: Sendable, Hashable {
        /// Not compared.
        case none
        /// The size alone agrees.
        case sizeOnly
        /// The object's ETag is the one that the ETags of exactly these parts give.
        case partETags
        /// The CRC-64 of the whole object equals the source's.
        case crc64
    }

    /// The object's ETag.
    public var etag: ETag
    /// Bytes; nil until known.
    public var size: UInt64?
    /// The version that was made; nil in a bucket without versions.
    public var versionID: String?
    /// The version of the source that was copied.
    public var sourceVersionID: String?
    /// Where the service says the object is.
    public var location: String?
    /// Those of the whole object that the service told.
    public var checksums: Checksums
    /// The multipart upload that made the object; nil for a single request.
    public var uploadID: String?
    /// The id of the request that made the object, for the service's support.
    public var requestID: String?
    /// The service's second id of that request.
    public var hostID: String?
    /// The HTTP status of that answer; 0 where the backend is not HTTP.
    public var status: Int
    /// Further answer fields by the provider's own lower-case names.
    public var extras: [String: String]
    /// How far the object is known to equal its source.
    public var verification: Verification

    /// What is left out is not known.
    public init(
        etag: ETag, size: UInt64? = nil, versionID: String? = nil, sourceVersionID: String? = nil,
        location: String? = nil, checksums: Checksums = [:], uploadID: String? = nil, requestID: String? = nil,
        hostID: String? = nil, status: Int = 0, extras: [String: String] = [:], verification: Verification = .none
    ) {
        self.etag = etag
        self.size = size
        self.versionID = versionID
        self.sourceVersionID = sourceVersionID
        self.location = location
        self.checksums = checksums
        self.uploadID = uploadID
        self.requestID = requestID
        self.hostID = hostID
        self.status = status
        self.extras = extras
        self.verification = verification
    }
}
