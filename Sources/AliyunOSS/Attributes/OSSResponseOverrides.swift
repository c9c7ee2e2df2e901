internal import TransferHTTP

/// What an answer to GetObject is to say in place of what is stored with the object. For signed requests alone (OSS:
/// "GetObject").
public struct OSSResponseOverrides: Sendable, Hashable {
    /// `Content-Type` of the answer, as text; nil for what is stored.
    public var contentType: String?
    /// `Content-Language` of the answer, as text; nil for what is stored.
    public var contentLanguage: String?
    /// `Content-Encoding` of the answer, as text; nil for what is stored.
    public var contentEncoding: String?
    /// Any Unicode text, such as `attachment; filename="a b.mp4"`.
    public var contentDisposition: String?
    /// `Cache-Control` of the answer, as text; nil for what is stored.
    public var cacheControl: String?
    /// `Expires` of the answer, as text; nil for what is stored.
    public var expires: String?

    /// With nothing asked for.
    public init() {}

    var query: [HTTPRequest.QueryItem] {
        [
            ("response-content-type", contentType), ("response-content-language", contentLanguage),
            ("response-content-encoding", contentEncoding), ("response-content-disposition", contentDisposition),
            ("response-cache-control", cacheControl), ("response-expires", expires),
        ].compactMap { name, value in value.map { HTTPRequest.QueryItem(name, $0) } }
    }
}
