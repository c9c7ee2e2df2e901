internal import TransferPrimitives

/// Makes a journal durable on a thread of its own, one call at a time.
///
/// A scheduled synchronisation covers everything written until it begins, so that many records cost one call, and no
/// record waits for the disk.
final class JournalSyncer: Sendable {
    private struct State {
        var isScheduled = false
        /// The first failure that nobody has been told of.
        var failure: SystemCallError?
    }

    private let fileSystem: any FileSystem
    private let queue: any SerialQueue
    private let state = LockBox(State())

    init(fileSystem: any FileSystem, queue: any SerialQueue) {
        self.fileSystem = fileSystem
        self.queue = queue
    }

    /// Synchronises soon. A failure is told by the next `synchronize`.
    func schedule(_ file: OpenFile) {
        let isFirst = state.withLock { state in
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        guard isFirst else { return }
        queue.async { [self] in
            state.withLock { $0.isScheduled = false }
            if let failure = attempt(file) { state.withLock { $0.failure = $0.failure ?? failure } }
        }
    }

    /// Returns once all that was written before is durable.
    func synchronize(_ file: OpenFile) async throws {
        let failure: SystemCallError? = await withCheckedContinuation { continuation in
            queue.async { [self] in
                let now = attempt(file)
                let earlier = state.withLock { state in
                    defer { state.failure = nil }
                    return state.failure
                }
                continuation.resume(returning: now ?? earlier)
            }
        }
        if let failure { throw failure }
    }

    /// Returns once nothing is under way any more.
    func drain() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    private func attempt(_ file: OpenFile) -> SystemCallError? {
        do throws(SystemCallError) {
            try fileSystem.synchronize(file)
            return nil
        } catch {
            return error
        }
    }
}
