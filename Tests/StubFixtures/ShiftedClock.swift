internal import TransferPrimitives

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A clock that is wrong by a fixed number of seconds.
package struct ShiftedClock: TransferClock {
    private let system = SystemClock()
    private let shift: TimeInterval

    package init(by seconds: TimeInterval) { shift = seconds }

    package var now: Date { system.now.addingTimeInterval(shift) }
    package var uptime: Duration { system.uptime }
    package func sleep(for duration: Duration) async throws { try await system.sleep(for: duration) }
}
