import TransferPrimitives

/// Holds chosen requests of a `MemoryBackend` until the test lets them go, and tells when they come.
package final class Holds: Sendable {
    package typealias Request = MemoryBackend.Request

    private struct Waiter {
        let isReady: @Sendable (Book) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    /// What has come, and what waits now.
    package struct Book: Sendable {
        package var arrivals: [Request] = []
        package var waiting: [Request] = []
    }

    private struct State {
        var held: [(matches: @Sendable (Request) -> Bool, gate: Gate)] = []
        var book = Book()
        var waiters: [Waiter] = []
    }

    private let state = LockBox(State())

    package init() {}

    /// Holds every request that matches, until `letGo`.
    @discardableResult
    package func hold(_ matches: @escaping @Sendable (Request) -> Bool) -> Gate {
        let gate = Gate()
        state.withLock { $0.held.append((matches, gate)) }
        return gate
    }

    @discardableResult
    package func hold(_ request: Request) -> Gate { hold { $0 == request } }

    package var book: Book { state.withLock { $0.book } }

    /// To be called before each request is performed.
    package func pass(_ request: Request) async throws {
        let gate = change { state in
            state.book.arrivals.append(request)
            let gate = state.held.first { $0.matches(request) && !$0.gate.isOpen }?.gate
            if gate != nil { state.book.waiting.append(request) }
            return gate
        }
        defer {
            change { state in
                if gate != nil, let index = state.book.waiting.firstIndex(of: request) {
                    state.book.waiting.remove(at: index)
                }
            }
        }
        try await gate?.waitOrCancel()
    }

    /// Waits until the book says so.
    package func until(_ isReady: @escaping @Sendable (Book) -> Bool) async {
        await withCheckedContinuation { continuation in
            let ready = state.withLock { state in
                if isReady(state.book) { return true }
                state.waiters.append(Waiter(isReady: isReady, continuation: continuation))
                return false
            }
            if ready { continuation.resume() }
        }
    }

    /// Waits until `request` has come `count` times.
    package func arrival(of request: Request, _ count: Int = 1) async {
        await until { book in book.arrivals.count { $0 == request } >= count }
    }

    private func change<Value>(_ body: (inout State) -> Value) -> Value {
        let (value, ready) = state.withLock { state in
            let value = body(&state)
            let ready = state.waiters.filter { $0.isReady(state.book) }
            state.waiters.removeAll { $0.isReady(state.book) }
            return (value, ready)
        }
        for waiter in ready { waiter.continuation.resume() }
        return value
    }
}
