extension WireLog {
    /// The greatest number of requests of an operation that the server had in hand at the same time.
    ///
    /// A request counts from the end of its head to the end of its answer.
    public func mostAtOnce(of operation: StoreOperation) -> Int {
        var moments: [(time: Duration, change: Int)] = []
        for entry in entries where entry.operation == operation {
            moments.append((entry.arrival, 1))
            if let end = entry.end { moments.append((end, -1)) }
        }
        var now = 0
        var most = 0
        // At one moment, ends come before arrivals: they did not overlap.
        for moment in moments.sorted(by: { ($0.time, $0.change) < ($1.time, $1.change) }) {
            now += moment.change
            most = max(most, now)
        }
        return most
    }

    /// The parts whose requests were answered with success more than once: sent or copied again without need.
    public var repeatedParts: [Int] {
        var counts: [Int: Int] = [:]
        for entry in entries(of: .uploadPart, .uploadPartCopy) where entry.status == 200 {
            if let number = entry.request.partNumber { counts[number, default: 0] += 1 }
        }
        return counts.filter { $0.value > 1 }.keys.sorted()
    }
}
