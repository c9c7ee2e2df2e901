internal import TransferPrimitives

/// Content that comes a few bytes at a time, as a source may give it, with a hook before each reading.
struct AwkwardSource: ByteSource {
    let content: GeneratedSource
    /// The most bytes of one reading.
    let stride: Int
    var beforeRead: @Sendable (_ offset: UInt64) throws -> Void = { _ in }

    var length: UInt64 { content.length }

    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        try beforeRead(offset)
        return content.read(
            at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(stride, buffer.count)]))
    }
}
