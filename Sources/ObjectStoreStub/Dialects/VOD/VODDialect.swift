/// The VOD OpenAPI, version 2017-03-21: RPC style at the path `/`, in JSON, signed in the header
/// (`ACS3-HMAC-SHA256`) or in a parameter (HMAC-SHA1).
///
/// It knows CreateUploadVideo, RefreshUploadVideo and CreateUploadImage, by GET and by POST. Faults and the log find the
/// action in headers and query; one that stands in the form alone is answered, but is `Unknown` to both.
struct VODDialect: Dialect {
    static let version = "2017-03-21"
    static let formType = "application/x-www-form-urlencoded"

    let name = "vod"
    let vod: VODService
    private let nonces = NonceBook()

    init(vod: VODService) { self.vod = vod }

    func recognises(_ head: RequestHead) -> Bool {
        if head.fields.contains(where: { $0.name.hasPrefix("x-acs-") }) { return true }
        if head.value("authorization")?.hasPrefix("ACS3-") == true || Self.isOpenAPIHost(head.hostName) { return true }
        guard head.rawPath == "/" else { return false }
        if let query = head.rawQuery.flatMap({ QueryItems($0) }), !query.items.isEmpty {
            return query.contains("Action") || query.contains("SignatureMethod")
        }
        return head.method == "POST" && head.value("content-type")?.hasPrefix(Self.formType) == true
    }

    func open(_ head: RequestHead, _ server: ServerContext) -> any DialectExchange {
        VODExchange(head, server, vod, nonces)
    }

    /// `vod.{region}.aliyuncs.com`, `vod-vpc.{region}.aliyuncs.com` and `vod.aliyuncs.com`.
    private static func isOpenAPIHost(_ host: String) -> Bool {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.suffix(2) == ["aliyuncs", "com"], labels.first == "vod" || labels.first == "vod-vpc" else {
            return false
        }
        return labels.count == 3 || labels.count == 4 && !labels[1].hasPrefix("oss-")
    }
}
