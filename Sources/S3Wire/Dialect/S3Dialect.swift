package import TransferCore
package import TransferHTTP
package import TransferService

/// What distinguishes one service that speaks like S3 from the others: names, limits, the signature, the language of its
/// documents. The operations are the same for all.
package struct S3Dialect: Sendable {
    /// In which language request bodies are written. Answers are read in either.
    package enum Documents: Sendable { case json, xml }

    /// The service in errors and checkpoints.
    package var provider: String
    /// The service in sentences, such as "the S3-compatible endpoint of TOS".
    package var title: String
    package var headers: S3HeaderNames
    /// What the names of extra fields begin with, in lower case. The header has `headers.prefix` in its place.
    package var extrasPrefix: String
    package var signature: V4Dialect
    package var documents: Documents
    package var metadata: MetadataCoding
    /// How encryption by the key-management service is called.
    package var keyManagementAlgorithm: String
    package var capabilities: BackendCapabilities
    /// Bits per second; nil where no request can be limited.
    package var trafficLimits: ClosedRange<Int>?
    /// Whether an upload can be completed without a list of its parts.
    package var completesAll: Bool
    /// Extra fields that the service does not know, named without prefix, each with its name in inputs.
    package var unknownExtras: [String: String]
    /// Whether a request names the SHA-256 of its document, or of nothing. Bytes of objects are never hashed for that.
    package var signsDocuments: Bool
    /// Whether an object that is given no content type gets that of its key's extension.
    package var namesTypeOfExtension: Bool
    package var buckets: NameRules.BucketNames
    /// Whether the service percent-decodes the source of a part copy twice; nil where it is not known.
    package var decodesPartCopySourceTwice: Bool?

    package init(
        provider: String, title: String, headers: S3HeaderNames, extrasPrefix: String, signature: V4Dialect,
        documents: Documents, metadata: MetadataCoding, keyManagementAlgorithm: String,
        capabilities: BackendCapabilities, trafficLimits: ClosedRange<Int>? = nil, completesAll: Bool = false,
        unknownExtras: [String: String] = [:], signsDocuments: Bool = true,
        namesTypeOfExtension: Bool = false, buckets: NameRules.BucketNames = .label,
        decodesPartCopySourceTwice: Bool? = false
    ) {
        self.provider = provider
        self.title = title
        self.headers = headers
        self.extrasPrefix = extrasPrefix
        self.signature = signature
        self.documents = documents
        self.metadata = metadata
        self.keyManagementAlgorithm = keyManagementAlgorithm
        self.capabilities = capabilities
        self.trafficLimits = trafficLimits
        self.completesAll = completesAll
        self.unknownExtras = unknownExtras
        self.signsDocuments = signsDocuments
        self.namesTypeOfExtension = namesTypeOfExtension
        self.buckets = buckets
        self.decodesPartCopySourceTwice = decodesPartCopySourceTwice
    }

    /// What an input asks for in vain. Dropping it silently would be worse than any error.
    package func unknown(_ field: String) -> TransferError {
        TransferError(.unsupported, "\(title) does not know it", field: field, provider: provider)
    }

    /// The extra field that is called `name` behind the prefix.
    package func extra(_ name: String) -> String { extrasPrefix + name }
}

extension S3Dialect {
    /// Fields that tell the service what to report to another server once the object stands.
    package static let callbacks = ["callback", "callback-var"]
    package static let forbidOverwrite = "forbid-overwrite"

    /// Names behind the prefix that a request gets from its operation, its attributes or the signer, never from extras.
    static let reserved: Set<String> = [
        "date", "security-token", "content-sha256", "complete-all", "acl", "storage-class", "tagging",
        "tagging-directive", "metadata-directive", "traffic-limit", "server-side-encryption",
    ]

    /// Beginnings of such names.
    static let reservedPrefixes = ["copy-source", "meta-", "server-side-encryption-"]

    /// A request that refuses to overwrite is not repeated blindly: the repeat would meet what the first one stored.
    package func forbidsOverwrite(_ options: ObjectOptions) -> Bool {
        value(ofExtra: Self.forbidOverwrite, in: options) == "true"
    }

    package func hasCallback(_ options: ObjectOptions) -> Bool {
        Self.callbacks.contains { value(ofExtra: $0, in: options) != nil }
    }

    /// What an extra field says, in whatever case its name is written, as headers are.
    func value(ofExtra suffix: String, in options: ObjectOptions) -> String? {
        let name = extra(suffix)
        return options.extras[name] ?? options.extras.first { $0.key.lowercased() == name }?.value
    }
}
