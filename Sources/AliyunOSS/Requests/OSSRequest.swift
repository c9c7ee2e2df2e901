internal import TransferCore
internal import TransferHTTP
internal import TransferService

/// One request in the words of OSS, before it has a host, a date and a signature. Made by pure functions, one an operation.
struct OSSRequest: Sendable {
    let operation: OSSOperation
    let method: HTTPMethod
    let bucket: String
    /// Empty for a request about the bucket.
    let key: String
    var query: [HTTPRequest.QueryItem] = []
    var headers = HTTPHeaders()
    var body = HTTPBody.none

    init(_ operation: OSSOperation, _ method: HTTPMethod, _ object: ObjectLocation) {
        self.init(operation, method, bucket: object.bucket, key: object.key)
    }

    init(_ operation: OSSOperation, _ method: HTTPMethod, bucket: String, key: String = "") {
        self.operation = operation
        self.method = method
        self.bucket = bucket
        self.key = key
    }

    /// The request as it goes to the endpoint, unsigned. Throws `.invalidArgument` for a bucket or key that cannot be: an empty
    /// key would ask for something of the bucket itself.
    func httpRequest(at base: HTTPEndpoint, by rule: AddressRule) throws(TransferError) -> HTTPRequest {
        try NameRules.checkBucket(bucket, field: "bucket")
        if !operation.isAboutBucket { try NameRules.checkKey(key, field: "key") }
        let location = try rule.location(bucket: bucket, key: key, at: base)
        var request = HTTPRequest(
            method, at: location.endpoint, path: location.path, query: query, headers: headers, body: body,
            operation: operation.rawValue)
        request.canonicalPath = location.canonicalPath
        return request
    }
}
