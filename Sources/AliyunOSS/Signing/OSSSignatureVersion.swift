/// How requests are signed.
public enum OSSSignatureVersion: String, Sendable, Hashable, CaseIterable {
    /// `OSS4-HMAC-SHA256`. The default.
    case v4
    /// HMAC-SHA1. Closed to new accounts and buckets since 2025 (OSS: "Notice on the discontinuation of the OSS V1
    /// signature algorithm").
    case v1
}
