/// The language that an endpoint of TOS speaks. One endpoint speaks one of them only (TOS: spec section 1).
public enum TOSWireFormat: String, Sendable, Hashable, CaseIterable {
    /// `tos-<region>.volces.com`: documents in JSON, signature TOS4-HMAC-SHA256, every feature.
    case native
    /// `tos-s3-<region>.volces.com`: documents in XML, signature AWS4-HMAC-SHA256. It has no checksum of objects, and does
    /// not know `forbidOverwrite`, `objectExpires`, `trafficLimit`, callbacks and completing without a list of parts:
    /// inputs that ask for these are refused with `.unsupported`.
    case s3Compatible
}
