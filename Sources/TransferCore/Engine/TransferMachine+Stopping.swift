// Ends that are no success: pause, abort, failure, a lost claim.

extension TransferMachine {
    mutating func stopRequested(_ request: StopRequest) -> [Action] {
        let isFirst = stop == nil
        switch stop {
        case .claimLost?: return []
        case .requested(let earlier)?:
            guard request == .abort, earlier != .abort else { return [] }
            stop = .requested(.abort)
        case .failed(_, discards: true)?: return []
        case .failed(_, discards: false)?:
            // A pause changes nothing about a failure that keeps its record; an abort clears it.
            guard request == .abort else { return [] }
            stop = .requested(.abort)
        case .restart?, nil:
            stop = .requested(request)
        }
        // Where Complete is on its way its outcome decides, and nothing is announced before.
        let announcement = outcomeIsOpen || stage == .idle ? [] : announceStop()
        switch stage {
        case .inspecting, .listing, .checkingLocal, .rechecking: return announcement + [.cutRequest]
        case .creating: return announcement + (isFirst ? [.startGrace] : [])
        case .transferring: return announcement + drain(atOnce: request == .abort)
        case .draining: return announcement + (request == .abort ? [.cutParts] : [])
        default: return announcement
        }
    }

    /// Tells once that the call ends without success.
    mutating func announce(_ error: TransferError) -> [Action] {
        guard !isStopAnnounced else { return [] }
        isStopAnnounced = true
        return [.emit(.stopping(error))]
    }

    mutating func announceStop() -> [Action] { stop.map { announce(stopError(for: $0)) } ?? [] }

    /// Stages in which the object may come to stand at any moment.
    private var outcomeIsOpen: Bool { [.completing, .transferringWhole, .checkingTarget, .removing].contains(stage) }

    mutating func graceExpired() -> [Action] {
        switch stage {
        case .draining: [.cutParts]
        case .creating where stop != nil: [.cutRequest]
        default: []
        }
    }

    /// Another worker holds the record now: this one must write nothing more, neither there nor at the service.
    mutating func claimLost() -> [Action] {
        guard !isLost, stage != .removing, ending == nil else { return [] }
        stop = .claimLost
        // An object that stands is a success, whoever holds the record.
        if outcomeIsOpen { return [] }
        let announcement = announceStop()
        switch stage {
        case .inspecting, .listing, .checkingLocal, .rechecking, .creating: return announcement + [.cutRequest]
        case .transferring, .draining: return announcement + drain(atOnce: true)
        default: return announcement
        }
    }

    var isLost: Bool {
        if case .claimLost? = stop { true } else { false }
    }

    /// Whether a freshly created upload should still get its record although the call stops.
    var wantsRecord: Bool {
        guard keepsCheckpoint else { return false }
        return switch stop {
        case .requested(.abort)?, .claimLost?, .failed(_, discards: true)?: false
        default: true
        }
    }

    /// Nothing is under way any more, and the call ends: for `error`, unless it was to stop for another reason already.
    mutating func fail(_ error: TransferError, discards: Bool) -> [Action] {
        if error.code == .checkpointLost { stop = .claimLost }
        if stop == nil { stop = .failed(error, discards: discards) }
        return announceStop() + settle()
    }

    /// Nothing is in flight any more: tidies up as the reason for stopping asks.
    mutating func settle() -> [Action] {
        guard let stop else { return [] }
        switch stop {
        case .restart(let reason):
            self.stop = nil
            return restart(reason)
        case .claimLost:
            return finish(outcome(for: stop))
        case .requested(.abort), .failed(_, discards: true):
            return discard()
        case .requested, .failed(_, discards: false):
            guard keepsCheckpoint else { return discard() }
            stage = .flushing
            return [.flush]
        }
    }

    /// Leaves nothing behind, at the service or in the store.
    mutating func discard() -> [Action] {
        guard let stop else { return [] }
        guard let uploadID, let target = saved?.target ?? inspection?.checkpoint.target else {
            return remove(then: outcome(for: stop), announcing: nil)
        }
        stage = .abortingUpload
        return [.abortUpload(uploadID: uploadID, target: target)]
    }

    mutating func flushed(_ error: TransferError?) -> [Action] {
        if error?.code == .checkpointLost, ending == nil { stop = .claimLost }
        guard let stop else { return ending.map { finish($0.adding(error)) } ?? [] }
        if let ending { return finish(ending.adding(error)) }
        // An abort may have come while the record was being flushed.
        if case .requested(.abort) = stop { return discard() }
        return finish(outcome(for: stop).adding(error))
    }

    mutating func uploadAborted(_ error: TransferError?) -> [Action] {
        guard let stop else { return [] }
        var actions: [Action] = []
        if let error, let uploadID { actions.append(.emit(.uploadLeftBehind(uploadID: uploadID, error))) }
        if error == nil { uploadID = nil }
        if isLost { return actions + finish(outcome(for: stop)) }
        return actions + remove(then: outcome(for: stop), announcing: nil)
    }

    mutating func remove(then outcome: Outcome, announcing error: TransferError?) -> [Action] {
        ending = outcome
        stage = .removing
        return (error.map { announce($0) } ?? []) + [.removeCheckpoint]
    }

    mutating func checkpointRemoved(_ error: TransferError?) -> [Action] {
        guard let ending else { return [] }
        return finishStored(ending.adding(error))
    }

    mutating func finishStored(_ outcome: Outcome) -> [Action] {
        guard case .success(let receipt) = outcome, let size = inspection?.checkpoint.source.size else {
            return finish(outcome)
        }
        let progress = TransferProgress(completedBytes: size, totalBytes: size, isFinished: true)
        return [.emit(.progress(progress)), .emit(.completed(receipt))] + finish(outcome)
    }

    mutating func finish(_ error: TransferError) -> [Action] { finish(.failure(error)) }

    mutating func finish(_ outcome: Outcome) -> [Action] {
        stage = .ended
        return [.finish(outcome)]
    }

    func outcome(for stop: Stop) -> Outcome {
        if case .requested(.taskCancelled) = stop { return .cancelled }
        return .failure(stopError(for: stop))
    }

    func stopError(for stop: Stop) -> TransferError {
        var error: TransferError
        switch stop {
        case .requested(.abort):
            error = TransferError(.aborted, "aborted on request")
        case .requested(.disposed):
            error = TransferError(.disposed, "the client was shut down")
        case .requested(.pause), .requested(.taskCancelled):
            error = TransferError(.paused, pauseMessage)
        case .failed(let cause, _):
            error = cause
        case .restart(let reason):
            error = TransferError(.uploadNotFound, "begins again: \(reason)")
        case .claimLost:
            error = TransferError(.checkpointLost, "another worker has taken this transfer over")
        }
        if error.uploadID == nil { error.uploadID = uploadID }
        return error
    }

    /// What a pause leaves for a later call.
    private var pauseMessage: String {
        if case .whole? = inspection?.shape { return "paused before the object stood: a later call sends it whole" }
        let count = max(done.count, doneCount)
        guard count > 0 else { return "paused before it began" }
        guard keepsCheckpoint else {
            return "paused without a checkpoint: the parts were given up, a later call begins again"
        }
        return uploadID == nil ? "paused before it began" : "paused with \(doneCount) of \(count) parts stored"
    }
}

extension TransferMachine.Outcome {
    /// This outcome with what else went wrong on the way to it.
    fileprivate func adding(_ error: TransferError?) -> Self {
        guard let error, case .failure(var failure) = self, failure.underlying == nil else { return self }
        failure.underlying = error
        return .failure(failure)
    }
}
