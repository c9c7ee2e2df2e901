/// The markers of the pages that were fetched, as far as it takes to notice that a service leads in a circle: one of them, which is
/// replaced each time that twice as many have followed it (Brent's algorithm).
struct PageTrail<Marker: Equatable & Sendable>: Sendable {
    private var kept: Marker
    private var stepsSince = 0
    private var limit = 1

    init(_ first: Marker) { kept = first }

    /// Takes the marker of another page; false when it was seen before.
    mutating func leads(to marker: Marker) -> Bool {
        guard marker != kept else { return false }
        stepsSince += 1
        if stepsSince == limit {
            kept = marker
            stepsSince = 0
            limit *= 2
        }
        return true
    }
}
