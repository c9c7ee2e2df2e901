import TestSupport
import Testing
import TransferPrimitives

@testable import TransferCore

/// The queue between a transfer and the one who reads its events.
@Suite(.timeLimit(.minutes(1))) struct EventChannelTests {
    private func event(_ number: Int) -> TransferEvent { .uploadCreated(uploadID: "\(number)") }

    @Test func aLateReaderMissesNothing() async {
        let channel = EventChannel()
        for number in 1...3 { channel.send(event(number)) }
        channel.finish()
        #expect(await readAll(channel) == ["created(1)", "created(2)", "created(3)"])
        #expect(await channel.next() == nil)
        channel.send(event(4))
        #expect(await channel.next() == nil, "nothing comes after the end")
    }

    @Test func ignoredEventsDoNotWait() async {
        let channel = EventChannel()
        channel.send(event(1))
        TransferEvents(channel: channel).ignore()
        channel.send(event(2))
        channel.finish()
        #expect(await readAll(channel) == [])
    }

    @Test func aTransferThatNeverBeganHasNone() async {
        for await event in TransferEvents.none { Issue.record("there is \(event)") }
    }

    @Test func aWaitingReaderIsWoken() async {
        let channel = EventChannel()
        async let read = readAll(channel)
        for number in 1...1000 {
            channel.send(event(number))
            if number % 100 == 0 { await Task.yield() }
        }
        channel.finish()
        #expect(await read == (1...1000).map { "created(\($0))" })
    }

    @Test func aCancelledReaderEndsAndTheNextGoesOn() async {
        let channel = EventChannel()
        channel.send(event(1))
        let started = Gate()
        let reader = Task {
            var labels: [String] = []
            while let event = await channel.next() {
                labels.append(event.label)
                started.open()
            }
            return labels
        }
        await started.wait()
        reader.cancel()
        #expect(await reader.value == ["created(1)"])
        channel.send(event(2))
        channel.finish()
        #expect(await readAll(channel) == ["created(2)"])
    }

    @Test func readingInACancelledTaskEndsAtOnce() async {
        let channel = EventChannel()
        let reader = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await channel.next()
        }
        #expect(await reader.value == nil)
    }

    /// Two readers are a mistake; one of them ends at once, and whatever else comes costs the other nothing.
    @Test func aSecondReaderDoesNotDisturbTheFirst() async {
        let channel = EventChannel()
        await withTaskGroup(of: [String].self) { group in
            for _ in 0..<2 { group.addTask { await readAll(channel) } }
            #expect(await group.next() == [])
            // A third one, in a task that is cancelled.
            let cancelled = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await channel.next()
            }
            #expect(await cancelled.value == nil)
            channel.send(event(1))
            channel.finish()
            #expect(await group.next() == ["created(1)"])
        }
    }

    @Test func manySendersLoseNothing() async {
        let channel = EventChannel()
        async let read = readAll(channel)
        await withTaskGroup(of: Void.self) { group in
            for sender in 0..<8 {
                group.addTask { for number in 0..<250 { channel.send(event(sender * 1000 + number)) } }
            }
        }
        channel.finish()
        let labels = await read
        #expect(labels.count == 2000)
        for sender in 0..<8 {
            let own = labels.compactMap { Int($0.dropFirst(8).dropLast()) }.filter { $0 / 1000 == sender }
            #expect(own == own.sorted())
        }
    }
}

private func readAll(_ channel: EventChannel) async -> [String] {
    var labels: [String] = []
    for await event in TransferEvents(channel: channel) { labels.append(event.label) }
    return labels
}
