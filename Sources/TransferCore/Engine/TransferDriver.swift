internal import TransferPrimitives

/// Performs what the machine decides.
///
/// One task reads all inputs and steps the machine; each request runs in a task of its own and reports by an input. All
/// inputs that wait are taken together, so that parts that end at the same time are recorded by one call.
struct TransferDriver<Work: TransferWork>: Sendable {
    let work: Work
    let settings: TransferMachine.Settings
    let grace: Duration
    let clock: any TransferClock
    /// Whether the transfer runs without a record when another task holds it.
    let yieldsClaim: Bool
    /// Makes the hold on the record.
    let claim: @Sendable () async throws -> any CheckpointClaim
    let inputs: Mailbox<TransferMachine.Input>
    let emit: @Sendable (TransferEvent) -> Void

    /// How long the clean-up at the service may take.
    static var abortLimit: Duration { .seconds(10) }

    /// Runs the transfer to its end. Not to be called in a task that may be cancelled: wishes to stop come as inputs.
    func run() async -> TransferMachine.Outcome {
        var machine = TransferMachine(settings: settings)
        var state = State()
        inputs.send(.start)
        while true {
            let batch = await inputs.receive()
            var actions: [TransferMachine.Action] = []
            for input in batch {
                state.note(input)
                stopCompletion(input, &state)
            }
            // A wish to stop is no older than what waits beside it, but nothing may start after it was uttered.
            for input in batch.filter(\.stops) + batch.filter({ !$0.stops }) { actions += machine.handle(input) }
            if let outcome = await perform(actions, &state) {
                for timer in state.timers { timer.cancel() }
                work.end()
                await state.claim?.release()
                return outcome
            }
        }
    }

    /// What the driver holds while a transfer runs.
    private struct State {
        var claim: (any CheckpointClaim)?
        var parts: [Int: Running] = [:]
        var request: Running?
        /// The request whose outcome decides.
        var completion: Running?
        /// Whether that request carries the bytes themselves.
        var completionHasBody = false
        var timers: [Task<Void, Never>] = []

        /// Work whose requests may go on for a while after a stop.
        struct Running {
            let task: Task<Void, Never>
            let signal: StopSignal

            func cut() { task.cancel() }
        }

        mutating func note(_ input: TransferMachine.Input) {
            switch input {
            case .partDone(let part): parts[part.number] = nil
            case .partFailed(let number, _): parts[number] = nil
            default: break
            }
        }
    }

    private func perform(_ actions: [TransferMachine.Action], _ state: inout State) async -> TransferMachine.Outcome? {
        // New parts first, so that nothing below keeps a connection idle; then one record for all parts that ended.
        var finished: [CompletedPart] = []
        for action in actions {
            switch action {
            case .start(let part, let uploadID): state.parts[part.number] = start(part, uploadID)
            case .record(let part): finished.append(part)
            default: break
            }
        }
        if !finished.isEmpty {
            do {
                try await state.claim?.record(finished)
            } catch {
                inputs.send(.recordFailed(TransferError(wrapping: error, as: .checkpointUnusable)))
            }
        }
        for action in actions {
            if let outcome = await perform(action, &state) { return outcome }
        }
        return nil
    }

    private func perform(_ action: TransferMachine.Action, _ state: inout State) async -> TransferMachine.Outcome? {
        switch action {
        case .start, .record: break
        case .claim: await claimRecord(&state)
        case .inspect(let saved):
            state.request = request {
                .inspected(try await work.inspect(saved: saved))
            } failure: {
                .inspectionFailed($0)
            }
        case .listParts(let uploadID):
            state.request = request {
                .listed(try await work.listParts(uploadID: uploadID))
            } failure: {
                .listingFailed($0)
            }
        case .checkLocal(let parts):
            state.request = request {
                .localChecked(try await work.checkLocal(parts))
            } failure: {
                .localCheckFailed($0)
            }
        case .create:
            state.request = request {
                let upload = try await work.create()
                return .created(uploadID: upload.id, target: upload.target)
            } failure: {
                .creationFailed($0)
            }
        case .recheckSource:
            state.request = request {
                try await work.recheckSource()
                return .sourceUnchanged
            } failure: {
                .sourceCheckFailed($0)
            }
        case .transferWhole:
            state.completionHasBody = true
            state.completion = request(unknown: .outcomeUnknown, isDecisive: true) {
                .completed(try await work.transferWhole())
            } failure: {
                .completionFailed(work.isWithheld ? .unsent : $0)
            }
        case .complete(let uploadID, let parts):
            state.completionHasBody = false
            state.completion = request(unknown: .outcomeUnknown, isDecisive: true) {
                .completed(try await work.complete(uploadID: uploadID, parts: parts))
            } failure: {
                .completionFailed($0)
            }
        case .checkTarget:
            _ = request {
                .targetChecked(.success(try await work.headTarget()))
            } failure: {
                .targetChecked(.failure($0))
            }
        case .abortUpload(let uploadID, let target):
            _ = request {
                try await abort(uploadID, target)
                return .uploadAborted(nil)
            } failure: {
                .uploadAborted($0)
            }
        case .begin(let checkpoint):
            record(state) {
                try await $0.begin(checkpoint)
            } then: {
                $0.map { .beginFailed($0) } ?? .begun
            }
        case .markCompleting:
            record(state) {
                try await $0.completing()
            } then: {
                $0.map { .markFailed($0) } ?? .marked
            }
        case .flush:
            record(state) {
                try await $0.flush()
            } then: {
                .flushed($0)
            }
        case .removeCheckpoint:
            record(state) {
                try await $0.remove()
            } then: {
                .checkpointRemoved($0)
            }
        case .cutRequest: state.request?.cut()
        case .cutParts: for part in state.parts.values { part.cut() }
        case .startGrace:
            // The grace is for requests on the wire: what waits to send its next one ends now.
            for running in state.parts.values { running.signal.stop() }
            state.request?.signal.stop()
            state.timers.append(after(grace) { .graceExpired })
        case .emit(let event): emit(event)
        case .finish(let outcome): return outcome
        }
        return nil
    }

    /// Lets a request whose outcome decides come to its end, but not go on for longer than it must: it begins no further
    /// attempt, and a body that nobody has seen the end of is kept back, after the grace where there is one.
    private func stopCompletion(_ input: TransferMachine.Input, _ state: inout State) {
        guard let completion = state.completion else { return }
        switch input {
        case .stop(.abort), .claimLost, .graceExpired:
            completion.signal.stop()
            if state.completionHasBody, work.withholdRest() { completion.cut() }
        case .stop:
            completion.signal.stop()
            state.timers.append(after(grace) { .graceExpired })
        default: break
        }
    }

    private func claimRecord(_ state: inout State) async {
        do {
            let claim = try await claim()
            state.claim = claim
            if settings.keepsCheckpoint { emit(.checkpointClaimed(location: claim.location, notes: claim.notes)) }
            if settings.keepsCheckpoint { state.timers.append(watch(claim)) }
            inputs.send(.claimed(claim.saved))
        } catch {
            let error = TransferError(wrapping: error, as: .checkpointUnusable)
            let yields = yieldsClaim && error.code == .checkpointInUse
            inputs.send(yields ? .claimedElsewhere(error) : .claimFailed(error))
        }
    }

    private func watch(_ claim: any CheckpointClaim) -> Task<Void, Never> {
        Task { [inputs] in
            for await _ in claim.lost { inputs.send(.claimLost) }
        }
    }

    private func start(_ part: PartPlan.Part, _ uploadID: String) -> State.Running {
        request { [work] in
            let stored = try await work.transfer(part, uploadID: uploadID)
            guard stored.number == part.number else {
                throw TransferError(
                    .malformedResponse, "part \(part.number) was sent, and part \(stored.number) is said to be stored")
            }
            return .partDone(stored)
        } failure: { error in
            var error = error
            error.part = part.number
            if error.uploadID == nil { error.uploadID = uploadID }
            return .partFailed(part.number, error)
        }
    }

    /// Runs `body` in a task of its own and sends the input that it ends with.
    ///
    /// - Parameters:
    ///   - code: That of errors that are no `TransferError`; the backend's own word for what they mean is missing.
    ///   - isDecisive: Whether what its last attempt came to counts, when a stop ended the wait for another.
    private func request(
        unknown code: TransferError.Code = .refused, isDecisive: Bool = false,
        _ body: @escaping @Sendable () async throws -> TransferMachine.Input,
        failure: @escaping @Sendable (TransferError) -> TransferMachine.Input
    ) -> State.Running {
        let inputs = inputs
        let signal = StopSignal()
        let task = StopSignal.$current.withValue(signal) {
            Task {
                do {
                    inputs.send(try await body())
                } catch {
                    var known = TransferError(wrapping: error, as: code)
                    if signal.hasEndedWait, !isDecisive || known.code == .cut {
                        known = .unsent
                        known.underlying = error
                    }
                    inputs.send(failure(known))
                }
            }
        }
        return State.Running(task: task, signal: signal)
    }

    private func record(
        _ state: State, _ body: @escaping @Sendable (any CheckpointClaim) async throws -> Void,
        then input: @escaping @Sendable (TransferError?) -> TransferMachine.Input
    ) {
        let inputs = inputs
        let claim = state.claim
        Task {
            do {
                if let claim { try await body(claim) }
                inputs.send(input(nil))
            } catch {
                inputs.send(input(TransferError(wrapping: error, as: .checkpointUnusable)))
            }
        }
    }

    private func after(
        _ duration: Duration, _ input: @escaping @Sendable () -> TransferMachine.Input
    ) -> Task<Void, Never> {
        guard duration > .zero else {
            inputs.send(input())
            return Task {}
        }
        let (inputs, clock) = (inputs, clock)
        return Task {
            do {
                try await clock.sleep(for: duration)
                inputs.send(input())
            } catch {
                // The transfer ended first.
            }
        }
    }

    /// Gives an upload up, and makes sure that no part that was still on its way keeps it alive; all within `abortLimit`.
    private func abort(_ uploadID: String, _ target: ObjectLocation) async throws {
        let (work, clock) = (work, clock)
        try await withDeadline(Self.abortLimit, clock: clock, operation: "AbortMultipartUpload") {
            var pause = Duration.milliseconds(100)
            while true {
                try await work.abort(uploadID: uploadID, target: target)
                guard try await work.isStillOpen(uploadID: uploadID, target: target) else { return }
                try await clock.sleep(for: pause)
                pause *= 2
            }
        }
    }
}

/// Runs `body`, and cuts it when it takes longer than `limit`.
func withDeadline(
    _ limit: Duration, clock: any TransferClock, operation: String, _ body: @escaping @Sendable () async throws -> Void
) async throws {
    try await withThrowingTaskGroup(of: Bool.self) { group in
        group.addTask {
            try await body()
            return true
        }
        group.addTask {
            try await clock.sleep(for: limit)
            return false
        }
        defer { group.cancelAll() }
        guard try await group.next() == true else {
            throw TransferError(.timedOut, "took longer than \(limit)", operation: operation)
        }
    }
}

extension TransferError {
    /// A request that was cut before the service can have acted on it.
    fileprivate static var unsent: TransferError {
        var error = TransferError(.cut, "cut because the transfer stops")
        error.isWithoutEffect = true
        return error
    }
}

extension TransferMachine.Input {
    /// Whether this asks for an end, rather than telling what came of something.
    fileprivate var stops: Bool {
        switch self {
        case .stop, .claimLost: true
        default: false
        }
    }
}
