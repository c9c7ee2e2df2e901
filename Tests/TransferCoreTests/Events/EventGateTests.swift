import Testing
import TransferPrimitives

@testable import TransferCore

/// The one door through which events go out.
@Suite struct EventGateTests {
    private func progress(_ bytes: UInt64, finished: Bool = false) -> TransferEvent {
        .progress(TransferProgress(completedBytes: bytes, totalBytes: 100, isFinished: finished))
    }

    private func delivered(_ events: [TransferEvent]) -> [String] {
        let labels = LockBox([String]())
        let gate = EventGate { event in labels.withLock { $0.append(event.label) } }
        for event in events { gate.send(event) }
        return labels.withLock { $0 }
    }

    @Test func progressNeverGoesBack() {
        #expect(
            delivered([progress(10), progress(5), progress(10), progress(11), progress(0), progress(99)])
                == ["progress(10)", "progress(11)", "progress(99)"])
    }

    @Test func theEndIsAlwaysTold() {
        #expect(delivered([progress(99), progress(100, finished: true)]) == ["progress(99)", "progress(100 end)"])
        let empty = TransferEvent.progress(TransferProgress(completedBytes: 0, totalBytes: 0, isFinished: true))
        #expect(delivered([empty]) == ["progress(0 end)"])
    }

    @Test func nothingPassesAClosedGate() {
        let labels = LockBox([String]())
        let gate = EventGate { event in labels.withLock { $0.append(event.label) } }
        gate.send(.restarted(.sourceChanged))
        gate.close()
        gate.send(.restarted(.sourceChanged))
        gate.send(progress(100, finished: true))
        #expect(labels.withLock { $0 } == ["restarted(sourceChanged)"])
    }
}
