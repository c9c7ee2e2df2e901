internal import TransferPrimitives

/// One part's bytes, counted as they are read, and refused at its end when the source is no longer what it was.
struct MeteredSource: ByteSource {
    let source: any ByteSource
    let range: ByteRange
    let part: Int
    let meter: TransferMeter
    var tap: BodyTap?
    let recheck: @Sendable () throws -> Void

    var length: UInt64 { range.length }

    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard offset < range.length else { return 0 }
        let wanted = Int(min(UInt64(buffer.count), range.length - offset))
        let count = try source.readTelling(
            at: range.offset + offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]))
        let end = offset + UInt64(max(0, count))
        if end == range.length { try recheck() }
        try tap?.pass(isEnd: end == range.length)
        meter.moved(end, of: part)
        return count
    }
}

extension ByteSource {
    /// Reads, and has an error of a source of the caller's own say where it happened.
    func readTelling(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        do {
            return try read(at: offset, into: buffer)
        } catch let error as TransferError {
            throw error
        } catch {
            throw TransferError(
                .fileUnreadable, "the source cannot be read at \(offset): \(error)", underlying: error)
        }
    }
}
