/// Bytes that can be read at any offset, any number of times.
///
/// Reading is positional, so a retry needs no rewind, and a conformance may be a struct or a class:
///
///     struct MemorySource: ByteSource {
///         let bytes: [UInt8]
///         var length: UInt64 { UInt64(bytes.count) }
///         func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
///             let slice = bytes[min(Int(offset), bytes.count)...].prefix(buffer.count)
///             buffer.copyBytes(from: slice)
///             return slice.count
///         }
///     }
///
/// `read` is called from the transport's thread and must not wait for anything slower than a disk.
public protocol ByteSource: Sendable {
    /// The number of bytes, fixed for the life of the source.
    var length: UInt64 { get }
    /// Copies bytes from `offset` into `buffer` and returns how many. Fewer than asked for is allowed; 0 only at the end.
    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

/// Bytes held in memory.
public struct MemorySource: ByteSource {
    private let bytes: [UInt8]

    /// Keeps the bytes as they are; nothing is copied.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    public var length: UInt64 { UInt64(bytes.count) }

    public func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard offset < length else { return 0 }
        let slice = bytes[Int(offset)...].prefix(buffer.count)
        buffer.copyBytes(from: slice)
        return slice.count
    }
}
