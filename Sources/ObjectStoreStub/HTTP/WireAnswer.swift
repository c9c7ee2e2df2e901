/// One answer on its way to the client. Faults may change any of it.
public struct WireAnswer: Sendable {
    /// A header line.
    public struct Field: Sendable, Hashable {
        /// As it is sent, in any case.
        public var name: String
        /// As it is sent.
        public var value: String

        /// A line that is sent as it is: nothing is checked.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    enum Body: Sendable {
        case bytes([UInt8])
        case content(ObjectContent)
        /// A HEAD answer: the length is announced, the bytes are not sent.
        case announced(UInt64)
    }

    /// The HTTP status.
    public var status: Int
    /// The header lines in order, without `Content-Length` and `Connection`, which the server writes itself.
    public var fields: [Field]
    var body: Body
    /// The error code of the body, for the log.
    var code: String?

    /// An answer with its body in memory.
    public init(status: Int, fields: [Field] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = .bytes(body)
    }

    /// The body as text when it is held in memory: documents, not objects. Setting it replaces the body.
    public var text: String? {
        get {
            guard case .bytes(let bytes) = body else { return nil }
            return String(decoding: bytes, as: UTF8.self)
        }
        set { body = .bytes(Array((newValue ?? "").utf8)) }
    }

    /// The first value of a header, found without regard to case. Setting nil removes every line of that name.
    public subscript(_ name: String) -> String? {
        get { fields.first { $0.name.lowercased() == name.lowercased() }?.value }
        set {
            fields.removeAll { $0.name.lowercased() == name.lowercased() }
            if let newValue { fields.append(Field(name: name, value: newValue)) }
        }
    }

    /// The number of body bytes that the head announces.
    var length: UInt64 {
        switch body {
        case .bytes(let bytes): UInt64(bytes.count)
        case .content(let content): content.length
        case .announced(let count): count
        }
    }

    /// The status line and header lines, with the closing empty line.
    func head(contentLength: UInt64?, closes: Bool) -> [UInt8] {
        var text = "HTTP/1.1 \(status) \(Self.reason(status))\r\n"
        for field in fields { text += "\(field.name): \(field.value)\r\n" }
        if let contentLength { text += "Content-Length: \(contentLength)\r\n" }
        if closes { text += "Connection: close\r\n" }
        return Array((text + "\r\n").utf8)
    }

    /// Statuses that never have a body, and so no length either.
    var mayHaveBody: Bool { status >= 200 && status != 204 && status != 304 }

    private static func reason(_ status: Int) -> String {
        switch status {
        case 100: "Continue"
        case 200: "OK"
        case 203: "Non-Authoritative Information"
        case 204: "No Content"
        case 206: "Partial Content"
        case 301: "Moved Permanently"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 400: "Bad Request"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 411: "Length Required"
        case 412: "Precondition Failed"
        case 413: "Payload Too Large"
        case 416: "Range Not Satisfiable"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 505: "HTTP Version Not Supported"
        default: "Status"
        }
    }
}
