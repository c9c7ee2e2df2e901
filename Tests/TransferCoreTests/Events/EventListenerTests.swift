import TestSupport
import Testing
import TransferPrimitives

@testable import TransferCore

/// A listener hears one event at a time, in order, and holds up nobody but itself.
@Suite(.timeLimit(.minutes(1))) struct EventListenerTests {
    private func event(_ number: Int) -> TransferEvent { .uploadCreated(uploadID: "\(number)") }

    @Test func callsAreSerialAndInOrder() async {
        let state = LockBox((running: 0, overlaps: 0, labels: [String]()))
        let listener = EventListener { event in
            state.withLock { state in
                state.running += 1
                if state.running > 1 { state.overlaps += 1 }
            }
            state.withLock { state in
                state.labels.append(event.label)
                state.running -= 1
            }
        }
        for number in 0..<500 { listener.send(event(number)) }
        await listener.drain()
        #expect(state.withLock { $0.labels } == (0..<500).map { "created(\($0))" })
        #expect(state.withLock { $0.overlaps } == 0)
    }

    @Test func aBlockedListenerHoldsUpNeitherSenderNorOthers() async {
        let entered = Gate()
        let leave = BlockingGate()
        let heard = LockBox([String]())
        let listener = EventListener { event in
            entered.open()
            leave.wait()
            heard.withLock { $0.append(event.label) }
        }
        listener.send(event(1))
        await entered.wait()
        for number in 2...50 { listener.send(event(number)) }
        #expect(heard.withLock { $0 }.isEmpty)
        leave.open()
        await listener.drain()
        #expect(heard.withLock { $0.count } == 50)
    }

    @Test func drainingAnIdleListenerReturns() async {
        let listener = EventListener { _ in }
        await listener.drain()
        listener.send(event(1))
        await listener.drain()
        await listener.drain()
    }

    @Test func severalMayDrain() async {
        let leave = BlockingGate()
        let listener = EventListener { _ in leave.wait() }
        listener.send(event(1))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<5 { group.addTask { await listener.drain() } }
            group.addTask { leave.open() }
        }
    }

    /// What a listener does from inside its call may send further events.
    @Test func aListenerMayCauseEvents() async {
        let heard = LockBox([String]())
        let box = LockBox<EventListener?>(nil)
        let listener = EventListener { event in
            heard.withLock { $0.append(event.label) }
            if case .uploadCreated("1") = event { box.withLock { $0 }?.send(.restarted(.sourceChanged)) }
        }
        box.withLock { $0 = listener }
        listener.send(event(1))
        await listener.drain()
        #expect(heard.withLock { $0 } == ["created(1)", "restarted(sourceChanged)"])
        box.withLock { $0 = nil }
    }
}
