/// How far a transfer is. Never goes back, never passes the total, and reaches it only when the object stands.
public struct TransferProgress: Sendable, Hashable {
    /// Bytes stored, or on their way, so far. Less than the total until the object stands.
    public var completedBytes: UInt64
    /// Bytes of the source.
    public var totalBytes: UInt64
    /// Whether the object stands.
    public var isFinished: Bool

    /// Bytes of both; `isFinished` only once the object stands.
    public init(completedBytes: UInt64, totalBytes: UInt64, isFinished: Bool = false) {
        self.completedBytes = isFinished ? totalBytes : min(completedBytes, max(totalBytes, 1) - 1)
        self.totalBytes = totalBytes
        self.isFinished = isFinished
    }

    /// From 0 to 1; 1 only once the object stands.
    public var fraction: Double {
        if isFinished { return 1 }
        return totalBytes == 0 ? 0 : min(Double(completedBytes) / Double(totalBytes), 1 - .ulpOfOne)
    }
}
