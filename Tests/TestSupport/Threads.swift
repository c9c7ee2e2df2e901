#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Runs `body` on `count` threads of their own at once and returns when all have ended.
package func runThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    var threads: [pthread_t] = []
    for number in 0..<count {
        let work = Unmanaged.passRetained(ThreadWork { body(number) })
        var thread: pthread_t?
        #if canImport(Darwin)
            let result = pthread_create(&thread, nil, runWork, work.toOpaque())
        #else
            var started = pthread_t()
            let result = pthread_create(&started, nil, runWork, work.toOpaque())
            thread = started
        #endif
        if result == 0, let thread { threads.append(thread) } else { work.takeRetainedValue().body() }
    }
    for thread in threads { pthread_join(thread, nil) }
}

private final class ThreadWork: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

#if canImport(Darwin)
    private func runWork(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        Unmanaged<ThreadWork>.fromOpaque(argument).takeRetainedValue().body()
        return nil
    }
#else
    private func runWork(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let argument { Unmanaged<ThreadWork>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
    }
#endif
