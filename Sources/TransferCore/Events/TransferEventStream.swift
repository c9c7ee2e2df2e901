internal import TransferPrimitives

/// The events of one transfer, for one reader.
///
/// Everything waits for the reader, however late it begins, except progress: of several unread progress events in a row only
/// the newest is kept.
public struct TransferEvents: AsyncSequence, Sendable {
    public typealias Element = TransferEvent
    public typealias Failure = Never

    let channel: EventChannel

    public func makeAsyncIterator() -> Iterator { Iterator(channel: channel) }

    public struct Iterator: AsyncIteratorProtocol {
        let channel: EventChannel

        public mutating func next() async -> TransferEvent? { await channel.next() }
        public mutating func next(isolation actor: isolated (any Actor)?) async -> TransferEvent? {
            await channel.next()
        }
    }
}

/// The queue between a transfer and the reader of its events.
package final class EventChannel: Sendable {
    private struct State {
        var events: [TransferEvent] = []
        var head = 0
        var isFinished = false
        var reader: CheckedContinuation<TransferEvent?, Never>?
    }

    private let state = LockBox(State())

    package init() {}

    package func send(_ event: TransferEvent) {
        let reader: CheckedContinuation<TransferEvent?, Never>? = state.withLock { state in
            guard !state.isFinished else { return nil }
            if let reader = state.reader {
                state.reader = nil
                return reader
            }
            if case .progress = event, state.head < state.events.count, case .progress? = state.events.last {
                state.events[state.events.count - 1] = event
            } else {
                state.events.append(event)
            }
            return nil
        }
        reader?.resume(returning: event)
    }

    package func finish() {
        let reader = state.withLock { state in
            state.isFinished = true
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }

    /// The next event; nil at the end, when the reading task is cancelled, or when another reader already waits.
    package func next() async -> TransferEvent? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome: TransferEvent?? = state.withLock { state in
                    if state.head < state.events.count {
                        let event = state.events[state.head]
                        state.head += 1
                        if state.head == state.events.count {
                            state.events.removeAll(keepingCapacity: true)
                            state.head = 0
                        }
                        return .some(event)
                    }
                    if state.isFinished || state.reader != nil || Task.isCancelled { return .some(nil) }
                    state.reader = continuation
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            let reader = state.withLock { state in
                defer { state.reader = nil }
                return state.reader
            }
            reader?.resume(returning: nil)
        }
    }
}
