/// A checksum that a service computes over an object or a part. More may be added.
public struct ChecksumAlgorithm: RawRepresentable, Sendable, Hashable, Codable, CodingKeyRepresentable {
    /// The name in checkpoints.
    public let rawValue: String
    /// An algorithm of your own, for a backend of your own.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// CRC-64/XZ as unsigned decimal text: `x-oss-hash-crc64ecma`, `x-tos-hash-crc64ecma`.
    public static let crc64 = ChecksumAlgorithm(rawValue: "crc64")
    /// The CRC-64 of AWS, another polynomial than `crc64`, as base64 text.
    public static let crc64NVME = ChecksumAlgorithm(rawValue: "crc64nvme")
}

/// Checksums by algorithm, each in the text form that its service uses.
public struct Checksums: Sendable, Hashable, Codable, ExpressibleByDictionaryLiteral {
    private var values: [String: String]

    /// `[.crc64: "…"]`; of an algorithm that stands twice, the last value counts.
    public init(dictionaryLiteral elements: (ChecksumAlgorithm, String)...) {
        values = [:]
        for (algorithm, value) in elements { values[algorithm.rawValue] = value }
    }

    /// The one checksum `crc64`, when there is a value.
    public init(crc64: UInt64?) {
        values = [:]
        self.crc64 = crc64
    }

    public init(from decoder: any Decoder) throws {
        values = try decoder.singleValueContainer().decode([String: String].self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(values)
    }

    /// The value of one algorithm, as text; nil when it is not known.
    public subscript(algorithm: ChecksumAlgorithm) -> String? {
        get { values[algorithm.rawValue] }
        set { values[algorithm.rawValue] = newValue }
    }

    /// The CRC-64/XZ; nil when absent or not an unsigned decimal number of 64 bits, which means "not verified".
    public var crc64: UInt64? {
        get { values[ChecksumAlgorithm.crc64.rawValue].flatMap { UInt64($0) } }
        set { values[ChecksumAlgorithm.crc64.rawValue] = newValue.map(String.init) }
    }

    /// By name.
    var sorted: [(algorithm: String, value: String)] {
        values.sorted { $0.key < $1.key }.map { (algorithm: $0.key, value: $0.value) }
    }

    /// Whether none differs of those that both sides know.
    func agrees(with other: Checksums) -> Bool {
        values.allSatisfy { algorithm, value in other.values[algorithm].map { $0 == value } ?? true }
    }

    /// Whether none is known.
    public var isEmpty: Bool { values.isEmpty }
}
