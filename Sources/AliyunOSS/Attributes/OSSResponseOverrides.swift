internal import TransferHTTP

/// What an answer to GetObject is to say in place of what is stored with the object. For signed requests alone (OSS:
/// "GetObject").
public struct OSSResponseOverrides: Sendable, Hashable {
    public var contentType: String?
    public var contentLanguage: String?
    public var contentEncoding: String?
    /// Any Unicode text, such as `attachment; filename="a b.mp4"`.
    public var contentDisposition: String?
    public var cacheControl: String?
    public var expires: String?

    public init() {}

    var query: [HTTPRequest.QueryItem] {
        [
            ("response-content-type", contentType), ("response-content-language", contentLanguage),
            ("response-content-encoding", contentEncoding), ("response-content-disposition", contentDisposition),
            ("response-cache-control", cacheControl), ("response-expires", expires),
        ].compactMap { name, value in value.map { HTTPRequest.QueryItem(name, $0) } }
    }
}
