import TransferPrimitives

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A door for tasks: everybody waits until it is opened, once.
package final class Gate: Sendable {
    private enum Entry {
        case waiting(CheckedContinuation<Bool, Never>)
        /// Cancelled before it came to wait.
        case cancelled
    }

    private struct State {
        var isOpen = false
        var entries: [Int: Entry] = [:]
        var lastEntry = 0
    }

    private let state = LockBox(State())

    package init() {}

    package var isOpen: Bool { state.withLock { $0.isOpen } }

    package func open() {
        let entries = state.withLock { state in
            defer { state.entries = [:] }
            state.isOpen = true
            return Array(state.entries.values)
        }
        for case .waiting(let continuation) in entries { continuation.resume(returning: true) }
    }

    /// Waits for the door and for nothing else, also in a cancelled task.
    package func wait() async { _ = await enter(newEntry()) }

    /// Waits for the door; throws `CancellationError` at once when the task is cancelled, as a good backend does.
    package func waitOrCancel() async throws {
        let id = newEntry()
        let isOpen = await withTaskCancellationHandler {
            await enter(id)
        } onCancel: {
            let entry = state.withLock { state in
                let entry = state.entries[id]
                state.entries[id] = state.isOpen ? nil : .cancelled
                return entry
            }
            if case .waiting(let continuation)? = entry { continuation.resume(returning: false) }
        }
        if !isOpen { throw CancellationError() }
    }

    private func newEntry() -> Int {
        state.withLock { state in
            state.lastEntry += 1
            return state.lastEntry
        }
    }

    private func enter(_ id: Int) async -> Bool {
        await withCheckedContinuation { continuation in
            let outcome: Bool? = state.withLock { state in
                if state.isOpen { return true }
                if case .cancelled? = state.entries.removeValue(forKey: id) { return false }
                state.entries[id] = .waiting(continuation)
                return nil
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }
}

/// A door for threads.
package final class BlockingGate: @unchecked Sendable {
    // Sendable by hand: the flag is touched with the mutex held.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var isOpen = false

    package init() {
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        condition.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    package func open() {
        pthread_mutex_lock(mutex)
        isOpen = true
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
    }

    package func wait() {
        pthread_mutex_lock(mutex)
        while !isOpen { pthread_cond_wait(condition, mutex) }
        pthread_mutex_unlock(mutex)
    }
}
