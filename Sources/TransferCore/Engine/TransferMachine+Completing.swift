// From the last part to an object that is known to be right.

extension TransferMachine {
    mutating func allPartsDone() -> [Action] {
        if settings.rechecksSource || inspection?.hasPrecondition == false {
            stage = .rechecking
            return [.recheckSource]
        }
        return sourceUnchanged()
    }

    mutating func sourceUnchanged() -> [Action] {
        if stop != nil { return settle() }
        stage = .marking
        return [.markCompleting]
    }

    mutating func sourceCheckFailed(_ error: TransferError) -> [Action] {
        if stop != nil { return settle() }
        return fail(error, discards: error.code == .sourceChanged)
    }

    mutating func marked() -> [Action] {
        if stop != nil { return settle() }
        guard let uploadID else { return [] }
        stage = .completing
        return [.complete(uploadID: uploadID, done.compactMap(\.self))]
    }

    mutating func completed(_ receipt: TransferReceipt) -> [Action] {
        var receipt = receipt
        if receipt.uploadID == nil { receipt.uploadID = uploadID }
        // An answer without a tag has been seen where nothing stood: only the object itself can tell.
        if receipt.etag.isEmpty {
            return checkTarget(
                after: TransferError(.outcomeUnknown, "the answer names no entity tag", receipt: receipt))
        }
        // A backend that sent all bytes by one request has compared their checksum itself.
        if receipt.verification == .crc64 { return succeed(receipt, .crc64) }
        switch verify(crc64: receipt.checksums.crc64, size: receipt.size, etag: receipt.etag) {
        case .verified(let level): return succeed(receipt, level)
        case .mismatch(let reason): return failStored(receipt, reason)
        // All bytes went by one request, whose answer says that it took them: a look could tell no more than their number.
        case .undecided where done.isEmpty && receipt.size != nil: return succeed(receipt, .sizeOnly)
        case .undecided:
            completion = .success(receipt)
            stage = .checkingTarget
            return [.checkTarget]
        }
    }

    mutating func completionFailed(_ error: TransferError) -> [Action] {
        switch error.code {
        case .cut where error.isWithoutEffect && stop != nil:
            return fail(error, discards: false)
        case .storedCallbackFailed:
            return [.emit(.completionFailed(error))] + endStored(.failure(error), announcing: error)
        case .invalidPart where mayListAgain && stop == nil:
            // The service misses a part that was recorded: ask it which, and send only those again.
            guard let uploadID else { return [] }
            mayListAgain = false
            stage = .listing
            return [.emit(.completionFailed(error)), .listParts(uploadID: uploadID)]
        case .invalidPart:
            // What the service lists and then refuses never becomes an object.
            return [.emit(.completionFailed(error))] + fail(error, discards: !mayListAgain)
        case .targetMoved where mayRestart && stop == nil:
            return [.emit(.completionFailed(error))] + restart(.targetChanged)
        case .checksumMismatch:
            // The parts are not what they should be, and nothing tells which.
            return [.emit(.completionFailed(error))] + fail(error, discards: true)
        case _ where error.leavesOutcomeOpen:
            return checkTarget(after: error)
        default:
            return [.emit(.completionFailed(error))] + fail(error, discards: false)
        }
    }

    mutating func wholeFailed(_ error: TransferError) -> [Action] {
        if [.storedCallbackFailed, .cut].contains(error.code) { return completionFailed(error) }
        if error.code != .uploadNotFound, error.leavesOutcomeOpen { return checkTarget(after: error) }
        return [.emit(.completionFailed(error))] + fail(error, discards: true)
    }

    /// Looks at the object, because the answer that would have told was lost.
    mutating func checkTarget(after error: TransferError) -> [Action] {
        completion = .failure(error)
        stage = .checkingTarget
        return [.checkTarget]
    }

    mutating func targetChecked(_ result: Result<ObjectInfo, TransferError>) -> [Action] {
        switch (completion, result) {
        case (.success(let receipt)?, let result): targetCheckedAfterAnswer(receipt, result)
        case (.failure(let error)?, let result): targetCheckedAfterLostAnswer(error, result)
        case (nil, _): []
        }
    }

    /// The object was confirmed; a look at it can only add to what is known, or refute it.
    private mutating func targetCheckedAfterAnswer(
        _ receipt: TransferReceipt, _ result: Result<ObjectInfo, TransferError>
    ) -> [Action] {
        // Another ETag is another object: somebody has already replaced this one, which says nothing about it.
        guard case .success(let info) = result, info.etag == nil || info.etag == receipt.etag else {
            return succeed(receipt, .none)
        }
        var receipt = receipt
        receipt.size = info.size
        if receipt.checksums.isEmpty { receipt.checksums = info.checksums }
        if receipt.versionID == nil { receipt.versionID = info.versionID }
        switch verify(crc64: info.checksums.crc64, size: info.size, etag: receipt.etag) {
        case .verified(let level): return succeed(receipt, level)
        case .mismatch(let reason): return failStored(receipt, reason)
        case .undecided: return succeed(receipt, .sizeOnly)
        }
    }

    private mutating func targetCheckedAfterLostAnswer(
        _ error: TransferError, _ result: Result<ObjectInfo, TransferError>
    ) -> [Action] {
        if case .success(let info) = result, let etag = info.etag, !etag.isEmpty,
            case .verified(let level) = verify(crc64: info.checksums.crc64, size: info.size, etag: etag)
        {
            let receipt = TransferReceipt(
                etag: etag, size: info.size, versionID: info.versionID, checksums: info.checksums, uploadID: uploadID)
            return succeed(receipt, level)
        }
        // That there is no such object, or another one, is an answer; any other failure of the look is none.
        var lookup: TransferError?
        if case .failure(let failure) = result, failure.code != .notFound { lookup = failure }
        guard error.code == .uploadNotFound else {
            if lookup == nil, error.isAnswer { return [.emit(.completionFailed(error))] + fail(error, discards: false) }
            return leaveOpen(error)
        }
        if let lookup { return leaveGone(error, isDenied: lookup.isDenial) }
        uploadID = nil
        // The upload is gone and the object is not there, or another one: all there is to do is to begin again.
        if stop != nil { return [.emit(.completionFailed(error))] + fail(error, discards: false) }
        return [.emit(.completionFailed(error))] + restart(.uploadNotFound)
    }

    /// Nobody can tell whether the object stands or will. The upload must not be aborted under it, and the record, which
    /// finds out the next time, stays.
    private mutating func leaveOpen(_ error: TransferError) -> [Action] {
        var unknown = error.leaving("whether the object was stored could not be found out")
        if unknown.uploadID == nil { unknown.uploadID = uploadID }
        if isLost { return [.emit(.completionFailed(unknown))] + fail(unknown, discards: false) }
        let outcome = openOutcome(&unknown)
        let actions = [.emit(.completionFailed(unknown))] + announce(unknown)
        guard keepsCheckpoint, uploadID != nil else {
            let left = uploadID.map { Action.emit(.uploadLeftBehind(uploadID: $0, unknown)) }
            return actions + (left.map { [$0] } ?? []) + finish(outcome)
        }
        ending = outcome
        stage = .flushing
        return actions + [.flush]
    }

    /// The upload is gone, and nobody can tell whether it became the object. The record finds out the next time; where no look
    /// is allowed it would only lead here again.
    private mutating func leaveGone(_ error: TransferError, isDenied: Bool) -> [Action] {
        var unknown = error.leaving("the upload is gone, and whether it was completed could not be found out")
        uploadID = nil
        if isLost { return [.emit(.completionFailed(unknown))] + fail(unknown, discards: false) }
        let outcome = openOutcome(&unknown)
        let failed = Action.emit(.completionFailed(unknown))
        if isDenied || !keepsCheckpoint { return [failed] + remove(then: outcome, announcing: unknown) }
        ending = outcome
        stage = .flushing
        return [failed] + announce(unknown) + [.flush]
    }

    /// What a call ends with whose outcome is open: no wish to stop makes it a pause or an abort, which would say that the object
    /// does not stand.
    private func openOutcome(_ unknown: inout TransferError) -> Outcome {
        switch stop {
        case .requested(.taskCancelled)?: return .cancelled
        case .requested(.disposed)?: unknown.code = .disposed
        default: break
        }
        return .failure(unknown)
    }

    private func verify(crc64: UInt64?, size: UInt64?, etag: ETag) -> Verification {
        guard let source = inspection?.checkpoint.source else { return .undecided }
        return Verification(
            sourceCRC64: source.checksums?.crc64, size: source.size, parts: done.compactMap(\.self), objectCRC64: crc64,
            objectSize: size, objectETag: etag)
    }

    private mutating func succeed(_ receipt: TransferReceipt, _ level: TransferReceipt.Verification) -> [Action] {
        var receipt = receipt
        receipt.verification = level
        if level != .none, receipt.size == nil { receipt.size = inspection?.checkpoint.source.size }
        return endStored(.success(receipt), announcing: nil)
    }

    /// The object stands, and is wrong. It is reported, not deleted; the upload is used up.
    private mutating func failStored(_ receipt: TransferReceipt, _ reason: String) -> [Action] {
        let error = TransferError(.checksumMismatch, reason, object: inspection?.checkpoint.target, receipt: receipt)
        return [.emit(.completionFailed(error))] + endStored(.failure(error), announcing: error)
    }

    /// The object stands, so the record is of no more use; one that another worker holds is none of this call's affair.
    private mutating func endStored(_ outcome: Outcome, announcing error: TransferError?) -> [Action] {
        guard isLost else { return remove(then: outcome, announcing: error) }
        return (error.map { announce($0) } ?? []) + finishStored(outcome)
    }
}

extension TransferError {
    /// Whether the request may have been performed although it failed here: its answer was lost, or tells of a service in
    /// trouble, or an earlier attempt may have done what this one was refused for.
    var leavesOutcomeOpen: Bool {
        if isAnswerInTrouble || code == .uploadNotFound { return true }
        return !isWithoutEffect && (attempts > 1 || isSilence)
    }

    /// Whether the service has said the last word on the request, so that nothing of it is under way any more.
    fileprivate var isAnswer: Bool { !isSilence }

    private var isAnswerInTrouble: Bool { [.serviceUnavailable, .throttled, .conflict].contains(code) }

    private var isSilence: Bool {
        [
            .outcomeUnknown, .connectionFailed, .timedOut, .malformedResponse, .lengthMismatch, .hostNotFound,
            .tlsFailed,
            .proxyFailed, .disposed, .cut,
        ].contains(code)
    }

    /// This error as the reason why an outcome is not known.
    fileprivate func leaving(_ message: String) -> TransferError {
        var unknown = self
        unknown.code = .outcomeUnknown
        unknown.message = "\(message): \(self.message)"
        unknown.underlying = self
        return unknown
    }
}
