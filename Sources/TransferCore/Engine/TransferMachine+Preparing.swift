// From the start to the first part: claim, inspect, resume or restart, create, begin.

extension TransferMachine {
    mutating func start() -> [Action] {
        if let stop { return announce(stopError(for: stop)) + finish(outcome(for: stop)) }
        stage = .claiming
        return [.claim]
    }

    mutating func claimed(_ saved: TransferCheckpoint?) -> [Action] {
        self.saved = saved
        uploadID = saved.flatMap { $0.uploadID.isEmpty ? nil : $0.uploadID }
        if stop != nil { return settle() }
        stage = .inspecting
        return [.inspect(saved: saved)]
    }

    /// Runs without a record. What the record says belongs to the other task.
    mutating func claimedElsewhere(_ error: TransferError) -> [Action] {
        keepsCheckpoint = false
        return [.emit(.unrecorded(error))] + claimed(nil)
    }

    mutating func claimFailed(_ error: TransferError) -> [Action] { announce(error) + finish(error) }

    mutating func inspected(_ inspection: Inspection) -> [Action] {
        self.inspection = inspection
        if stop != nil { return settle() }
        let notes = inspection.notes.map(Action.emit)
        guard case .parts(let plan) = inspection.shape else {
            guard let saved else { return notes + transferWhole() }
            return notes + restart(.targetChanged, aborting: saved)
        }
        resetParts(plan)
        guard let saved else { return notes + create() }
        switch ResumeDecision(saved: saved, wanted: inspection.checkpoint, plan: plan) {
        case .resume:
            stage = .listing
            return notes + [.listParts(uploadID: saved.uploadID)]
        case .restart(let reason):
            return notes + restart(reason, aborting: saved)
        }
    }

    mutating func inspectionFailed(_ error: TransferError) -> [Action] {
        if stop != nil { return settle() }
        return announce(error) + finish(error)
    }

    mutating func listed(_ parts: [CompletedPart]) -> [Action] {
        if stop != nil { return settle() }
        guard case .parts(let plan)? = inspection?.shape else { return [] }
        // A listing after parts of this call were refused sees only parts of this call, which it recorded itself.
        let recorded = saved?.parts ?? []
        // An upload that lost all that was known to be stored is not one to build on.
        if doneCount == 0, let saved, !recorded.isEmpty {
            let numbers = Set(recorded.map(\.number))
            guard parts.contains(where: { numbers.contains($0.number) }) else {
                return restart(.partsLost, aborting: saved)
            }
        }
        let listing = ListedParts(
            recorded: recorded + done.compactMap(\.self), listed: parts, plan: plan,
            acceptsUnrecorded: settings.acceptsUnrecordedParts && inspection?.hasPrecondition == true)
        return check(listing.kept, plan: plan)
    }

    /// Has parts of an earlier call compared with the local bytes, where there are any to compare with.
    private mutating func check(_ kept: [Int: CompletedPart], plan: PartPlan) -> [Action] {
        guard settings.checksLocalParts, !kept.isEmpty else { return proceed(with: kept, plan: plan) }
        stage = .checkingLocal
        return [.checkLocal(kept.values.sorted { $0.number < $1.number })]
    }

    mutating func localChecked(_ parts: [CompletedPart]) -> [Action] {
        if stop != nil { return settle() }
        guard case .parts(let plan)? = inspection?.shape else { return [] }
        return proceed(with: Dictionary(parts.map { ($0.number, $0) }) { _, last in last }, plan: plan)
    }

    mutating func localCheckFailed(_ error: TransferError) -> [Action] {
        if stop != nil { return settle() }
        return fail(error, discards: error.code == .sourceChanged)
    }

    mutating func listingFailed(_ error: TransferError) -> [Action] {
        if stop != nil { return settle() }
        guard case .parts(let plan)? = inspection?.shape else { return [] }
        switch error.code {
        case .uploadNotFound:
            let recorded = Dictionary((saved?.parts ?? []).map { ($0.number, $0) }) { _, last in last }
            guard saved?.isCompleting == true || recorded.count == plan.count || doneCount == plan.count else {
                uploadID = nil
                return restart(.uploadNotFound)
            }
            // The upload may be gone because it was completed: the object itself tells.
            if doneCount < plan.count { keep(recorded, plan: plan) }
            return checkTarget(after: error)
        case .targetMoved where mayRestart:
            return restart(.targetChanged)
        case .accessDenied where mayListAgain:
            // Some credentials may write parts but not list them: the record is all there is.
            let recorded = Dictionary((saved?.parts ?? []).map { ($0.number, $0) }) { _, last in last }
            return check(recorded, plan: plan)
        case .accessDenied where mayRestart:
            // Complete missed a part, and which one cannot be found out: this upload never becomes an object.
            guard var stale = saved ?? inspection?.checkpoint, let uploadID else { return [] }
            mayRestart = false
            stale.uploadID = uploadID
            return restart(.partsLost, aborting: stale)
        case .accessDenied:
            return fail(error, discards: true)
        default:
            return fail(error, discards: false)
        }
    }

    /// Goes on with the parts that are known to be stored.
    private mutating func proceed(with kept: [Int: CompletedPart], plan: PartPlan) -> [Action] {
        let isResume = doneCount == 0
        resetParts(plan)
        keep(kept, plan: plan)
        stage = .transferring
        var actions: [Action] = []
        if isResume, let uploadID {
            actions.append(.emit(.resumed(uploadID: uploadID, parts: doneCount, bytes: doneBytes)))
            if let progress = progress() { actions.append(progress) }
        }
        // Parts that only the service knew become part of the record.
        let recorded = Set((saved?.parts ?? []).map(\.number))
        actions += kept.values.filter { !recorded.contains($0.number) }.sorted { $0.number < $1.number }.map(
            Action.record)
        return actions + fill()
    }

    mutating func create() -> [Action] {
        stage = .creating
        return [.create]
    }

    mutating func created(_ id: String, at target: ObjectLocation?) -> [Action] {
        guard !id.isEmpty else {
            return creationFailed(TransferError(.malformedResponse, "the service named no upload id"))
        }
        uploadID = id
        if let target { inspection?.checkpoint.target = target }
        guard var checkpoint = inspection?.checkpoint else { return [] }
        if stop != nil, !wantsRecord {
            // Who took the record over knows nothing of this upload, and this call may write nothing more.
            let left: [Action] = isLost ? [.emit(.uploadLeftBehind(uploadID: id, nil))] : []
            return [.emit(.uploadCreated(uploadID: id))] + left + settle()
        }
        checkpoint.uploadID = id
        stage = .beginning
        return [.begin(checkpoint)]
    }

    mutating func creationFailed(_ error: TransferError) -> [Action] {
        if stop != nil, error.code == .cut { return settle() }
        let failed = Action.emit(.uploadCreationFailed(error))
        if stop != nil { return [failed] + settle() }
        return [failed] + announce(error) + finish(error)
    }

    mutating func begun() -> [Action] {
        guard let uploadID else { return [] }
        let created = Action.emit(.uploadCreated(uploadID: uploadID))
        saved = nil
        if stop != nil { return [created] + settle() }
        stage = .transferring
        return [created] + fill()
    }

    /// Without a record the upload could not be resumed, so it must not be left open.
    mutating func beginFailed(_ error: TransferError) -> [Action] {
        if isLost || error.code == .checkpointLost {
            let left = uploadID.map { Action.emit(.uploadLeftBehind(uploadID: $0, nil)) }
            return (left.map { [$0] } ?? []) + fail(error, discards: true)
        }
        switch stop {
        // Paused, it could not go on later either.
        case nil, .requested(.pause)?: stop = .failed(error, discards: true)
        default: break
        }
        return announceStop() + discard()
    }

    mutating func staleUploadAborted(_ error: TransferError?) -> [Action] {
        var actions: [Action] = []
        // It may be of this call, and then no record that was found names it.
        if let error, let uploadID { actions.append(.emit(.uploadLeftBehind(uploadID: uploadID, error))) }
        // The record speaks of an upload that is gone. A pause leaves it all the same: the next call finds that out, and what
        // else the record knows, such as the medium that the object belongs to, is not lost.
        uploadID = nil
        return actions + (stop == nil ? beginAfresh() : settle())
    }

    /// Begins again with a new upload; the old one, when there is one, is given up first.
    mutating func restart(_ reason: RestartReason, aborting stale: TransferCheckpoint? = nil) -> [Action] {
        if stale == nil {
            guard mayRestart else {
                return fail(
                    TransferError(.uploadNotFound, "the service lost the multipart upload twice", uploadID: uploadID),
                    discards: true)
            }
            mayRestart = false
        }
        if case .parts(let plan)? = inspection?.shape { resetParts(plan) }
        let restarted = Action.emit(.restarted(reason))
        guard let stale, !stale.uploadID.isEmpty else {
            // An upload at a target that moved is out of reach of the credentials that named the new one.
            let left =
                reason == .targetChanged ? uploadID.map { Action.emit(.uploadLeftBehind(uploadID: $0, nil)) } : nil
            return [restarted] + (left.map { [$0] } ?? []) + beginAfresh()
        }
        guard stale.provider == inspection?.checkpoint.provider else {
            // Another service's upload cannot be aborted at this one.
            return [restarted, .emit(.uploadLeftBehind(uploadID: stale.uploadID, nil))] + beginAfresh()
        }
        stage = .abortingStale
        return [restarted, .abortUpload(uploadID: stale.uploadID, target: stale.target)]
    }

    /// Goes on as if nothing had been recorded.
    private mutating func beginAfresh() -> [Action] {
        saved = nil
        uploadID = nil
        if case .whole? = inspection?.shape { return transferWhole() }
        return create()
    }

    private mutating func transferWhole() -> [Action] {
        stage = .transferringWhole
        return [.transferWhole]
    }
}
