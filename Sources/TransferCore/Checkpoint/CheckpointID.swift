internal import TransferPrimitives

/// What names a checkpoint in its store: the identity of a transfer, as a SHA-256 in hex, safe in any file name.
public struct CheckpointID: Sendable, Hashable, CustomStringConvertible {
    /// 64 lower-case hex digits.
    public let digest: String
    /// The file-name ending that says what the transfer does, such as `copy`.
    public let kind: TransferCheckpoint.Kind

    /// The identity made of `components`, in this order. Each is taken with its length, so that no two lists collide.
    public init(kind: TransferCheckpoint.Kind, _ components: [String]) {
        var bytes: [UInt8] = []
        for component in [kind.rawValue] + components {
            bytes += Array("\(component.utf8.count):".utf8)
            bytes += Array(component.utf8)
        }
        digest = Hex.encode(Digest.sha256(bytes))
        self.kind = kind
    }

    /// `<digest>.<kind>`, which is the name of the checkpoint's file without `.checkpoint`.
    public var description: String { "\(digest).\(kind.rawValue)" }
}
