/// A part that a service has stored.
public struct CompletedPart: Sendable, Hashable, Codable {
    /// The part number, from 1.
    public var number: Int
    /// As the service gave it.
    public var etag: ETag
    /// Bytes; nil where the service did not tell.
    public var size: UInt64?
    /// Checksums of the part's bytes.
    public var checksums: Checksums
    /// Whether the service itself answered `checksums`, so that both sides are known to agree.
    public var isConfirmed: Bool

    /// A part as the service confirmed it, or as a checkpoint recorded it.
    public init(
        number: Int, etag: ETag, size: UInt64? = nil, checksums: Checksums = [:], isConfirmed: Bool = false
    ) {
        self.number = number
        self.etag = etag
        self.size = size
        self.checksums = checksums
        self.isConfirmed = isConfirmed
    }

    enum CodingKeys: String, CodingKey {
        case number = "part"
        case etag, size, checksums
        case isConfirmed = "confirmed"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        number = try container.decode(Int.self, forKey: .number)
        etag = try container.decode(ETag.self, forKey: .etag)
        size = try container.decodeIfPresent(UInt64.self, forKey: .size)
        checksums = try container.decodeIfPresent(Checksums.self, forKey: .checksums) ?? [:]
        isConfirmed = try container.decodeIfPresent(Bool.self, forKey: .isConfirmed) ?? false
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(number, forKey: .number)
        try container.encode(etag, forKey: .etag)
        try container.encodeIfPresent(size, forKey: .size)
        if !checksums.isEmpty { try container.encode(checksums, forKey: .checksums) }
        if isConfirmed { try container.encode(true, forKey: .isConfirmed) }
    }
}
