public import TransferCore
internal import TransferPrimitives

/// A backend to be put to the test, and where in its service that may be done.
///
///     let subject = ConformanceSubject(bucket: "films") { MyBackend(client) }
///
/// Objects are written below `keyPrefix` only. The protocols know no deletion: give `remove`, or clear the prefix by other
/// means.
public struct ConformanceSubject: Sendable {
    /// A bucket that the backend may read and write.
    public var bucket: String
    /// Before every key, with a slash at its end. By default one that no other run has.
    public var keyPrefix: String
    /// A bucket that does not exist. Nil by default: what it is needed for is skipped.
    public var missingBucket: String?
    /// More parts than the service lists on one page. Nil by default, which skips the one check that stores so many; each has
    /// one byte.
    public var partsBeyondPage: Int?
    /// Removes an object; called for each that a check may have made, once the check has ended. Nil leaves them there.
    public var remove: (@Sendable (ObjectLocation) async throws -> Void)?
    let makeBackend: @Sendable () -> any TransferBackend

    /// - Parameters:
    ///   - bucket: A bucket that the backend may read and write.
    ///   - backend: Makes the backend, as an application does for each transfer. Called at least once for each check, and
    ///     once to learn what the backend can do.
    public init(bucket: String, backend: @escaping @Sendable () -> any TransferBackend) {
        self.bucket = bucket
        keyPrefix = "transfer-conformance/\(Hex.encode(UInt64.random(in: 0 ... .max).bytes))/"
        makeBackend = backend
    }
}

extension UInt64 {
    fileprivate var bytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
