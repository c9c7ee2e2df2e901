package import TransferCore

/// What OSS is called in checkpoints and errors, and what it allows (spec section 2.14).
package enum OSSProvider {
    package static let name = "oss"

    /// Bytes: 100 KiB to 5 GiB; 8 MiB unless asked for, which reaches 78 GiB before parts must grow.
    package static let partLimits = BackendCapabilities.PartLimits(
        minimumSize: 100 << 10, maximumSize: 5 << 30, maximumCount: 10_000, defaultSize: 8 << 20)
    /// Bytes; OSS: "PutObject".
    static let largestPut: UInt64 = 5 << 30
    /// Bytes; OSS: "CopyObject".
    static let largestCopy: UInt64 = 1 << 30
    /// Bits per second; OSS: "Single-connection bandwidth throttling".
    static let trafficLimits = 245_760...838_860_800
}
