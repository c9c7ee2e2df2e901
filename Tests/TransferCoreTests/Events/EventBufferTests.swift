import TestSupport
import Testing

@testable import TransferCore

/// What waits for a reader: everything but progress in order, of progress the newest.
@Suite struct EventBufferTests {
    private func progress(_ bytes: UInt64) -> TransferEvent {
        .progress(TransferProgress(completedBytes: bytes, totalBytes: 1000))
    }

    private func labels(_ events: [TransferEvent]) -> [String] {
        var buffer = EventBuffer()
        for event in events { buffer.append(event) }
        var labels: [String] = []
        while let event = buffer.next() { labels.append(event.label) }
        #expect(buffer.next() == nil)
        return labels
    }

    @Test func keepsOrder() {
        #expect(
            labels([.uploadCreated(uploadID: "u"), .restarted(.sourceChanged), .uploadCreated(uploadID: "v")])
                == ["created(u)", "restarted(sourceChanged)", "created(v)"])
        #expect(labels([]) == [])
    }

    @Test func keepsTheNewestProgressOnly() {
        #expect(labels([progress(1), progress(2), progress(3)]) == ["progress(3)"])
        #expect(
            labels([progress(1), .uploadCreated(uploadID: "u"), progress(2), .uploadCreated(uploadID: "v")])
                == ["created(u)", "created(v)", "progress(2)"])
    }

    /// Nothing that ends a transfer is read before the progress that came before it.
    @Test func progressComesBeforeTheEnd() {
        let receipt = TransferReceipt(etag: ETag("e"))
        #expect(
            labels([progress(1), progress(2), .completed(receipt)]) == ["progress(2)", "completed"])
        #expect(
            labels([
                progress(1), .stopping(TransferError(.paused, "")),
                .partCut(number: 1, range: .init(offset: 0, length: 1)), progress(5),
            ])
                == ["progress(1)", "stopping(paused)", "cut(1)", "progress(5)"])
    }

    /// Reading and writing in any mixture loses nothing, doubles nothing, and never turns the order.
    @Test(arguments: 0..<8 as Range<UInt64>) func anyMixtureOfReadingAndWriting(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var buffer = EventBuffer()
        var written: [String] = []
        var read: [String] = []
        var bytes: UInt64 = 0
        var readBytes: UInt64 = 0
        func note(_ event: TransferEvent) {
            if case .progress(let progress) = event {
                #expect(progress.completedBytes > readBytes)
                readBytes = progress.completedBytes
            } else {
                read.append(event.label)
            }
        }
        for number in 0..<2000 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                bytes += 1
                buffer.append(.progress(TransferProgress(completedBytes: bytes, totalBytes: 1 << 40)))
            case 1:
                buffer.append(.uploadCreated(uploadID: "\(number)"))
                written.append("created(\(number))")
            default:
                if let event = buffer.next() { note(event) }
            }
        }
        while let event = buffer.next() { note(event) }
        #expect(read == written)
        #expect(readBytes == bytes)
    }
}
