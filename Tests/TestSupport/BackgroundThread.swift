import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A thread for what blocks and is not waited for: the few threads that run all tests must not stand still.
package enum BackgroundThread {
    /// A peer that goes away is an error there, and no signal.
    package static func start(_ body: @escaping @Sendable () -> Void) {
        Thread.detachNewThread {
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            body()
        }
    }
}
