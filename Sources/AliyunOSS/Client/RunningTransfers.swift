internal import TransferCore
internal import TransferPrimitives

/// The transfers of one client that have not ended, so that a shutdown can end them.
final class RunningTransfers: Sendable {
    private struct State {
        var handles: [Int: TransferHandle] = [:]
        var lastID = 0
        var isDisposed = false
    }

    private let state = LockBox(State())

    /// Starts a transfer and keeps it in view until it ends. Throws `.disposed` after `dispose`.
    func start(_ begin: () throws -> TransferHandle) throws -> TransferHandle {
        try checkRunning()
        let handle = try begin()
        let id: Int? = state.withLock { state in
            guard !state.isDisposed else { return nil }
            state.lastID += 1
            state.handles[state.lastID] = handle
            return state.lastID
        }
        guard let id else {
            handle.dispose()
            return handle
        }
        Task.detached { [self] in
            await handle.waitUntilEnded()
            state.withLock { _ = $0.handles.removeValue(forKey: id) }
        }
        return handle
    }

    /// Throws `.disposed` once the client was shut down.
    func checkRunning() throws(TransferError) {
        if state.withLock({ $0.isDisposed }) {
            throw TransferError(.disposed, "the client was shut down", provider: OSSProvider.name)
        }
    }

    /// Stops all transfers, and returns those that still have to end.
    func dispose() -> [TransferHandle] {
        let handles = state.withLock { state in
            state.isDisposed = true
            return Array(state.handles.values)
        }
        for handle in handles { handle.dispose() }
        return handles
    }
}

extension TransferHandle {
    /// Returns when the transfer has ended, whichever way; who started it learns which.
    func waitUntilEnded() async {
        do { _ = try await value } catch {}
    }
}
