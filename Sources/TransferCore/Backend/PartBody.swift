public import TransferPrimitives

/// The bytes of one put or part: a stretch of a source that can be read at any offset.
public struct PartBody: Sendable {
    /// Where the bytes come from.
    public let source: any ByteSource
    /// Which of the source's bytes.
    public let range: ByteRange

    /// The bytes of `range`, cut to the source's length.
    public init(_ source: any ByteSource, range: ByteRange) {
        let offset = min(range.offset, source.length)
        self.source = source
        self.range = ByteRange(offset: offset, length: min(range.length, source.length - offset))
    }

    /// All bytes of `source`.
    public init(_ source: any ByteSource) { self.init(source, range: ByteRange(offset: 0, length: source.length)) }

    /// No bytes: the only part of an empty object.
    public static var empty: PartBody { PartBody(MemorySource([])) }

    /// Bytes.
    public var length: UInt64 { range.length }

    /// Copies bytes from `offset` within the body into `buffer`; 0 at the end.
    public func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard offset < length else { return 0 }
        let wanted = Int(min(UInt64(buffer.count), length - offset))
        return try source.read(
            at: range.offset + offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]))
    }
}
