import TransferPrimitives

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Threads with small stacks that are all joined, those that ended early on the next start and the others by `joinAll`.
///
/// Threads and not tasks: a connection that is told to stall or to answer slowly blocks, and must not take a thread of
/// the pool on which the client under test runs.
final class ThreadGroup: Sendable {
    private struct State {
        var running: Set<ThreadID> = []
        var ended: [ThreadID] = []
    }

    private let state = LockBox(State())
    private let stackSize: Int

    init(stackSize: Int = 512 << 10) { self.stackSize = stackSize }

    /// Starts a thread; false when the system refuses one.
    func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        reap()
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        defer { attributes.deallocate() }
        guard pthread_attr_init(attributes) == 0 else { return false }
        defer { pthread_attr_destroy(attributes) }
        guard pthread_attr_setstacksize(attributes, stackSize) == 0 else { return false }
        let job = ThreadJob(body: body, group: self)
        return state.withLock { state in
            #if canImport(Darwin)
                var thread: pthread_t?
            #else
                var thread = pthread_t()
            #endif
            let context = Unmanaged.passRetained(job)
            guard pthread_create(&thread, attributes, runThreadJob, context.toOpaque()) == 0 else {
                context.release()
                return false
            }
            #if canImport(Darwin)
                guard let thread else { return false }
            #endif
            state.running.insert(ThreadID(thread: thread))
            return true
        }
    }

    /// Waits until every thread has ended. A thread of the group that calls it is left out: it cannot wait for itself.
    func joinAll() {
        while let next = takeAnother() { pthread_join(next.thread, nil) }
    }

    private func takeAnother() -> ThreadID? {
        state.withLock { state in
            if let running = state.running.first(where: { !$0.isCurrent }) { return state.running.remove(running) }
            guard let index = state.ended.firstIndex(where: { !$0.isCurrent }) else { return nil }
            return state.ended.remove(at: index)
        }
    }

    fileprivate func currentThreadEnded() {
        state.withLock { state in
            // Someone who is in `joinAll` may have taken it over already.
            if let current = state.running.remove(ThreadID(thread: pthread_self())) { state.ended.append(current) }
        }
    }

    private func reap() {
        let ended = state.withLock { state in
            defer { state.ended = [] }
            return state.ended
        }
        for thread in ended { pthread_join(thread.thread, nil) }
    }
}

private struct ThreadID: Hashable, @unchecked Sendable {
    // Sendable by hand: on Darwin the identity is a pointer that is only compared and joined.
    let thread: pthread_t

    var isCurrent: Bool { pthread_equal(thread, pthread_self()) != 0 }
}

private final class ThreadJob: Sendable {
    let body: @Sendable () -> Void
    let group: ThreadGroup

    init(body: @escaping @Sendable () -> Void, group: ThreadGroup) {
        self.body = body
        self.group = group
    }
}

#if canImport(Darwin)
    private func runThreadJob(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        runJob(context)
        return nil
    }
#else
    private func runThreadJob(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let context { runJob(context) }
        return nil
    }
#endif

private func runJob(_ context: UnsafeMutableRawPointer) {
    let job = Unmanaged<ThreadJob>.fromOpaque(context).takeRetainedValue()
    job.body()
    job.group.currentThreadEnded()
}
