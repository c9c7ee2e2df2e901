import TransferPrimitives

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A clock on which short waits take no time, and long ones last until they are cancelled: pauses before repeats come to
/// nothing, and no limit ends by itself. It tells what was waited for.
package final class ImpatientClock: TransferClock {
    private let system = SystemClock()
    private let longest: Duration
    private let state = LockBox((slept: [Duration](), skipped: Duration.zero))
    private let never = Gate()

    /// - Parameter longest: The longest wait that takes no time.
    package init(longest: Duration = .seconds(4)) { self.longest = longest }

    package var now: Date { system.now }
    package var uptime: Duration { system.uptime + state.withLock { $0.skipped } }

    /// The waits that took no time, in order.
    package var sleeps: [Duration] { state.withLock { $0.slept } }

    package func sleep(for duration: Duration) async throws {
        guard duration <= longest else { return try await never.waitOrCancel() }
        try Task.checkCancellation()
        state.withLock { state in
            state.slept.append(duration)
            state.skipped += max(.zero, duration)
        }
    }
}
