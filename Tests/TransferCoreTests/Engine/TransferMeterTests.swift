import TestSupport
import Testing
import TransferPrimitives

@testable import TransferCore

/// Bytes on their way, told now and then.
@Suite struct TransferMeterTests {
    private let clock = ManualClock()
    private let told = LockBox([UInt64]())

    private func meter(_ total: UInt64 = 1000) -> TransferMeter {
        let meter = TransferMeter(total: total, clock: clock)
        let told = told
        meter.begin { progress in told.withLock { $0.append(progress.completedBytes) } }
        return meter
    }

    private func takeTold() -> [UInt64] {
        told.withLock { told in
            defer { told = [] }
            return told
        }
    }

    @Test func tellsAtMostTenTimesASecond() {
        let meter = meter()
        for bytes in 1...100 {
            meter.moved(UInt64(bytes), of: 1)
            clock.advance(by: .milliseconds(10))
        }
        #expect(takeTold() == stride(from: 1, through: 91, by: 10).map { UInt64($0) })
    }

    @Test func addsThePartsUp() {
        let meter = meter()
        meter.reset(to: 500)
        meter.moved(10, of: 1)
        clock.advance(by: .seconds(1))
        meter.moved(20, of: 2)
        #expect(takeTold() == [510, 530])
        meter.stored(1, bytes: 100)
        clock.advance(by: .seconds(1))
        meter.moved(30, of: 2)
        #expect(takeTold() == [630])
        // An attempt that begins again counts from its start again; one that failed does not count.
        clock.advance(by: .seconds(1))
        meter.moved(5, of: 2)
        meter.failed(2)
        clock.advance(by: .seconds(1))
        meter.moved(1, of: 3)
        #expect(takeTold() == [605, 601])
    }

    @Test func isNeverFullBeforeTheEnd() {
        let meter = meter(100)
        meter.moved(100, of: 1)
        clock.advance(by: .seconds(1))
        meter.moved(500, of: 1)
        #expect(takeTold() == [99, 99])
    }

    @Test func countsWhatIsRead() throws {
        let meter = meter(25)
        let rechecks = LockBox(0)
        let source = MeteredSource(
            source: MemorySource(Sample.bytes), range: ByteRange(offset: 10, length: 10), part: 2, meter: meter,
            recheck: { rechecks.withLock { $0 += 1 } })
        var buffer = [UInt8](repeating: 0, count: 4)
        var offset: UInt64 = 0
        var bytes: [UInt8] = []
        while offset < source.length {
            clock.advance(by: .seconds(1))
            let count = try buffer.withUnsafeMutableBytes { try source.read(at: offset, into: $0) }
            bytes += buffer.prefix(count)
            offset += UInt64(count)
            if offset < 10 { #expect(rechecks.withLock { $0 } == 0) }
        }
        #expect(bytes == Array(10..<20))
        #expect(takeTold() == [4, 8, 10])
        #expect(rechecks.withLock { $0 } == 1, "with the last byte")
        #expect(try buffer.withUnsafeMutableBytes { try source.read(at: 10, into: $0) } == 0)
    }

    @Test func aChangedSourceRefusesTheLastByte() {
        let source = MeteredSource(
            source: MemorySource(Sample.bytes), range: ByteRange(offset: 0, length: 10), part: 1, meter: meter(),
            recheck: { throw TransferError(.sourceChanged, "changed") })
        var buffer = [UInt8](repeating: 0, count: 10)
        let error = transferError { try buffer.withUnsafeMutableBytes { try source.read(at: 0, into: $0) } }
        #expect(error?.code == .sourceChanged)
    }
}
