/// Tells work that is under way that no more of it is wanted, in a way that spares a request on the wire.
///
/// A piece of work that is only waiting, for its next attempt, a free connection, credentials, an address, has nothing to
/// lose: a stop ends the wait at once, and none begins after it. A request that has begun goes on, for whoever stopped the
/// work decides how long it may.
///
/// Found by the task: what waits for a request need not be told which work it belongs to.
package final class StopSignal: Sendable {
    private struct State {
        var isStopped = false
        var hasEndedWait = false
        var lastID = 0
        /// Ends of the waits that go on now.
        var ends: [Int: @Sendable () -> Void] = [:]
    }

    /// That of the work which the current task does, if it has one.
    @TaskLocal package static var current: StopSignal?

    private let state = LockBox(State())

    package init() {}

    /// Whether the work was told to stop.
    package var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Whether a wait was ended or refused, so that the work came to an end by this signal.
    package var hasEndedWait: Bool { state.withLock { $0.hasEndedWait } }

    /// Ends every wait that the work is in, and every later one.
    package func stop() {
        let ends = state.withLock { state in
            state.isStopped = true
            if !state.ends.isEmpty { state.hasEndedWait = true }
            return Array(state.ends.values)
        }
        for end in ends { end() }
    }

    /// The value of `ready`, or, when that is nil, of `wait`. What is there at once needs no task to wait in.
    ///
    /// - Throws: As `waiting(_:)`; after a stop also when the value is there.
    @inlinable
    package static func waiting<Value: Sendable>(
        unless ready: @autoclosure () -> Value?, _ wait: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try current?.check()
        if let value = ready() { return value }
        return try await waiting(wait)
    }

    /// Runs `wait`, during which there is no request on the wire, in a task of its own.
    ///
    /// - Throws: `CancellationError` after a stop, and what `wait` throws.
    package static func waiting<Value: Sendable>(
        _ wait: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let signal = current else { return try await wait() }
        try signal.check()
        let task = Task { try await wait() }
        let id = signal.enter { task.cancel() }
        defer { signal.leave(id) }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    @usableFromInline
    func check() throws {
        let isStopped = state.withLock { state in
            if state.isStopped { state.hasEndedWait = true }
            return state.isStopped
        }
        if isStopped { throw CancellationError() }
    }

    private func enter(_ end: @escaping @Sendable () -> Void) -> Int {
        let (id, isStopped) = state.withLock { state in
            state.lastID += 1
            if state.isStopped { state.hasEndedWait = true } else { state.ends[state.lastID] = end }
            return (state.lastID, state.isStopped)
        }
        if isStopped { end() }
        return id
    }

    private func leave(_ id: Int) { state.withLock { $0.ends[id] = nil } }
}
