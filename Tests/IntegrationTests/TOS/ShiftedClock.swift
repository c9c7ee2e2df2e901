import ObjectTransfer

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A clock that is wrong by a fixed number of seconds.
struct ShiftedClock: TransferClock {
    private let system = SystemClock()
    private let shift: TimeInterval

    init(by seconds: TimeInterval) { shift = seconds }

    var now: Date { system.now.addingTimeInterval(shift) }
    var uptime: Duration { system.uptime }
    func sleep(for duration: Duration) async throws { try await system.sleep(for: duration) }
}
