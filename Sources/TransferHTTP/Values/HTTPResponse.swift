/// What the server answered, after all of it was read.
package struct HTTPResponse: Sendable {
    package var status: Int
    package var headers: HTTPHeaders
    /// Collected bytes: none when they went to a sink, cut to the request's `errorBodyLimit` outside 2xx.
    package var body: [UInt8]
    /// The CRC-64 of the request's body, when it was asked for and the whole body was sent.
    package var sentCRC64: UInt64?
    /// Whether the request went over a connection that an earlier one had left open.
    package var reusedConnection: Bool

    package init(
        status: Int, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = [], sentCRC64: UInt64? = nil,
        reusedConnection: Bool = false
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.sentCRC64 = sentCRC64
        self.reusedConnection = reusedConnection
    }

    package var isSuccess: Bool { (200...299).contains(status) }
}
