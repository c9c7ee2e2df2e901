import TestSupport
import TransferCore
import TransferPrimitives

/// One transfer with all that befalls it: calls that fail, are stopped or die with their process, until one succeeds.
package final class History: @unchecked Sendable {
    /// What a history came to.
    package struct Report: Sendable {
        package let violations: [String]
        package let faults: [String: Int]
        package let calls: Int
        package let steps: Int
        /// Two histories with the same hash took every turn alike.
        package let hash: UInt64
    }

    /// How many calls without trouble a transfer may take in the end.
    private static let calmCalls = 8
    /// No call takes as many.
    private static let stepLimit = 60_000

    private let world: World
    private let setting: Setting
    let disk = SimulatedDisk()
    private let locks = ProcessFileSystem.Locks()
    private let service: SimulatedService
    private let record: RecordChecks
    private let leases: LeasedCheckpointStore?
    /// Every content the source had, the newest last, and its tag where it is an object.
    private var versions: [(bytes: [UInt8], etag: ETag?)] = []
    private(set) var facts = CallPlan.Facts()
    private(set) var partSize: UInt64
    private(set) var edition = 1
    private var host: Host
    private var calls: [Call] = []

    private init(seed: UInt64, prints: Bool) {
        world = World(seed: seed, prints: prints)
        setting = Setting(random: &world.random)
        service = SimulatedService(world: world, traits: setting.traits)
        record = RecordChecks(world: world, survivesPowerCut: setting.store == .leases)
        partSize = UInt64.random(in: 1...6, using: &world.random)
        let idle = SimulatedProcess(number: 0, world: world)
        leases =
            setting.store == .leases
            ? LeasedCheckpointStore(
                clock: SimulatedClock(world: world, process: idle), signals: setting.signalsLoss) : nil
        host = Host(world: world, disk: disk, locks: locks, service: service)
    }

    /// Plays one history to its end. `Scheduler.takeOver` must have been called.
    package static func run(seed: UInt64, prints: Bool = false) -> Report {
        let history = History(seed: seed, prints: prints)
        history.world.scheduler.begin()
        history.play()
        history.world.scheduler.end()
        let report = history.report
        history.calls = []
        history.world.close()
        return report
    }

    private var report: Report {
        Report(
            violations: world.violations,
            faults: Dictionary(uniqueKeysWithValues: world.faults.map { ($0.key.rawValue, $0.value) }),
            calls: calls.count, steps: world.scheduler.steps, hash: world.random.hash)
    }

    // MARK: The play

    private func play() {
        prepare()
        world.troubles = setting.troubles
        let storms = Int.random(in: 1...4, using: &world.random)
        var isDone = false
        for _ in 0..<storms where !isDone && world.violations.isEmpty {
            isDone = storm()
            if world.random.chance(30) { rest() }
        }
        world.troubles = .none
        for _ in 0..<Self.calmCalls where !isDone && world.violations.isEmpty { isDone = calm() }
        if !isDone, world.violations.isEmpty {
            world.violation("no success in \(Self.calmCalls) calls without trouble: \(calls.last?.label ?? "")")
        }
        // What is still under way comes to its end.
        let limit = world.scheduler.steps + Self.stepLimit
        while world.scheduler.step(), world.scheduler.steps < limit {}
        checkEnd()
        world.trace("hash \(world.random.hash)")
    }

    private func prepare() {
        world.trace("\(setting)")
        world.onPowerCut = { [unowned self] in
            disk.cutPower(&world.random) { world.note($0) }
        }
        service.onMade = { [unowned self] target, bytes in
            if !isSource(bytes) { world.violation("\(target) is a mixture") }
        }
        disk.onNamed = { [unowned self] path in
            guard path == Setting.targetPath, let file = disk.file(path), !isSource(file.bytes) else { return }
            world.violation("the downloaded file is a mixture")
        }
        setSource(newContent(), inPlace: false)
        disk.settle()
    }

    /// A call among troubles, and what happens beside it; whether the transfer is done.
    private func storm() -> Bool {
        renewHost()
        if world.random.chance(8) { changeOptions() }
        let first = begin(on: host, isCalm: false)
        var running = [first]
        run(&running, interventions: interventions())
        for call in running { check(call, isAlone: running.count == 1) }
        return running.contains(where: isDone) && running.allSatisfy(leavesNothing)
    }

    /// Whether the transfer ended with a call: it succeeded, and held the record, where there is one.
    private func isDone(_ call: Call) -> Bool {
        guard call.hasSucceeded, !call.process.isDead else { return false }
        return setting.store == .none || (call.checks.keepsRecord && !call.checks.hasLostClaim)
    }

    /// Whether no record can stand that another call would have to go on from.
    private func leavesNothing(_ call: Call) -> Bool {
        isDone(call) || !call.checks.hasClaimed || !call.checks.keepsRecord
    }

    private func calm() -> Bool {
        renewHost()
        var running = [begin(on: host, isCalm: true)]
        run(&running, interventions: [])
        for call in running { check(call, isAlone: running.count == 1) }
        guard running.allSatisfy(isDone) else { return false }
        checkNothingIsLeft()
        return true
    }

    private func renewHost() {
        guard host.process.isDead else { return }
        host = Host(world: world, disk: disk, locks: locks, service: service)
    }

    private func begin(on host: Host, isCalm: Bool, isNeighbour: Bool = false) -> Call {
        let plan = CallPlan(
            history: self, random: &world.random, setting: setting, isCalm: isCalm, isNeighbour: isNeighbour)
        let checks = CallChecks(
            number: calls.count + 1, process: host.process, plan: plan, world: world, service: service)
        let call = Call(checks: checks, world: world, firstVersion: versions.count - 1)
        calls.append(call)
        world.trace("call \(checks.number) begins in process \(host.process.number)")
        host.process.onDeath { [record, leases] death in
            record.processDied(death)
            // Whoever comes next need not wait until the lease has run out.
            if let leases { for id in leases.ids { leases.steal(id) } }
        }
        let backend = SimulatedBackend(
            service: service, process: host.process, clock: host.clock, cache: host.cache, access: host.access,
            checks: checks, maxAttempts: setting.maxAttempts)
        call.begin(with: host, backend: backend, store: store(for: host, checks))
        return call
    }

    private func store(for host: Host, _ checks: CallChecks) -> (any CheckpointStore)? {
        let store: any CheckpointStore
        switch setting.store {
        case .none: return nil
        case .leases:
            guard let leases else { return nil }
            store = leases
        case .journal:
            store = FileCheckpointStore(path: "/records/", fileSystem: host.fileSystem) { [world] in
                SimulatedQueue(world: world)
            }
        }
        return WatchedStore(store: store, record: record, call: checks)
    }

    // MARK: What happens beside the calls

    private struct Intervention {
        /// The number of steps after which it happens, from the beginning of the call.
        var step: Int
        /// Whether the steps are counted from the moment when the first Complete is sent.
        var waitsForComplete: Bool
        let fault: Fault
    }

    private func interventions() -> [Intervention] {
        let count = world.random.pick(0, 1, 1, 1, 2, 3)
        let span = world.random.pick(30, 80, 200)
        let all: [Fault] = [
            .kill, .kill, .kill, .powerCut, .powerCut, .powerCut, .pause, .pause, .abort, .abort, .taskCancelled,
            .disposed,
            .claimLost, .sourceChanged, .neighbour, .uploadForgotten, .partForgotten,
        ]
        return (0..<count).map { _ in
            let waits = world.random.chance(20)
            return Intervention(
                step: Int.random(in: 0..<(waits ? 12 : span), using: &world.random), waitsForComplete: waits,
                fault: world.random.pick(all))
        }
    }

    private func run(_ running: inout [Call], interventions: [Intervention]) {
        var waiting = interventions
        let begin = world.scheduler.steps
        while !running.allSatisfy(\.isOver) {
            let steps = world.scheduler.steps - begin
            if waiting.contains(where: \.waitsForComplete), running.contains(where: \.checks.isCompleting) {
                for index in waiting.indices where waiting[index].waitsForComplete {
                    waiting[index].step += steps
                    waiting[index].waitsForComplete = false
                }
            }
            while let index = waiting.firstIndex(where: { !$0.waitsForComplete && $0.step <= steps }) {
                intervene(waiting.remove(at: index).fault, &running)
            }
            if running.allSatisfy(\.isOver) { return }
            guard world.scheduler.step() else {
                world.violation("a call hangs: nothing is left to do")
                return
            }
            if steps > Self.stepLimit {
                world.violation("a call does not end")
                return
            }
        }
    }

    private func intervene(_ fault: Fault, _ running: inout [Call]) {
        let alive = running.filter { !$0.isOver }
        guard !alive.isEmpty else { return }
        let call = world.random.pick(alive)
        switch fault {
        case .kill: world.kill(call.process)
        case .powerCut: world.cutPower()
        case .pause:
            world.note(.pause)
            call.pause()
        case .abort:
            world.note(.abort)
            call.abort()
        case .taskCancelled:
            world.note(.taskCancelled)
            call.cancelTask()
        case .disposed:
            world.note(.disposed)
            call.dispose()
        case .claimLost:
            // Who is taking it just now cannot be told from who has it.
            guard let leases, !leases.ids.isEmpty, !alive.contains(where: \.checks.isClaiming) else { return }
            world.note(.claimLost)
            for call in alive where call.checks.hasClaimed { call.checks.hasLostClaim = true }
            for id in leases.ids { leases.steal(id) }
            if world.random.chance(60) { running.append(beginNeighbour()) }
        case .sourceChanged: changeSource()
        case .neighbour:
            guard running.count < 3 else { return }
            running.append(beginNeighbour())
        case .uploadForgotten:
            guard let id = service.uploads.keys.min() else { return }
            world.note(.uploadForgotten)
            service.forgetUpload(id)
        case .partForgotten:
            guard let id = service.uploads.keys.min() else { return }
            world.note(.partForgotten)
            service.forgetPart(of: id)
        default: break
        }
    }

    /// Another process, on the same transfer.
    private func beginNeighbour() -> Call {
        world.note(.neighbour)
        let other = Host(world: world, disk: disk, locks: locks, service: service)
        return begin(on: other, isCalm: false, isNeighbour: true)
    }

    private func changeSource() {
        world.note(.sourceChanged)
        facts.sourceHasChanged = true
        setSource(newContent(), inPlace: world.random.chance(50))
    }

    private func changeOptions() {
        world.note(.optionsChanged)
        if setting.kind == .upload || world.random.chance(50) {
            facts.optionsHaveChanged = true
            edition += 1
        } else {
            facts.partSizeHasChanged = true
            partSize = UInt64.random(in: 1...6, using: &world.random)
        }
    }

    /// Some time passes, with what is still under way.
    private func rest() {
        let until = world.now + world.random.milliseconds(0...30_000)
        let limit = world.scheduler.steps + Self.stepLimit
        world.scheduler.after(until - world.now) {}
        while world.now < until, world.scheduler.steps < limit, world.scheduler.step() {}
    }

    // MARK: Sources

    var currentSource: [UInt8] { versions.last?.bytes ?? [] }

    func source(tagged etag: ETag?) -> [UInt8]? { versions.last { $0.etag == etag }?.bytes }

    private func isSource(_ bytes: [UInt8]) -> Bool { versions.contains { $0.bytes == bytes } }

    private func newContent() -> [UInt8] {
        let size =
            versions.last.flatMap { world.random.chance(60) ? $0.bytes.count : nil }
            ?? (world.random.chance(3) ? 0 : Int.random(in: 1...30, using: &world.random))
        return (0..<size).map { _ in UInt8.random(in: 0...255, using: &world.random) }
    }

    private func setSource(_ bytes: [UInt8], inPlace: Bool) {
        guard setting.kind == .upload else {
            service.store(bytes, at: Setting.source)
            versions.append((bytes, service.objects[Setting.source]?.etag))
            return
        }
        versions.append((bytes, nil))
        let file: SimulatedDisk.File
        if inPlace, let there = disk.file(Setting.sourcePath) {
            file = there
        } else {
            file = disk.create(Setting.sourcePath)
        }
        file.bytes = bytes
        file.synchronize()
        disk.synchronizeDirectory("/data")
        // Two versions never have the same time, to the millisecond.
        file.modified = SimulatedDisk.nanoseconds(at: world.now) + Int64(versions.count) * 1_000_000
    }

    // MARK: What must hold

    private func check(_ call: Call, isAlone: Bool) {
        guard !call.process.isDead, let outcome = call.outcome else { return }
        world.trace("call \(call.checks.number) ends: \(call.label)")
        world.random.note(call.label)
        switch outcome {
        case .success: checkSuccess(call, isAlone: isAlone)
        case .failure(let error): checkFailure(call, error, isAlone: isAlone)
        case .cancelled: break
        }
        if call.hasBegun { call.checks.checkEvents(succeeded: call.hasSucceeded) }
    }

    private func checkSuccess(_ call: Call, isAlone: Bool) {
        let stored =
            setting.kind == .download ? disk.file(Setting.targetPath)?.bytes : service.objects[Setting.target]?.bytes
        guard let stored else {
            world.violation("call \(call.checks.number) succeeds, and nothing is there")
            return
        }
        // Beside others the last one wins, with whichever version it found.
        let allowed = isAlone ? versions[call.firstVersion...] : versions[...]
        if !allowed.contains(where: { $0.bytes == stored }) {
            world.violation("call \(call.checks.number) succeeds, and what is there is not what it was to send")
        }
    }

    private func checkFailure(_ call: Call, _ error: TransferError, isAlone: Bool) {
        let number = call.checks.number
        if error.code == .aborted {
            for id in call.checks.known.sorted() where service.uploads[id] != nil {
                if call.checks.reported.contains(id) || call.checks.hasLostClaim { continue }
                world.violation("call \(number) is aborted, and \(id) is left behind")
            }
            if setting.store == .journal, error.underlying == nil, call.checks.hasClaimed, isAlone,
                disk.names.keys.contains(where: { $0.hasSuffix(".checkpoint") })
            {
                world.violation("call \(number) is aborted, and its record stays")
            }
        }
        // What one request stored can only be told from the local bytes, by a look that may fail.
        if [.aborted, .paused].contains(error.code), setting.traits.tellsChecksums, !setting.traits.deniesHead,
            setting.kind != .download, !call.checks.sendsWhole, service.makers[number] != nil
        {
            world.violation("call \(number) is told to be \(error.code), and its object stands")
        }
    }

    private func checkNothingIsLeft() {
        // Where a call without a record has made the file, the one that a recorded call began may be of no more use to anybody.
        let wasAlone = calls.allSatisfy { !$0.checks.isUnrecorded }
        let left = disk.names.keys.filter { $0.hasPrefix("/records/") || (wasAlone && $0.hasSuffix(".part")) }
        if setting.store == .journal, !left.isEmpty { world.violation("left on the disk: \(left.sorted())") }
    }

    private func checkEnd() {
        for id in service.uploads.keys.sorted() where !isExcused(id) { world.violation("\(id) is left behind") }
    }

    /// Whether nobody can be blamed for an upload that stays open.
    private func isExcused(_ id: String) -> Bool {
        let knowing = calls.filter { $0.checks.known.contains(id) }
        // The answer that would have named it never came.
        if knowing.isEmpty { return true }
        return knowing.contains { call in
            let checks = call.checks
            if checks.reported.contains(id) { return true }
            // The answer of Complete was lost, and the object that stands has the bytes of the source, though another call made it.
            if call.hasSucceeded, checks.unanswered.contains(id) { return true }
            guard call.process.isDead else { return false }
            // A process that died before its record stood, or while it gave the upload up.
            return (!checks.begun.contains(id) && checks.saved?.uploadID != id) || checks.abortsTried.contains(id)
        }
    }
}
