internal import TransferPrimitives

/// The events of one transfer, for one reader, however late it begins.
public struct TransferEvents: AsyncSequence, Sendable {
    public typealias Element = TransferEvent
    public typealias Failure = Never

    let channel: EventChannel

    /// No events: those of a transfer that ended before it began.
    package static var none: TransferEvents {
        let channel = EventChannel()
        channel.finish()
        return TransferEvents(channel: channel)
    }

    /// Drops them from now on, those that wait included: nobody will read them.
    package func ignore() { channel.ignore() }

    /// The one reader's iterator. A second one takes events away from the first.
    public func makeAsyncIterator() -> Iterator { Iterator(channel: channel) }

    /// Reads the events in order; nil once the transfer has ended.
    public struct Iterator: AsyncIteratorProtocol {
        let channel: EventChannel

        public mutating func next() async -> TransferEvent? { await channel.next() }
        public mutating func next(isolation actor: isolated (any Actor)?) async -> TransferEvent? {
            await channel.next()
        }
    }
}

/// The queue between a transfer and the reader of its events.
final class EventChannel: Sendable {
    private struct State {
        var buffer = EventBuffer()
        var isFinished = false
        var isIgnored = false
        var reader: Reader?
        var lastReader = 0
    }

    private struct Reader {
        let id: Int
        let continuation: CheckedContinuation<TransferEvent?, Never>
    }

    private let state = LockBox(State())

    func send(_ event: TransferEvent) {
        let reader: Reader? = state.withLock { state in
            if state.isFinished || state.isIgnored { return nil }
            guard let reader = state.reader else {
                state.buffer.append(event)
                return nil
            }
            state.reader = nil
            return reader
        }
        reader?.continuation.resume(returning: event)
    }

    func ignore() {
        state.withLock { state in
            state.isIgnored = true
            state.buffer = EventBuffer()
        }
    }

    func finish() {
        let reader = state.withLock { state in
            defer { state.reader = nil }
            state.isFinished = true
            return state.reader
        }
        reader?.continuation.resume(returning: nil)
    }

    /// The next event; nil at the end, when the reading task is cancelled, or when another reader already waits.
    func next() async -> TransferEvent? {
        let id = state.withLock { state in
            state.lastReader += 1
            return state.lastReader
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome: TransferEvent?? = state.withLock { state in
                    if let event = state.buffer.next() { return .some(event) }
                    if state.isFinished || state.reader != nil || Task.isCancelled { return .some(nil) }
                    state.reader = Reader(id: id, continuation: continuation)
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            // Another reader than this one goes on waiting.
            let reader: Reader? = state.withLock { state in
                guard state.reader?.id == id else { return nil }
                defer { state.reader = nil }
                return state.reader
            }
            reader?.continuation.resume(returning: nil)
        }
    }
}
