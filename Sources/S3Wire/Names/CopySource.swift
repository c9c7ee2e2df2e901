internal import TransferCore
internal import TransferHTTP

/// The value of the copy-source header: `/bucket/key?versionId=id`, the key encoded with its slashes kept.
///
/// Services decode the part before the first raw `?`, some of them `+` to a blank as well; this form reads the same either
/// way (TOS: spec section 4.12).
enum CopySource {
    static func header(_ source: ObjectLocation) -> String {
        var value = "/\(source.bucket)/" + PercentEncoding.path(source.key)
        if let versionID = source.versionID { value += "?versionId=" + PercentEncoding.component(versionID) }
        return value
    }
}
