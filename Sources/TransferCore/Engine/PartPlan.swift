/// How an object is cut into parts: pure arithmetic, parts made on demand.
///
/// Parts tile the object exactly: each but the last has `partSize` bytes, the last has the rest and is never empty. An empty
/// object has one empty part.
public struct PartPlan: Sendable, Hashable {
    /// One part of a plan.
    public struct Part: Sendable, Hashable {
        /// The part number, from 1.
        public let number: Int
        /// The bytes of the source that it holds.
        public let range: ByteRange
    }

    /// Bytes of the object.
    public let size: UInt64
    /// Bytes of every part but the last.
    public let partSize: UInt64
    /// The number of parts, at least 1.
    public let count: Int

    /// The plan for `size` bytes.
    ///
    /// - Parameters:
    ///   - size: Bytes of the object. An empty one has one empty part.
    ///   - requested: Bytes a part, within the limits; nil or 0 for the default, which is raised to the next multiple of
    ///     1 MiB that keeps within the part count. The result depends on nothing else, so that a resume plans the same.
    ///   - limits: What the backend takes.
    /// - Throws: `.invalidArgument` naming `partSize` when the requested size is out of range or would need too many parts,
    ///   `.tooLarge` when the object does not fit in any legal plan.
    public init(size: UInt64, requested: UInt64?, limits: BackendCapabilities.PartLimits) throws(TransferError) {
        if let requested, requested > 0 { try Self.check(requested, limits: limits) }
        guard Self.count(size, limits.usableCount) <= limits.maximumSize else {
            throw TransferError(
                .tooLarge,
                "\(size) bytes do not fit in \(limits.usableCount) parts of at most \(limits.maximumSize) bytes")
        }
        let partSize: UInt64
        if let requested, requested > 0 {
            guard Self.count(size, requested) <= limits.usableCount else {
                throw .invalidArgument(
                    "partSize",
                    """
                    \(size) bytes in parts of \(requested) would be \(Self.count(size, requested)) parts, and at most \
                    \(limits.usableCount) are allowed: use \(Self.fitting(size, limits))…\(limits.maximumSize) bytes, or no \
                    part size
                    """)
            }
            partSize = requested
        } else {
            let fits = Self.count(size, limits.usableDefault) <= limits.usableCount
            partSize = fits ? limits.usableDefault : Self.fitting(size, limits)
        }
        self.size = size
        self.partSize = partSize
        count = Int(max(1, Self.count(size, partSize)))
    }

    /// Refuses a part size outside the limits, before anything is known of the object.
    static func check(_ requested: UInt64, limits: BackendCapabilities.PartLimits) throws(TransferError) {
        guard requested >= limits.minimumSize, requested <= limits.maximumSize else {
            throw .invalidArgument(
                "partSize",
                "a part size of \(requested) bytes is outside \(limits.minimumSize)…\(limits.maximumSize) bytes")
        }
    }

    /// The part with `number`; nil outside 1…count.
    public func part(_ number: Int) -> Part? {
        guard number >= 1, number <= count else { return nil }
        let offset = UInt64(number - 1) * partSize
        return Part(number: number, range: ByteRange(offset: offset, length: min(partSize, size - offset)))
    }

    private static func count(_ size: UInt64, _ partSize: UInt64) -> UInt64 {
        size / partSize + (size % partSize == 0 ? 0 : 1)
    }

    /// The smallest multiple of 1 MiB that keeps `size` within the part count, or the largest part where that is less. Small
    /// limits, as tests use them, are met to the byte.
    private static func fitting(_ size: UInt64, _ limits: BackendCapabilities.PartLimits) -> UInt64 {
        let least = count(size, limits.usableCount)
        let step: UInt64 = 1 << 20
        guard limits.maximumSize > step else { return least }
        let (padded, overflow) = least.addingReportingOverflow(step - 1)
        return overflow ? least : min(padded / step * step, limits.maximumSize)
    }
}

extension BackendCapabilities.PartLimits {
    /// A backend's limits are its own; whatever they are, there is at least one part, and it has room for a byte.
    fileprivate var usableCount: UInt64 { UInt64(max(1, maximumCount)) }
    fileprivate var usableDefault: UInt64 { max(1, min(max(defaultSize, minimumSize), maximumSize)) }
}
