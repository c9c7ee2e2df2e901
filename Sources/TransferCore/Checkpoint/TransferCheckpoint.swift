/// All that is needed to resume a transfer. Plain data: no credentials, no keys, no open source.
public struct TransferCheckpoint: Sendable, Hashable, Codable {
    /// What the transfer does.
    public struct Kind: RawRepresentable, Sendable, Hashable, Codable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let copy = Kind(rawValue: "copy")
        public static let upload = Kind(rawValue: "upload")
        public static let download = Kind(rawValue: "download")
    }

    public var kind: Kind
    /// The backend's `provider`.
    public var provider: String
    public var target: ObjectLocation
    public var source: SourceIdentity
    /// Bytes of every part but the last.
    public var partSize: UInt64
    /// The number of parts; nil while unknown.
    public var partCount: Int?
    public var uploadID: String
    /// SHA-256, in hex, over the options that change the object.
    public var optionsDigest: String
    /// Further facts of the provider or application, such as a media id. Not for secrets.
    public var extras: [String: String]
    /// The parts that are stored, by number, each once.
    public var parts: [CompletedPart]
    /// Whether Complete may have been sent.
    public var isCompleting: Bool

    public init(
        kind: Kind, provider: String, target: ObjectLocation, source: SourceIdentity, partSize: UInt64, partCount: Int?,
        uploadID: String, optionsDigest: String, extras: [String: String] = [:], parts: [CompletedPart] = [],
        isCompleting: Bool = false
    ) {
        self.kind = kind
        self.provider = provider
        self.target = target
        self.source = source
        self.partSize = partSize
        self.partCount = partCount
        self.uploadID = uploadID
        self.optionsDigest = optionsDigest
        self.extras = extras
        self.parts = parts
        self.isCompleting = isCompleting
    }
}
