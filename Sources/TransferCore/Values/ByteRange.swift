/// A stretch of bytes: where it begins and how long it is. May be empty.
public struct ByteRange: Sendable, Hashable, Codable {
    /// The first byte, counted from 0.
    public var offset: UInt64
    /// The number of bytes.
    public var length: UInt64

    /// Makes the range of `length` bytes from `offset`. A length that would pass the end of `UInt64` is cut there.
    public init(offset: UInt64, length: UInt64) {
        self.offset = offset
        self.length = min(length, .max - offset)
    }

    /// The offset just behind the last byte; the end of `UInt64` where it would lie beyond.
    public var end: UInt64 {
        let (end, overflow) = offset.addingReportingOverflow(length)
        return overflow ? .max : end
    }

    /// Whether the range holds no byte, which no HTTP range can say.
    public var isEmpty: Bool { length == 0 }
    /// The inclusive form of HTTP range headers, `bytes=first-last`; nil for an empty range (RFC 9110, section 14.1.2).
    public var httpValue: String? { isEmpty ? nil : "bytes=\(offset)-\(end - 1)" }
}
