internal import Dispatch
internal import TransferPrimitives

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Lets the callbacks of one upload run one at a time. A callback may enter its own lane again.
///
/// Entering blocks the thread until the callback that runs has returned. Never called on a thread of the concurrency pool but
/// by `dispose`, and a callback needs nothing of that pool to return.
final class CallbackLane: Sendable {
    private let turn = DispatchSemaphore(value: 1)
    /// The thread in the lane.
    private let owner = LockBox<UInt?>(nil)

    /// Whether the current thread is in the lane.
    var isHeldHere: Bool { owner.withLock { $0 } == Self.currentThread }

    /// Runs `body` in the lane, after whatever runs there.
    func run(_ body: () -> Void) {
        if isHeldHere { return body() }
        turn.wait()
        runOwning(body)
    }

    /// Runs `body` in the lane unless another thread is there.
    func runIfFree(_ body: () -> Void) {
        if isHeldHere { return body() }
        guard turn.wait(timeout: .now()) == .success else { return }
        runOwning(body)
    }

    private func runOwning(_ body: () -> Void) {
        owner.withLock { $0 = Self.currentThread }
        body()
        owner.withLock { $0 = nil }
        turn.signal()
    }

    /// A number that tells the current thread from all others that are alive.
    private static var currentThread: UInt {
        #if canImport(Glibc)
            UInt(pthread_self())
        #else
            UInt(bitPattern: pthread_self())
        #endif
    }
}
