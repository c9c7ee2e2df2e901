import CSimulation

/// The threads and the time of a simulation: one job at a time, chosen by the seed among all that are ready; time passes only
/// when none is.
///
/// Unchecked, as everything of the simulation that changes: all of it runs on the one thread that calls `run`.
package final class Scheduler: @unchecked Sendable {
    private enum Item {
        /// A job of the concurrency runtime.
        case job(UnsafeMutableRawPointer)
        case work(@Sendable () -> Void)
    }

    private struct Timer {
        let due: Duration
        let id: Int
        let work: @Sendable () -> Void
    }

    /// Where the runtime's jobs go.
    nonisolated(unsafe) private static var current: Scheduler?

    private var ready: [Item] = []
    /// The next one last.
    private var timers: [Timer] = []
    private var lastID = 0
    private(set) var now: Duration = .zero
    /// Jobs and timers so far.
    private(set) var steps = 0
    var random: TracedRandom

    package init(seed: UInt64) { random = TracedRandom(seed: seed) }

    /// Takes the runtime's jobs of this process over, for ever.
    package static func takeOver() {
        transfer_simulation_take_over { job in
            guard let job else { return }
            // A job without a scheduler would never run: nothing makes one between two histories.
            Scheduler.current?.ready.append(.job(job))
        }
    }

    /// Has the runtime's jobs come here.
    func begin() { Self.current = self }

    func end() { Self.current = nil }

    func newID() -> Int {
        lastID += 1
        return lastID
    }

    func perform(_ work: @escaping @Sendable () -> Void) { ready.append(.work(work)) }

    @discardableResult
    func after(_ delay: Duration, _ work: @escaping @Sendable () -> Void) -> Int {
        let timer = Timer(due: now + max(delay, .zero), id: newID(), work: work)
        // Of two for the same moment the older comes first.
        var low = 0
        var high = timers.count
        while low < high {
            let middle = (low + high) / 2
            if timers[middle].due > timer.due { low = middle + 1 } else { high = middle }
        }
        timers.insert(timer, at: low)
        return timer.id
    }

    func cancelTimer(_ id: Int) { timers.removeAll { $0.id == id } }

    /// One step; false when there is nothing left to do.
    func step() -> Bool {
        if ready.isEmpty {
            guard let timer = timers.popLast() else { return false }
            now = timer.due
            steps += 1
            timer.work()
            return true
        }
        steps += 1
        random.note(UInt64(truncatingIfNeeded: ready.count))
        let chosen = ready.count == 1 ? 0 : Int.random(in: 0..<ready.count, using: &random)
        ready.swapAt(chosen, ready.count - 1)
        switch ready.removeLast() {
        case .job(let job): transfer_simulation_run(job)
        case .work(let work): work()
        }
        return true
    }
}
