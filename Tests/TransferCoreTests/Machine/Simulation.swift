import TestSupport

@testable import TransferCore

/// One transfer over a model of the world: whatever is under way ends in random order, well or badly; wishes to stop and the
/// loss of the claim come at random moments. What must never happen is collected in `violations`.
struct Simulation {
    enum Operation: Hashable {
        case claim, inspect
        case list(String)
        case local([Int])
        case create, begin
        case part(Int, String)
        case recheck, mark
        case complete(String)
        case whole, head, flush
        case abort(String)
        case remove, grace
    }

    /// Per cent of the steps that bring a wish to stop or lose the claim, and of the answers that are failures.
    struct Weather {
        var stops = 0
        var losses = 0
        var failures = 0

        static let fair = Weather()
    }

    let settings: TransferMachine.Settings
    let isWhole: Bool
    /// The world as it was when the call began.
    let before: ModelService
    var service: ModelService
    var machine: TransferMachine
    var weather: Weather
    var random: SeededRandom

    var open: [Operation] = []
    /// Inputs that the driver itself has queued.
    var queued: [TransferMachine.Input] = []
    var beginning: TransferCheckpoint?
    var wantsStop = false
    var isLost = false
    var isRequestCut = false
    var arePartsCut = false
    var reported: UInt64 = 0
    var stoppings = 0

    /// What happened, as text; only kept where somebody will read it.
    var history: [String] = []
    var keepsHistory = false
    var hasClaimed = false
    var violations: [String] = []
    var outcome: TransferMachine.Outcome?

    init(
        _ settings: TransferMachine.Settings, _ service: ModelService, weather: Weather, isWhole: Bool,
        random: SeededRandom
    ) {
        self.settings = settings
        self.service = service
        before = service
        self.weather = weather
        self.isWhole = isWhole
        self.random = random
        machine = TransferMachine(settings: settings)
    }

    /// Runs to the end; after `steps` the weather turns fair, so that every history ends.
    mutating func run(steps: Int = 60) {
        if random.chance(weather.stops) { stop() }
        send(.start)
        var step = 0
        while outcome == nil {
            step += 1
            if step == steps { weather = .fair }
            guard step < 10_000 else {
                violations.append("does not end")
                return
            }
            advance()
        }
        checkEnd()
        for _ in 0..<3 { sendLate() }
        stop()
    }

    private mutating func advance() {
        if random.chance(10), let id = service.committing.sorted().randomElement(using: &random) {
            tell("service commits \(id)")
            service.commit(id)
        }
        if random.chance(weather.stops) { return stop() }
        if random.chance(weather.losses), settings.keepsCheckpoint, !open.contains(.claim) {
            isLost = true
            tell("claim lost")
            return send(.claimLost)
        }
        if weather.failures > 0, random.chance(3), let id = service.uploads.keys.sorted().randomElement(using: &random)
        {
            tell("service forgets \(id)")
            service.abort(id)
        }
        if random.chance(weather.failures) { return sendLate() }
        if !queued.isEmpty, open.isEmpty || random.chance(50) { return send(queued.removeFirst()) }
        guard let index = open.indices.randomElement(using: &random) else {
            violations.append("stuck in \(machine.stage)")
            outcome = .cancelled
            return
        }
        let operation = open.remove(at: index)
        let input = answer(operation)
        tell("\(operation) → \(input)")
        send(input)
    }

    private mutating func stop() {
        let wishes = [TransferMachine.StopRequest.pause, .abort, .taskCancelled, .disposed]
        guard let wish = wishes.randomElement(using: &random) else { return }
        wantsStop = true
        tell("\(wish)")
        send(.stop(wish))
    }

    /// An input that belongs nowhere.
    private mutating func sendLate() {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: send(.partDone(CompletedPart(number: 99, etag: ETag("e"))))
        case 1: send(.partFailed(-1, TransferError(.refused, "late")))
        default: if !open.contains(.grace) { send(.graceExpired) }
        }
    }

    private mutating func send(_ input: TransferMachine.Input) {
        let actions = machine.handle(input)
        for action in actions {
            tell("  " + action.label)
            if outcome != nil { violations.append("\(action.label) after the end") }
            if wantsStop || isLost { checkAllowedAfterStop(action) }
            perform(action)
        }
    }

    private mutating func perform(_ action: TransferMachine.Action) {
        switch action {
        case .claim:
            hasClaimed = true
            begin(.claim)
        case .inspect: begin(.inspect)
        case .listParts(let id): begin(.list(id))
        case .checkLocal(let parts): begin(.local(parts.map(\.number)))
        case .create: begin(.create)
        case .begin(let checkpoint):
            beginning = checkpoint
            begin(.begin)
        case .transferWhole: begin(.whole)
        case .start(let part, let id): begin(.part(part.number, id))
        case .record(let part): record(part)
        case .recheckSource: begin(.recheck)
        case .markCompleting: begin(.mark)
        case .complete(let id, let parts):
            if parts.map(\.number) != [1, 2, 3] { violations.append("completes \(parts.map(\.number))") }
            begin(.complete(id))
        case .checkTarget: begin(.head)
        case .flush: begin(.flush)
        case .abortUpload(let id, _):
            checkMayAbort(id)
            begin(.abort(id))
        case .removeCheckpoint: begin(.remove)
        case .cutRequest: isRequestCut = true
        case .cutParts: arePartsCut = true
        case .startGrace: begin(.grace)
        case .emit(let event): note(event)
        case .finish(let outcome): self.outcome = outcome
        }
    }

    private mutating func begin(_ operation: Operation) {
        switch operation {
        case .inspect, .list, .local, .create, .recheck: isRequestCut = false
        case .part(let number, _):
            checkMayStart(number)
            if !open.contains(where: \.isPart) { arePartsCut = false }
        default: break
        }
        open.append(operation)
    }

    private mutating func tell(_ line: @autoclosure () -> String) {
        if keepsHistory { history.append(String(line().prefix(120))) }
    }

    private mutating func record(_ part: CompletedPart) {
        guard settings.keepsCheckpoint, service.record != nil else { return }
        if random.chance(weather.failures) {
            queued.append(.recordFailed(TransferError(isLost ? .checkpointLost : .diskFull, "cannot be written")))
            return
        }
        service.record?.parts.removeAll { $0.number == part.number }
        service.record?.parts.append(part)
    }
}

extension Simulation.Operation {
    var isPart: Bool { if case .part = self { true } else { false } }
    var isComplete: Bool { if case .complete = self { true } else { false } }
}
