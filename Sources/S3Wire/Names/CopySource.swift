internal import TransferCore
internal import TransferHTTP

/// The value of the copy-source header: `/bucket/key?versionId=id`, the key encoded with its slashes kept.
///
/// Services decode the part before the first raw `?`, some of them `+` to a blank as well; this form reads the same either
/// way (TOS: spec section 4.12).
enum CopySource {
    /// - Parameter encodesTwice: For services that decode it twice.
    static func header(_ source: ObjectLocation, encodesTwice: Bool = false) -> String {
        let key = PercentEncoding.path(source.key)
        var value = "/\(source.bucket)/" + (encodesTwice ? PercentEncoding.path(key) : key)
        if let versionID = source.versionID { value += "?versionId=" + PercentEncoding.component(versionID) }
        return value
    }

    /// The object that a service copies in place of `source` when it decodes once more than it should; nil when that is the
    /// same object.
    static func decodedTwice(_ source: ObjectLocation) -> ObjectLocation? {
        guard let key = PercentEncoding.decode(source.key), !key.utf8.elementsEqual(source.key.utf8) else { return nil }
        return ObjectLocation(bucket: source.bucket, key: key)
    }
}
