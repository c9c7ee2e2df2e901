internal import TransferCore
internal import TransferHTTP

/// The value of `x-oss-copy-source`: `/bucket/key?versionId=id`, the key encoded with its slashes kept (spec section 2.11).
enum CopySource {
    static func header(_ source: ObjectLocation) -> String {
        var value = "/\(source.bucket)/" + PercentEncoding.path(source.key)
        if let versionID = source.versionID { value += "?versionId=" + PercentEncoding.component(versionID) }
        return value
    }
}
