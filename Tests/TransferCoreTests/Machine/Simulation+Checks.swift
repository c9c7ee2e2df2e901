@testable import TransferCore

// What must hold in every history.

extension Simulation {
    mutating func checkMayStart(_ number: Int) {
        let parts = open.compactMap { if case .part(let number, _) = $0 { number } else { nil } }
        if parts.contains(number) { violations.append("part \(number) is under way twice") }
        if parts.count >= settings.concurrency { violations.append("more than \(settings.concurrency) parts at once") }
    }

    mutating func checkMayAbort(_ id: String) {
        if id.isEmpty { violations.append("aborts an upload without an id") }
        if service.committing.contains(id) { violations.append("aborts \(id) while its Complete is at work") }
        if open.contains(where: \.isComplete) { violations.append("aborts \(id) before Complete was answered") }
        if open.contains(where: \.isPart) { violations.append("aborts \(id) before its parts have ended") }
    }

    mutating func checkAllowedAfterStop(_ action: TransferMachine.Action) {
        let isAllowed =
            switch action {
            case .claim, .inspect, .listParts, .checkLocal, .create, .transferWhole, .start, .recheckSource,
                .markCompleting, .complete:
                false
            // What a paused call still writes; a lost record is another worker's.
            case .begin, .record, .flush, .abortUpload, .removeCheckpoint: !isLost
            default: true
            }
        if !isAllowed { violations.append("\(action.label) after \(isLost ? "the loss" : "a wish to stop")") }
    }

    mutating func note(_ event: TransferEvent) {
        switch event {
        case .stopping: stoppings += 1
        case .uploadLeftBehind(let id, _): service.reported.insert(id)
        case .progress(let progress):
            if progress.completedBytes < reported || progress.completedBytes > Sample.size {
                violations.append("progress from \(reported) to \(progress.completedBytes)")
            }
            if progress.completedBytes == Sample.size, !progress.isFinished {
                violations.append("full before the object stands")
            }
            reported = progress.completedBytes
        default: break
        }
    }

    mutating func checkEnd() {
        guard let outcome else { return }
        let loose = open.filter { $0 != .grace }
        if !loose.isEmpty { violations.append("ends with \(loose) under way") }
        let succeeded = outcome.receipt != nil
        if stoppings != (succeeded ? 0 : 1) {
            violations.append("\(stoppings) stopping events before \(outcome.label)")
        }
        if succeeded != (reported == Sample.size) {
            violations.append("ends at \(reported) bytes with \(outcome.label)")
        }
        checkObject(outcome)
        checkLeftovers(outcome)
    }

    private mutating func checkObject(_ outcome: TransferMachine.Outcome) {
        if outcome.receipt != nil, !service.hasObject { violations.append("success without an object") }
        guard let error = outcome.error else { return }
        let mayStand: [TransferError.Code] = [.outcomeUnknown, .storedCallbackFailed, .disposed, .checkpointLost]
        if before.hasObject || !before.committing.isEmpty { return }
        if !mayStand.contains(error.code), service.hasObject || !service.committing.isEmpty {
            violations.append("the object stands, or will, after \(error.code)")
        }
    }

    private mutating func checkLeftovers(_ outcome: TransferMachine.Outcome) {
        for id in service.uploads.keys.sorted() where !service.unknowable.contains(id) {
            if service.record?.uploadID == id || service.reported.contains(id) { continue }
            violations.append("\(id) stays open, and nobody knows of it")
        }
        guard let error = outcome.error else { return }
        if error.code == .aborted, hasClaimed, service.record != nil, error.underlying == nil {
            violations.append("aborted, and the record stays")
        }
        if error.code == .paused, let record = service.record, let stored = service.uploads[record.uploadID],
            !Set(record.parts.map(\.number)).isSubset(of: stored.union(before.record?.parts.map(\.number) ?? []))
        {
            violations.append("the record claims parts that the service lost")
        }
    }
}
