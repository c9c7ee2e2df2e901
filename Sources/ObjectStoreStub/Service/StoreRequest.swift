/// What a request asks for and about, as the log keeps it and faults match it.
public struct StoreRequest: Sendable {
    /// What it asks for; `.unknown` when no dialect knows it.
    public var operation: StoreOperation
    /// The dialect that read it: `tos`, `admin` and so on.
    public var dialect: String
    /// The HTTP method.
    public var method: String
    /// The target as it stood in the request line.
    public var target: String
    /// Nil when it is about no bucket.
    public var bucket: String?
    /// Not encoded; empty when it is about the bucket itself.
    public var key: String?
    /// Of the object or of the copy source; nil for the current version.
    public var versionID: String?
    /// The multipart upload it names.
    public var uploadID: String?
    /// The part it names, as it came: it may be out of range.
    public var partNumber: Int?
    /// The copy source header as it came.
    public var copySource: String?
    /// The range asked for, of the object or of the copy source, as it came.
    public var range: String?

    /// A request that is about no bucket yet.
    public init(operation: StoreOperation, dialect: String, method: String, target: String) {
        self.operation = operation
        self.dialect = dialect
        self.method = method
        self.target = target
    }
}
