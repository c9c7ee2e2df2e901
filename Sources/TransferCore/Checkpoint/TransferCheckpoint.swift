/// All that is needed to resume a transfer. Plain data: no credentials, no keys, no open source.
public struct TransferCheckpoint: Sendable, Hashable, Codable {
    /// What the transfer does.
    public struct Kind: RawRepresentable, Sendable, Hashable, Codable {
        /// The name in the checkpoint.
        public let rawValue: String
        /// A kind by its name in a checkpoint.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// A copy inside the service.
        public static let copy = Kind(rawValue: "copy")
        /// From local bytes to the service.
        public static let upload = Kind(rawValue: "upload")
        /// From the service to local bytes.
        public static let download = Kind(rawValue: "download")
    }

    /// What the transfer does.
    public var kind: Kind
    /// The backend's `provider`.
    public var provider: String
    /// The object that is being made.
    public var target: ObjectLocation
    /// What is transferred; a resume compares it.
    public var source: SourceIdentity
    /// Bytes of every part but the last.
    public var partSize: UInt64
    /// The number of parts; nil while unknown.
    public var partCount: Int?
    /// The service's id of the multipart upload.
    public var uploadID: String
    /// SHA-256, in hex, over the options that change the object.
    public var optionsDigest: String
    /// Further facts of the provider or application, such as a media id. Not for secrets.
    public var extras: [String: String]
    /// The parts that are stored, by number, each once.
    public var parts: [CompletedPart]
    /// Whether Complete may have been sent.
    public var isCompleting: Bool

    /// A checkpoint of an upload that was just opened, unless parts are given.
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
