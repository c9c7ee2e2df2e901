internal import TransferCore

/// What TOS is called in checkpoints and errors, and what it allows (spec section 3.10).
enum TOSProvider {
    static let name = "tos"
    /// What the names of extra fields begin with, whichever wire carries them.
    static let extrasPrefix = "x-tos-"

    /// Bytes: 5 MiB to 5 GiB, 20 MiB unless asked for.
    static let partLimits = BackendCapabilities.PartLimits(
        minimumSize: 5 << 20, maximumSize: 5 << 30, maximumCount: 10_000, defaultSize: 20 << 20)
    /// Bytes; TOS: "PutObject" and "CopyObject".
    static let largestSingleRequest: UInt64 = 5 << 30
    /// Bits per second.
    static let trafficLimits = 819_200...838_860_800

    static func capabilities(checksums: [ChecksumAlgorithm]) -> BackendCapabilities {
        BackendCapabilities(
            parts: partLimits, largestPut: largestSingleRequest, largestCopy: largestSingleRequest,
            checksums: checksums, honoursCopyPreconditions: true)
    }
}
