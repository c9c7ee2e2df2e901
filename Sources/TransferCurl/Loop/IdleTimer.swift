/// Notices that nothing moves on a connection. A pure value: the time is given, in nanoseconds.
///
/// Callbacks report bytes as they pass. What they cannot see, a large buffer that goes out slowly, is seen by comparing
/// libcurl's counters four times per limit.
struct IdleTimer {
    /// Bytes of an exchange that were written to its socket and read from it.
    struct Counters: Equatable {
        var sent = 0
        var received = 0
    }

    enum Verdict: Equatable {
        case expired
        case check(at: UInt64)
    }

    private let limit: UInt64
    private var lastMove: UInt64
    private var counters = Counters()

    init(limit: UInt64, now: UInt64) {
        self.limit = limit
        lastMove = now
    }

    /// When `check` is due for the first time.
    var firstCheck: UInt64 { lastMove &+ max(1, limit / 4) }

    mutating func moved(at now: UInt64) { lastMove = now }

    mutating func check(at now: UInt64, _ current: Counters) -> Verdict {
        if current != counters {
            counters = current
            lastMove = max(lastMove, now)
        }
        let end = lastMove &+ limit
        guard now < end else { return .expired }
        return .check(at: min(end, now &+ max(1, limit / 4)))
    }
}
