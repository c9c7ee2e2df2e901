internal import TransferPrimitives

/// Puts the bytes of one part in their place in the file, and sums them up.
final class PartReceiver: PartSink {
    private struct State {
        var next: UInt64
        var crc = CRC64()
    }

    private let file: DownloadFile
    private let range: ByteRange
    private let part: Int
    private let meter: TransferMeter
    private let state: LockBox<State>

    init(_ file: DownloadFile, _ range: ByteRange, part: Int, meter: TransferMeter) {
        self.file = file
        self.range = range
        self.part = part
        self.meter = meter
        state = LockBox(State(next: range.offset))
    }

    /// An attempt that is repeated begins at the range's first byte again.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws {
        let end = try state.withLock { state throws(TransferError) in
            if offset == range.offset { state = State(next: offset) }
            let (end, overflow) = offset.addingReportingOverflow(UInt64(bytes.count))
            guard offset == state.next, !overflow, end <= range.end else {
                throw TransferError(
                    .lengthMismatch, "bytes from \(offset) came where those from \(state.next) were due")
            }
            state.crc.update(bytes)
            state.next = end
            return end
        }
        try file.write(bytes, at: offset)
        meter.moved(end - range.offset, of: part)
    }

    /// The CRC-64 of the part. Throws `.lengthMismatch` when bytes are missing.
    func finish() throws(TransferError) -> UInt64 {
        let state = state.withLock { $0 }
        guard state.next == range.end else {
            throw TransferError(
                .lengthMismatch, "\(state.next - range.offset) bytes of \(range.length) came", retry: .backoff)
        }
        return state.crc.value
    }
}
