/// Events that nobody has read yet: life-cycle and part events all and in order, progress the newest only.
///
/// Progress is handed out when everything else has been read, or in its place before the events that end a transfer.
struct EventBuffer {
    private var events: [TransferEvent] = []
    private var head = 0
    private var progress: TransferEvent?

    mutating func append(_ event: TransferEvent) {
        switch event {
        case .progress:
            progress = event
            return
        case .completed, .stopping:
            if let progress { events.append(progress) }
            progress = nil
        default: break
        }
        events.append(event)
    }

    mutating func next() -> TransferEvent? {
        guard head < events.count else {
            defer { progress = nil }
            return progress
        }
        defer {
            head += 1
            if head == events.count {
                events.removeAll(keepingCapacity: true)
                head = 0
            }
        }
        return events[head]
    }
}
