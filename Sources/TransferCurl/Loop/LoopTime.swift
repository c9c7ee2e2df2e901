#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The time of the current turn of a loop: read once per turn, not once per buffer.
final class LoopTime {
    /// Nanoseconds since some moment in the past.
    private(set) var now = LoopTime.read()

    func update() { now = Self.read() }

    /// `duration` in nanoseconds; zero for none or less, and so long that it never ends for very long ones.
    static func nanoseconds(_ duration: Duration) -> UInt64 {
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return min(UInt64(seconds), longest) * 1_000_000_000 + UInt64(attoseconds) / 1_000_000_000
    }

    /// A hundred years, in seconds.
    private static let longest: UInt64 = 3_153_600_000

    private static func read() -> UInt64 {
        var time = timespec()
        // Cannot fail for this clock.
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
