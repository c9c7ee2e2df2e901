internal import TransferPrimitives

/// Counts the bytes of an upload that are on their way, and reports them at most ten times a second.
final class UploadMeter: Sendable {
    /// The shortest time between two reports.
    static var interval: Duration { .milliseconds(100) }

    private struct State {
        var stored: UInt64 = 0
        /// By part number; an attempt that begins again counts from the start again.
        var sent: [Int: UInt64] = [:]
        var lastReport: Duration?
        var report: (@Sendable (TransferProgress) -> Void)?
    }

    private let total: UInt64
    private let clock: any TransferClock
    private let state = LockBox(State())

    init(total: UInt64, clock: any TransferClock) {
        self.total = total
        self.clock = clock
    }

    func begin(reporting report: @escaping @Sendable (TransferProgress) -> Void) {
        state.withLock { $0.report = report }
    }

    /// Counts anew from the bytes that are stored.
    func reset(to stored: UInt64) { state.withLock { $0.stored = stored } }

    func sent(_ bytes: UInt64, of part: Int) {
        let now = clock.uptime
        let (report, sum) = state.withLock { state in
            state.sent[part] = bytes
            if let last = state.lastReport, now - last < Self.interval {
                return (nil as (@Sendable (TransferProgress) -> Void)?, 0 as UInt64)
            }
            state.lastReport = now
            return (state.report, state.sent.values.reduce(state.stored, +))
        }
        report?(TransferProgress(completedBytes: sum, totalBytes: total))
    }

    func stored(_ part: Int, bytes: UInt64) {
        state.withLock { state in
            state.sent[part] = nil
            state.stored += bytes
        }
    }

    func failed(_ part: Int) { state.withLock { $0.sent[part] = nil } }
}

/// One part's bytes, counted as they are read, and refused at its end when the source is no longer what it was.
struct MeteredSource: ByteSource {
    let source: any ByteSource
    let range: ByteRange
    let part: Int
    let meter: UploadMeter
    let recheck: @Sendable () throws -> Void

    var length: UInt64 { range.length }

    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard offset < range.length else { return 0 }
        let wanted = Int(min(UInt64(buffer.count), range.length - offset))
        let count = try source.read(
            at: range.offset + offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]))
        let end = offset + UInt64(max(0, count))
        if end == range.length { try recheck() }
        meter.sent(end, of: part)
        return count
    }
}
