import TransferPrimitives

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// One request as the server saw it.
public struct WireEntry: Sendable {
    /// How far the server has come with it.
    public enum Phase: Int, Sendable, Comparable {
        /// The head has been read.
        case arrived
        /// The answer has been written, or the connection ended instead.
        case ended

        public static func < (a: Phase, b: Phase) -> Bool { a.rawValue < b.rawValue }
    }

    /// The number of the request, from 1, in the order of arrival.
    public let number: Int
    /// The number of the connection it came on, from 1.
    public let connection: Int
    /// The server's clock at arrival.
    public let time: Date
    /// Time from the server's start to arrival, on a clock that never jumps.
    public let arrival: Duration
    /// The head's bytes as they came, the signature and tokens included.
    public let head: [UInt8]
    /// What the request asks for.
    public let request: StoreRequest
    /// How far it has come.
    public var phase = Phase.arrived
    /// Bytes of the body that were read.
    public var bodyLength: UInt64 = 0
    /// The body where it is a document, at most 64 KiB of it; empty for the bytes of objects and parts.
    public var document: [UInt8] = []
    static let documentLimit = 64 << 10
    /// The status answered, noted before the answer goes out; nil when the connection ended instead.
    public var status: Int?
    /// The error code answered.
    public var code: String?
    /// The request id answered.
    public var requestID: String?
    /// Time from the server's start to the end of the answer.
    public var end: Duration?
    /// The faults that met it, by name.
    public var faults: [String] = []
    /// Why the signature was refused: which component differed.
    public var diagnosis: String?
    /// Whether the client was seen to close the connection before it was answered.
    public var peerClosedEarly = false
    /// Whether the connection was reset, closed or lost before the answer was complete.
    public var answerWasCut = false

    /// That of `request`.
    public var operation: StoreOperation { request.operation }
    /// The head as text.
    public var headText: String { String(decoding: head, as: UTF8.self) }
    /// The document as text.
    public var documentText: String { String(decoding: document, as: UTF8.self) }

    /// The value of a request header, found without regard to case.
    public func header(_ name: String) -> String? {
        for line in headText.split(whereSeparator: \.isNewline).dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, parts[0].lowercased() == name.lowercased() {
                return String(parts[1].drop { $0 == " " })
            }
        }
        return nil
    }
}

extension WireEntry: CustomStringConvertible {
    /// One line without secrets.
    public var description: String {
        var text = "#\(number) c\(connection) \(request.operation) \(request.bucket ?? "-")/\(request.key ?? "")"
        if let part = request.partNumber { text += " part \(part)" }
        if let range = request.range { text += " \(range)" }
        text += " → \(status.map { String($0) } ?? (phase == .ended ? "cut" : "…"))"
        if let code { text += " \(code)" }
        if !faults.isEmpty { text += " [\(faults.joined(separator: ", "))]" }
        if let diagnosis { text += " (\(diagnosis))" }
        return text
    }
}

/// Every request that reached the server, in the order of arrival.
public final class WireLog: Sendable {
    private struct State {
        var entries: [WireEntry] = []
        /// The number of the first entry that is still kept, less one.
        var dropped = 0
        var counters: [StoreOperation: Int] = [:]
        var connections = 0
        var endedConnections = 0
    }

    private struct Watcher {
        let waiters: CountWaiters
        let count: @Sendable () -> Int
    }

    private let state = LockBox(State())
    private let connectionWaiters = CountWaiters()
    private let watchers = LockBox<[Int: Watcher]>([:])
    private let nextWatcher = LockBox(0)
    private let start = ContinuousClock.now
    private let limit: Int
    private let observer: (@Sendable (WireEntry) -> Void)?

    init(limit: Int, observer: (@Sendable (WireEntry) -> Void)?) {
        self.limit = max(1, limit)
        self.observer = observer
    }

    // MARK: Reading

    /// The requests that are kept: all, or the newest when there were more than the configured limit.
    public var entries: [WireEntry] { state.withLock { $0.entries } }

    /// The requests of these operations.
    public func entries(of operations: StoreOperation...) -> [WireEntry] {
        entries.filter { operations.contains($0.operation) }
    }

    /// How many requests of an operation have arrived, those no longer kept included.
    public func count(of operation: StoreOperation) -> Int { state.withLock { $0.counters[operation] ?? 0 } }

    /// How many requests of each operation have arrived.
    public var counts: [StoreOperation: Int] { state.withLock { $0.counters } }

    /// How many connections have been accepted.
    public var connectionCount: Int { state.withLock { $0.connections } }

    /// How many connections are open now.
    public var openConnectionCount: Int { state.withLock { $0.connections - $0.endedConnections } }

    /// Forgets every entry and count.
    public func clear() {
        state.withLock { state in
            state.dropped += state.entries.count
            state.entries = []
            state.counters = [:]
        }
    }

    // MARK: Waiting

    /// Waits until `count` requests of an operation have come as far as `phase`, those before the call included.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func waitFor(
        count: Int = 1, operation: StoreOperation, phase: WireEntry.Phase = .arrived
    ) async throws {
        try await waitFor(count: count, phase: phase) { $0.operation == operation }
    }

    /// Waits until `count` requests that fit `condition` have come as far as `phase`, those before the call included.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func waitFor(
        count: Int = 1, phase: WireEntry.Phase = .arrived, where condition: @escaping @Sendable (WireEntry) -> Bool
    ) async throws {
        let current: @Sendable () -> Int = { [state] in
            // The entries are copied out, for the condition is code of the test.
            state.withLock { $0.entries }.count { $0.phase >= phase && condition($0) }
        }
        let watcher = Watcher(waiters: CountWaiters(), count: current)
        let id = nextWatcher.withLock { id in
            id += 1
            return id
        }
        watchers.withLock { $0[id] = watcher }
        defer { watchers.withLock { _ = $0.removeValue(forKey: id) } }
        try await watcher.waiters.wait(for: count, current: current)
    }

    /// Waits until every connection that has been accepted by now is closed.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func waitUntilConnectionsEnd() async throws {
        try await connectionWaiters.wait(for: connectionCount) { state.withLock { $0.endedConnections } }
    }

    // MARK: Writing

    func connectionOpened() -> Int {
        state.withLock { state in
            state.connections += 1
            return state.connections
        }
    }

    func connectionEnded() {
        let ended = state.withLock { state in
            state.endedConnections += 1
            return state.endedConnections
        }
        connectionWaiters.reached(ended)
    }

    /// Notes a request that has arrived, and returns its number.
    func begin(
        _ request: StoreRequest, head: [UInt8], connection: Int, time: Date, faults: [String] = []
    ) -> Int {
        let arrival = start.duration(to: .now)
        let number = state.withLock { state -> Int in
            let number = state.dropped + state.entries.count + 1
            var entry = WireEntry(
                number: number, connection: connection, time: time, arrival: arrival, head: head, request: request)
            entry.faults = faults
            state.entries.append(entry)
            state.counters[request.operation, default: 0] += 1
            if state.entries.count > limit {
                // In steps, so that a long run does not move the whole log for every request.
                let surplus = max(1, limit / 4)
                state.entries.removeFirst(surplus)
                state.dropped += surplus
            }
            return number
        }
        notify()
        return number
    }

    /// Changes the entry of a request, if it is still kept.
    func update(_ number: Int, _ change: (inout WireEntry) -> Void) {
        state.withLock { state in
            let index = number - state.dropped - 1
            if state.entries.indices.contains(index) { change(&state.entries[index]) }
        }
    }

    /// Notes that the server is done with a request.
    func end(_ number: Int, _ change: (inout WireEntry) -> Void) {
        let end = start.duration(to: .now)
        let entry = state.withLock { state -> WireEntry? in
            let index = number - state.dropped - 1
            guard state.entries.indices.contains(index) else { return nil }
            change(&state.entries[index])
            state.entries[index].end = end
            state.entries[index].phase = .ended
            return state.entries[index]
        }
        if let entry { observer?(entry) }
        notify()
    }

    private func notify() {
        let watchers = watchers.withLock { Array($0.values) }
        for watcher in watchers { watcher.waiters.reached(watcher.count()) }
    }
}
