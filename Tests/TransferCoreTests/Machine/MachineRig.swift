import Testing
import TransferPrimitives

@testable import TransferCore

/// A transfer machine with somebody at the other end: keeps what is under way, answers it as a healthy service would unless
/// told otherwise, and notes every action as text.
struct MachineRig {
    /// Something that was begun and has not been answered.
    enum Operation: Hashable {
        case claim, inspect, list
        case local([Int])
        case create, begin
        case part(Int)
        case recheck, mark, complete, whole, head, flush
        case abort(String)
        case remove, grace
    }

    /// What the default answers say.
    struct World {
        var saved: TransferCheckpoint?
        var inspection = Sample.inspection()
        var listed: [CompletedPart] = []
        var uploadIDs = ["u2", "u3", "u4"]
        var receipt = Sample.receipt
        var target: Result<ObjectInfo, TransferError> = .success(Sample.info)
    }

    private(set) var machine: TransferMachine
    private(set) var open: [Operation] = []
    private(set) var trace: [String] = []
    private(set) var events: [TransferEvent] = []
    private(set) var outcome: TransferMachine.Outcome?
    private(set) var completedParts: [[Int]] = []
    private(set) var begun: [TransferCheckpoint] = []
    var world: World
    private var isRequestCut = false
    private var arePartsCut = false

    init(_ settings: TransferMachine.Settings = Sample.settings(), _ world: World = World()) {
        machine = TransferMachine(settings: settings)
        self.world = world
    }

    var stage: TransferMachine.Stage { machine.stage }

    /// Everything since the last call, on one line.
    mutating func takeTrace() -> String {
        defer { trace = [] }
        return trace.joined(separator: "; ")
    }

    mutating func send(_ input: TransferMachine.Input) {
        close(input)
        for action in machine.handle(input) { perform(action) }
    }

    /// Answers `operation` in the usual way.
    mutating func answer(_ operation: Operation) {
        guard let index = open.firstIndex(of: operation) else {
            Issue.record("\(operation) is not under way: \(open)")
            return
        }
        open.remove(at: index)
        let input = usualAnswer(operation)
        for action in machine.handle(input) { perform(action) }
    }

    /// Answers all that is under way in the usual way, oldest first, until the machine is in `stage`.
    mutating func run(until stage: TransferMachine.Stage) {
        while machine.stage != stage {
            guard let next = open.first(where: { $0 != .grace }) else {
                Issue.record("stuck in \(machine.stage) on the way to \(stage)")
                return
            }
            answer(next)
        }
    }

    /// Answers in the usual way to the end. A grace that was begun runs out before any part ends, or after all have.
    mutating func runToEnd(graceExpires: Bool = false) {
        while outcome == nil {
            let grace = open.contains(.grace)
            guard let next = open.first(where: { $0 != .grace }) ?? open.first else {
                Issue.record("stuck in \(machine.stage): \(trace)")
                return
            }
            answer(grace && graceExpires ? .grace : next)
        }
    }

    private mutating func perform(_ action: TransferMachine.Action) {
        if outcome != nil { Issue.record("an action after the end: \(action.label)") }
        trace.append(action.label)
        switch action {
        case .claim: begin(.claim)
        case .inspect: begin(.inspect)
        case .listParts: begin(.list)
        case .checkLocal(let parts): begin(.local(parts.map(\.number)))
        case .create: begin(.create)
        case .begin(let checkpoint):
            begun.append(checkpoint)
            begin(.begin)
        case .transferWhole: begin(.whole)
        case .start(let part, _): begin(.part(part.number))
        case .recheckSource: begin(.recheck)
        case .markCompleting: begin(.mark)
        case .complete(_, let parts):
            completedParts.append(parts.map(\.number))
            begin(.complete)
        case .checkTarget: begin(.head)
        case .flush: begin(.flush)
        case .abortUpload(let id, _): begin(.abort(id))
        case .removeCheckpoint: begin(.remove)
        case .cutRequest: isRequestCut = true
        case .cutParts: arePartsCut = true
        case .startGrace: begin(.grace)
        case .record: break
        case .emit(let event): events.append(event)
        case .finish(let outcome): self.outcome = outcome
        }
    }

    private mutating func begin(_ operation: Operation) {
        if open.contains(operation) { Issue.record("\(operation) is under way twice") }
        switch operation {
        case .inspect, .list, .local, .create, .recheck: isRequestCut = false
        case .part where !open.contains(where: { if case .part = $0 { true } else { false } }): arePartsCut = false
        default: break
        }
        open.append(operation)
    }

    /// Takes away the operation that a hand-made input answers.
    private mutating func close(_ input: TransferMachine.Input) {
        let operation: Operation? =
            switch input {
            case .claimed, .claimedElsewhere, .claimFailed: .claim
            case .inspected, .inspectionFailed: .inspect
            case .listed, .listingFailed: .list
            case .localChecked, .localCheckFailed: open.first { if case .local = $0 { true } else { false } }
            case .created, .creationFailed: .create
            case .begun, .beginFailed: .begin
            case .partDone(let part): .part(part.number)
            case .partFailed(let number, _): .part(number)
            case .sourceUnchanged, .sourceCheckFailed: .recheck
            case .marked, .markFailed: .mark
            case .completed, .completionFailed: open.contains(.whole) ? .whole : .complete
            case .targetChecked: .head
            case .flushed: .flush
            case .uploadAborted: open.first { if case .abort = $0 { true } else { false } }
            case .checkpointRemoved: .remove
            case .graceExpired: .grace
            case .start, .stop, .claimLost, .recordFailed: nil
            }
        if let operation, let index = open.firstIndex(of: operation) { open.remove(at: index) }
    }

    private mutating func usualAnswer(_ operation: Operation) -> TransferMachine.Input {
        switch operation {
        case .claim: .claimed(world.saved)
        case .inspect: isRequestCut ? .inspectionFailed(.sampleCut) : .inspected(world.inspection)
        case .list: isRequestCut ? .listingFailed(.sampleCut) : .listed(world.listed)
        case .local(let numbers):
            isRequestCut
                ? .localCheckFailed(.sampleCut) : .localChecked(world.listed.filter { numbers.contains($0.number) })
        case .create:
            isRequestCut ? .creationFailed(.sampleCut) : .created(uploadID: world.uploadIDs.removeFirst())
        case .begin: .begun
        case .part(let number): arePartsCut ? .partFailed(number, .sampleCut) : .partDone(Sample.part(number))
        case .recheck: isRequestCut ? .sourceCheckFailed(.sampleCut) : .sourceUnchanged
        case .mark: .marked
        case .complete, .whole: .completed(world.receipt)
        case .head: .targetChecked(world.target)
        case .flush: .flushed(nil)
        case .abort: .uploadAborted(nil)
        case .remove: .checkpointRemoved(nil)
        case .grace: .graceExpired
        }
    }
}

extension TransferError {
    static let sampleCut = TransferError(.cut, "cut")
}
