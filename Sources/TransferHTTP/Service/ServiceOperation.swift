/// What the layers need to know of an operation, apart from its request.
package struct ServiceOperation: Sendable, Hashable {
    /// What the service calls it, such as `UploadPartCopy`.
    package let name: String
    /// Whether sending it twice does no more than sending it once. If not, it is repeated only when the first one cannot
    /// have reached the service, or was refused before the service acted.
    package let isIdempotent: Bool

    package init(_ name: String, isIdempotent: Bool = true) {
        self.name = name
        self.isIdempotent = isIdempotent
    }
}
