#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Where the library takes time from: the wall clock for dates and signatures, a monotonic one for intervals, and sleep.
///
/// Tests pass a clock that they advance by hand:
///
///     struct FrozenClock: TransferClock {
///         var now: Date { Date(timeIntervalSince1970: 1_751_356_800) }
///         var uptime: Duration { .zero }
///         func sleep(for duration: Duration) async throws { try Task.checkCancellation() }
///     }
public protocol TransferClock: Sendable {
    /// The wall clock. May jump.
    var now: Date { get }
    /// Time since an arbitrary moment in the past. Never goes back.
    var uptime: Duration { get }
    /// Suspends for `duration`; throws `CancellationError` at once when the task is cancelled.
    func sleep(for duration: Duration) async throws
}

/// The clocks of the machine.
public struct SystemClock: TransferClock {
    private static let origin = ContinuousClock.now

    /// There is nothing to set.
    public init() {}

    public var now: Date { Date() }
    public var uptime: Duration { ContinuousClock.now - Self.origin }
    public func sleep(for duration: Duration) async throws {
        try await Task.sleep(for: duration, clock: .continuous)
    }
}
