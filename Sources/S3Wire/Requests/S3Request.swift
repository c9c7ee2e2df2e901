package import TransferCore
package import TransferHTTP
internal import TransferPrimitives
internal import TransferService

/// One request in the words of a dialect, before it has a host, a date and a signature. Made by pure functions, one an
/// operation.
package struct S3Request: Sendable {
    package let operation: S3Operation
    let method: HTTPMethod
    let bucket: String
    /// Empty for a request about the bucket.
    let key: String
    package var query: [HTTPRequest.QueryItem] = []
    package var headers = HTTPHeaders()
    package var body = HTTPBody.none
    /// Whether sending it twice does no more than sending it once.
    package var isIdempotent = true

    init(_ operation: S3Operation, _ method: HTTPMethod, _ object: ObjectLocation) {
        self.operation = operation
        self.method = method
        bucket = object.bucket
        key = object.key
    }

    /// The request as it goes to the endpoint, unsigned. Throws `.invalidArgument` for a bucket or key that cannot be.
    package func httpRequest(at address: AddressRule, _ dialect: S3Dialect) throws(TransferError) -> HTTPRequest {
        try NameRules.checkBucket(bucket, field: "bucket", dialect.buckets)
        if !operation.isAboutBucket { try NameRules.checkKey(key, field: "key") }
        let location = try address.location(bucket: bucket, key: key)
        var fields = HeaderFields(headers)
        if dialect.signsDocuments, let digest = documentDigest {
            try fields.add("body", dialect.headers.contentSHA256, digest)
        }
        return HTTPRequest(
            method, at: location.endpoint, path: location.path, query: query, headers: fields.headers, body: body,
            operation: operation.rawValue)
    }

    /// The SHA-256 of a body that is in memory as a whole, in hex; nil for the bytes of an object.
    private var documentDigest: String? {
        switch body.content {
        case .none: V4Dialect.emptyPayload
        case .bytes(let bytes): Hex.encode(bytes.withUnsafeBytes { Digest.sha256($0) })
        case .source: nil
        }
    }
}
