/// One request as it goes to the wire.
package struct HTTPRequest: Sendable {
    /// A query parameter, not yet percent-encoded. Without a value it is written as the bare name.
    package struct QueryItem: Sendable, Hashable {
        package var name: String
        package var value: String?

        package init(_ name: String, _ value: String? = nil) {
            self.name = name
            self.value = value
        }
    }

    /// What the service calls the request, such as `UploadPartCopy`, for observers and errors. `ServiceClient` fills it in.
    package var operation: String
    package var method: HTTPMethod
    package var endpoint: HTTPEndpoint
    /// Percent-encoded (see `PercentEncoding.path`), beginning with `/`; sent as it is, dots and doubled slashes included.
    package var path: String
    /// The path that is signed where it differs from the one on the wire (OSS signs `/bucket/key` in every addressing).
    package var canonicalPath: String?
    /// In the order in which they are written.
    package var query: [QueryItem]
    /// `Host`, `Content-Length` and `Expect` are the transport's business.
    package var headers: HTTPHeaders
    package var body: HTTPBody

    /// How long nothing may move in either direction; nil for the transport's default.
    package var idleTimeout: Duration?
    /// The longest the whole exchange may take. For control calls only, never for data; nil for no limit.
    package var deadline: Duration?
    /// Where the body of a 2xx answer goes; nil to collect it.
    package var sink: (any ResponseSink)?
    /// The most bytes of a 2xx answer that are collected; more is an error. 16 MiB.
    package var bodyLimit = 16 << 20
    /// The most bytes of any other answer that are kept; more are dropped. 64 KiB.
    package var errorBodyLimit = 64 << 10
    /// Whether a new connection must be made: the repeat of a request that died on a kept-alive one.
    package var needsFreshConnection = false

    package init(
        _ method: HTTPMethod, at endpoint: HTTPEndpoint, path: String = "/", query: [QueryItem] = [],
        headers: HTTPHeaders = HTTPHeaders(), body: HTTPBody = .none, operation: String = ""
    ) {
        self.operation = operation
        self.method = method
        self.endpoint = endpoint
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
    }

    /// Adds the request target, `path?query` with the query percent-encoded, to `buffer`.
    package func appendTarget(to buffer: inout [UInt8]) {
        buffer.append(utf8: path)
        var separator = UInt8(ascii: "?")
        for item in query {
            buffer.append(separator)
            PercentEncoding.append(item.name, to: &buffer)
            if let value = item.value {
                buffer.append(UInt8(ascii: "="))
                PercentEncoding.append(value, to: &buffer)
            }
            separator = UInt8(ascii: "&")
        }
    }

    /// The whole URL. Presigned ones hold a signature: not for logs.
    package var url: String {
        var bytes = Array("\(endpoint.scheme.rawValue)://\(endpoint.authority)".utf8)
        appendTarget(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
