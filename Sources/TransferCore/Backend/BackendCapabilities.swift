/// What a backend can do and within which limits; the engine plans by it, and tests select themselves by it.
public struct BackendCapabilities: Sendable, Hashable {
    /// The part sizes and counts that a service takes.
    public struct PartLimits: Sendable, Hashable {
        /// Bytes; every part but the last must have at least so many.
        public var minimumSize: UInt64
        /// Bytes.
        public var maximumSize: UInt64
        /// The largest number of parts, and the largest part number.
        public var maximumCount: Int
        /// Bytes; used when the caller asks for no size.
        public var defaultSize: UInt64

        /// Limits as the service documents them.
        public init(minimumSize: UInt64, maximumSize: UInt64, maximumCount: Int, defaultSize: UInt64) {
            self.minimumSize = minimumSize
            self.maximumSize = maximumSize
            self.maximumCount = maximumCount
            self.defaultSize = defaultSize
        }
    }

    /// What parts may be.
    public var parts: PartLimits
    /// Bytes; the largest object that one put stores.
    public var largestPut: UInt64
    /// Bytes; the largest object that one server-side copy makes.
    public var largestCopy: UInt64
    /// The checksums that the service answers for whole objects, best first.
    public var checksums: [ChecksumAlgorithm]
    /// Whether credentials of this backend may be refused a HEAD.
    public var mayDenyHead: Bool
    /// Whether credentials of this backend may be refused a listing of parts.
    public var mayDenyListParts: Bool
    /// Whether a part copy with `ifMatch` fails once the source has changed. Where it does not, the engine looks at the
    /// source again before it completes.
    public var honoursCopyPreconditions: Bool

    /// Limits as the service documents them.
    public init(
        parts: PartLimits, largestPut: UInt64, largestCopy: UInt64, checksums: [ChecksumAlgorithm] = [],
        mayDenyHead: Bool = false, mayDenyListParts: Bool = false, honoursCopyPreconditions: Bool = true
    ) {
        self.parts = parts
        self.largestPut = largestPut
        self.largestCopy = largestCopy
        self.checksums = checksums
        self.mayDenyHead = mayDenyHead
        self.mayDenyListParts = mayDenyListParts
        self.honoursCopyPreconditions = honoursCopyPreconditions
    }
}
