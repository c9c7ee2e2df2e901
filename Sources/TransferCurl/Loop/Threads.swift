#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

#if canImport(Darwin)
    typealias ThreadContext = UnsafeMutableRawPointer
#else
    typealias ThreadContext = UnsafeMutableRawPointer?
#endif

/// Starts a thread that nobody joins; false when the system has none left. `body` takes over `context`.
func startDetachedThread(
    _ body: @escaping @convention(c) (ThreadContext) -> UnsafeMutableRawPointer?, _ context: UnsafeMutableRawPointer
) -> Bool {
    #if canImport(Darwin)
        var thread: pthread_t?
    #else
        var thread = pthread_t()
    #endif
    guard pthread_create(&thread, nil, body, context) == 0 else { return false }
    #if canImport(Darwin)
        if let thread { pthread_detach(thread) }
    #else
        pthread_detach(thread)
    #endif
    return true
}

/// The object that was handed over to a thread with `Unmanaged.passRetained`.
func takeContext<Object: AnyObject>(_ context: ThreadContext) -> Object? {
    let pointer: UnsafeMutableRawPointer? = context
    return pointer.map { Unmanaged<Object>.fromOpaque($0).takeRetainedValue() }
}

/// Keeps SIGPIPE from this thread: OpenSSL writes to sockets that the peer may have closed, and libcurl, told not to
/// touch signals, does not guard it. The process's own handlers stay as they are.
func blockBrokenPipeSignal() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
}

/// A number that tells the current thread from all others that are alive.
func currentThreadNumber() -> UInt {
    #if canImport(Glibc)
        UInt(pthread_self())
    #else
        UInt(bitPattern: pthread_self())
    #endif
}
