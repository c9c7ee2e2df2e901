import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Calls `body` on the first SIGINT and lets the second one end the process.
package final class Interrupt {
    private let source: any DispatchSourceSignal

    package init(_ body: @escaping @Sendable () -> Void) {
        // The source only sees a signal that is not handled otherwise.
        signal(SIGINT, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler {
            signal(SIGINT, SIG_DFL)
            body()
        }
        source.resume()
    }

    deinit {
        source.cancel()
        signal(SIGINT, SIG_DFL)
    }
}
