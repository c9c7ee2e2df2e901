#if canImport(Glibc)
    package import Glibc
#elseif canImport(Musl)
    package import Musl
#else
    package import Darwin
#endif

/// A value that is only reachable while its lock is held.
///
/// Built on `pthread_mutex_t`, which the thread sanitizer understands; `Synchronization.Mutex` reports false races
/// under it once contended (seen with Swift 6.3 on Linux).
///
/// Inlinable, so that each use is compiled for the value it holds: a lock is taken a few dozen times for every part, and
/// code for any value at all looks up its type each time.
package final class LockBox<Value>: @unchecked Sendable {
    // Sendable by hand: `value` is touched only between lock and unlock.
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline var value: Value

    @inlinable
    package init(_ value: sending Value) {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        self.value = value
    }

    @inlinable
    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1)
        mutex.deallocate()
    }

    /// Runs `body` with the lock held. Calling back into the same box from `body` deadlocks: compute, return, then act.
    @inlinable
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
