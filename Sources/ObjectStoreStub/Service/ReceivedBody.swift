/// The body of a request once it has arrived whole.
struct ReceivedBody: Sendable {
    var content = ObjectContent()
    /// The MD5 of the bytes when it was worth computing.
    var md5: [UInt8]?
    /// The SHA-256 of the bytes when the request claims one.
    var sha256: [UInt8]?

    var length: UInt64 { content.length }
}
