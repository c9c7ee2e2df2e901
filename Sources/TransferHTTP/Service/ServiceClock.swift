package import TransferPrimitives

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The time as the service sees it: the machine's clock plus what was learnt from the service.
package final class ServiceClock: TransferClock {
    private let offset = LockBox<TimeInterval>(0)
    private let machine: any TransferClock

    package init(_ machine: any TransferClock) { self.machine = machine }

    package var now: Date { machine.now.addingTimeInterval(ahead) }
    package var uptime: Duration { machine.uptime }
    package func sleep(for duration: Duration) async throws { try await machine.sleep(for: duration) }

    /// How far the service's clock is taken to be ahead of the machine's, in seconds.
    package var ahead: TimeInterval { offset.withLock { $0 } }

    /// Takes the service's time over, unless it is no plausible time: intermediaries have answered 1970. Returns whether it is.
    package func learn(_ serverTime: Date) -> Bool {
        guard Self.plausible.contains(serverTime.timeIntervalSince1970) else { return false }
        let learnt = serverTime.timeIntervalSince(machine.now)
        // A `Date` header counts whole seconds: smaller differences are noise.
        offset.withLock { offset in if abs(learnt - offset) >= 1 { offset = learnt } }
        return true
    }

    /// Returns to the machine's clock: what was learnt did not help.
    package func forget() { offset.withLock { $0 = 0 } }

    /// 2020 to 2100.
    private static let plausible = 1_577_836_800.0..<4_102_444_800.0
}
