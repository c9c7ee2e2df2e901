// The parts themselves: a sliding window over the plan.

extension TransferMachine {
    mutating func resetParts(_ plan: PartPlan) {
        done = Array(repeating: nil, count: plan.count)
        doneBytes = 0
        doneCount = 0
        inFlight = []
        cursor = 1
    }

    mutating func keep(_ parts: [Int: CompletedPart], plan: PartPlan) {
        for (number, part) in parts { markDone(number, part, plan: plan) }
    }

    private mutating func markDone(_ number: Int, _ part: CompletedPart, plan: PartPlan) {
        guard let planned = plan.part(number), done[number - 1] == nil else { return }
        done[number - 1] = part
        doneBytes += planned.range.length
        doneCount += 1
    }

    /// Starts parts while the window has room; goes on to Complete when all are done.
    mutating func fill() -> [Action] {
        guard case .parts(let plan)? = inspection?.shape, let uploadID else { return [] }
        var actions: [Action] = []
        while inFlight.count < settings.concurrency, cursor <= plan.count {
            if done[cursor - 1] == nil, let part = plan.part(cursor) {
                inFlight.insert(cursor)
                actions.append(.start(part, uploadID: uploadID))
            }
            cursor += 1
        }
        return inFlight.isEmpty && doneCount == plan.count ? actions + allPartsDone() : actions
    }

    mutating func partDone(_ part: CompletedPart) -> [Action] {
        guard case .parts(let plan)? = inspection?.shape, inFlight.remove(part.number) != nil,
            let planned = plan.part(part.number)
        else { return [] }
        markDone(part.number, part, plan: plan)
        var actions: [Action] = []
        actions.reserveCapacity(4)
        if !isLost { actions.append(.record(part)) }
        actions.append(.emit(.partCompleted(part, range: planned.range)))
        if let progress = progress() { actions.append(progress) }
        if stage == .transferring {
            actions += fill()
            return actions
        }
        return inFlight.isEmpty ? actions + settle() : actions
    }

    mutating func partFailed(_ number: Int, _ error: TransferError) -> [Action] {
        guard case .parts(let plan)? = inspection?.shape, inFlight.remove(number) != nil,
            let planned = plan.part(number)
        else { return [] }
        let range = planned.range
        if stage == .draining {
            let event: TransferEvent =
                error.code == .cut
                ? .partCut(number: number, range: range) : .partFailed(number: number, range: range, error)
            return [.emit(event)] + (inFlight.isEmpty ? settle() : [])
        }
        let failed = Action.emit(.partFailed(number: number, range: range, error))
        switch error.code {
        case .uploadNotFound where mayRestart:
            stop = .restart(.uploadNotFound)
            return [failed] + drain(atOnce: true)
        case .targetMoved where mayRestart:
            stop = .restart(.targetChanged)
            return [failed] + drain(atOnce: true)
        case .uploadNotFound, .targetMoved, .sourceChanged, .crossRegion:
            stop = .failed(error, discards: true)
        default:
            stop = .failed(error, discards: settings.abortsOnDenial && error.isDenial)
        }
        return [failed] + announce(error) + drain(atOnce: false)
    }

    /// What was stored and not recorded is stored nevertheless: the record is as good as its last line.
    mutating func recordFailed(_ error: TransferError) -> [Action] {
        guard stop == nil else { return [] }
        stop = .failed(error, discards: false)
        return announce(error) + drain(atOnce: false)
    }

    /// Starts no more parts; those in flight get the grace, or are cut at once.
    mutating func drain(atOnce: Bool) -> [Action] {
        stage = .draining
        if inFlight.isEmpty { return settle() }
        return [atOnce ? .cutParts : .startGrace]
    }

    /// The progress, unless it was reported before: after a restart it waits until it passes what was.
    mutating func progress() -> Action? {
        guard let size = inspection?.checkpoint.source.size, doneBytes > reportedBytes else { return nil }
        reportedBytes = doneBytes
        return .emit(.progress(TransferProgress(completedBytes: doneBytes, totalBytes: size)))
    }
}

extension TransferError {
    /// Whether the service denies this for good: a real 403, 404 or 405, not one that fresh credentials, a right clock or a
    /// restored source would cure.
    var isDenial: Bool { [.accessDenied, .notFound, .methodNotAllowed].contains(code) }
}
