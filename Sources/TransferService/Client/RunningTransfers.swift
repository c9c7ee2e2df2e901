package import TransferCore
package import TransferHTTP
package import TransferPrimitives

/// The transfers of one client that have not ended, so that a shutdown can end them.
package final class RunningTransfers: Sendable {
    private struct State {
        var handles: [Int: TransferHandle] = [:]
        var lastID = 0
        var isDisposed = false
    }

    private let provider: String
    private let state = LockBox(State())

    /// - Parameter provider: The name of the service in errors.
    package init(of provider: String) { self.provider = provider }

    /// Starts a transfer and keeps it in view until it ends. Throws `.disposed` after `shutDown`.
    package func start(_ begin: () throws -> TransferHandle) throws -> TransferHandle {
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
    package func checkRunning() throws(TransferError) {
        if state.withLock({ $0.isDisposed }) {
            throw TransferError(.disposed, "the client was shut down", provider: provider)
        }
    }

    /// Stops all transfers as by a pause, then `client` with whatever else goes through it. One that is being completed
    /// gets 5 s to learn its outcome. Returns when everything has ended.
    package func shutDown(_ client: ServiceClient, clock: any TransferClock) async {
        let running = dispose()
        let cut = Task {
            try await clock.sleep(for: .seconds(5))
            await client.shutdown()
        }
        for handle in running { await handle.waitUntilEnded() }
        cut.cancel()
        await client.shutdown()
    }

    /// Stops all transfers, and returns those that still have to end.
    private func dispose() -> [TransferHandle] {
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
    fileprivate func waitUntilEnded() async {
        do { _ = try await value } catch {}
    }
}
