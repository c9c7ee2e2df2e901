internal import TransferCore
internal import TransferHTTP
internal import TransferService

/// One request in the words of TOS, before it has a host, a date and a signature. Made by pure functions, one an operation.
struct TOSRequest: Sendable {
    let operation: TOSOperation
    let method: HTTPMethod
    let bucket: String
    let key: String
    var query: [HTTPRequest.QueryItem] = []
    var headers = HTTPHeaders()
    var body = HTTPBody.none
    /// Whether sending it twice does no more than sending it once.
    var isIdempotent = true

    init(_ operation: TOSOperation, _ method: HTTPMethod, _ object: ObjectLocation) {
        self.operation = operation
        self.method = method
        bucket = object.bucket
        key = object.key
    }

    /// The request as it goes to the endpoint, unsigned. Throws `.invalidArgument` for a bucket or key that cannot be.
    func httpRequest(at endpoint: EndpointRules) throws(TransferError) -> HTTPRequest {
        try NameRules.checkBucket(bucket, field: "bucket")
        try NameRules.checkKey(key, field: "key")
        let location = try endpoint.location(bucket: bucket, key: key)
        return HTTPRequest(
            method, at: location.endpoint, path: location.path, query: query, headers: headers, body: body,
            operation: operation.rawValue)
    }
}
