import TransferPrimitives

/// What the parts of one history share: its scheduler and chance, what has been injected, and what went wrong.
final class World: @unchecked Sendable {
    let scheduler: Scheduler
    /// How much goes wrong; none in the calm at the end of a history.
    var troubles: Troubles
    private(set) var faults: [Fault: Int] = [:]
    private(set) var violations: [String] = []
    private(set) var machines: [SimulatedProcess] = []
    /// Cuts the power of the machine that all processes run on.
    var onPowerCut: () -> Void = {}
    private let prints: Bool

    init(seed: UInt64, prints: Bool) {
        scheduler = Scheduler(seed: seed)
        troubles = .none
        self.prints = prints
    }

    var now: Duration { scheduler.now }

    var random: TracedRandom {
        _read { yield scheduler.random }
        _modify { yield &scheduler.random }
    }

    func note(_ fault: Fault) {
        faults[fault, default: 0] += 1
        trace("fault: \(fault.rawValue)")
    }

    func violation(_ text: @autoclosure () -> String) {
        violations.append(text())
        trace("VIOLATION: \(violations.last ?? "")")
    }

    func trace(_ text: @autoclosure () -> String) {
        if prints { print("\(scheduler.steps) \(now / .milliseconds(1)) ms: \(text())") }
    }

    func newProcess() -> SimulatedProcess {
        let process = SimulatedProcess(number: machines.count + 1, world: self)
        machines.append(process)
        return process
    }

    /// Lets go of the processes, which hold on to the world.
    func close() { machines = [] }

    /// Ends one process as `kill -9` does: what it wrote stays.
    func kill(_ process: SimulatedProcess) {
        guard !process.isDead else { return }
        note(.kill)
        process.die(.kill)
    }

    /// Ends every process; of what was written and not synchronised chance decides.
    func cutPower() {
        note(.powerCut)
        onPowerCut()
        for process in machines { process.die(.powerCut) }
    }
}

/// What can be injected, as the summary of a run names it.
enum Fault: String, CaseIterable {
    case unreachable, requestLost, answerLost, appliedLate, refused, performedAndRefused, throttled, garbledAnswer
    case silence, damagedBody, denied, uploadForgotten, partForgotten, abortUndone, bodyBroken, credentialsRevoked
    case credentialsRefused, credentialsLost
    case diskFull, ioError, tornWrite, powerCut, kill, deathInSystemCall, lostTail, tornTail
    case claimLost, sourceChanged, optionsChanged, neighbour, pause, abort, taskCancelled, disposed
}

/// How often each thing goes wrong, in percent.
struct Troubles {
    var request = 0.0
    var disk = 0.0
    var credentials = 0.0
    /// Of a process that dies in a system call.
    var death = 0.0

    static let none = Troubles()
}
