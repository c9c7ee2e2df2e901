/// What a request asks for and about, as the log keeps it and faults match it.
public struct StoreRequest: Sendable {
    public var operation: StoreOperation
    /// The dialect that read it: `tos`, `admin` and so on.
    public var dialect: String
    public var method: String
    /// The target as it stood in the request line.
    public var target: String
    public var bucket: String?
    public var key: String?
    public var versionID: String?
    public var uploadID: String?
    public var partNumber: Int?
    /// The copy source header as it came.
    public var copySource: String?
    /// The range asked for, of the object or of the copy source, as it came.
    public var range: String?

    public init(operation: StoreOperation, dialect: String, method: String, target: String) {
        self.operation = operation
        self.dialect = dialect
        self.method = method
        self.target = target
    }
}
