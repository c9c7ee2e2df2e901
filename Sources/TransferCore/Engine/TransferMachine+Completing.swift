// From the last part to an object that is known to be right.

extension TransferMachine {
    mutating func allPartsDone() -> [Action] {
        if settings.rechecksSource {
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
        // A backend that sent all bytes by one request has compared their checksum itself.
        if receipt.verification == .crc64 { return succeed(receipt, .crc64) }
        switch verify(crc64: receipt.checksums.crc64, size: receipt.size, etag: receipt.etag) {
        case .verified(let level): return succeed(receipt, level)
        case .mismatch(let reason): return failStored(receipt, reason)
        case .undecided:
            completion = .success(receipt)
            stage = .checkingTarget
            return [.checkTarget]
        }
    }

    mutating func completionFailed(_ error: TransferError) -> [Action] {
        switch error.code {
        case .storedCallbackFailed:
            return [.emit(.completionFailed(error))] + remove(then: .failure(error), announcing: error)
        case .invalidPart where mayListAgain:
            // The service misses a part that was recorded: ask it which, and send only those again.
            guard let uploadID else { return [] }
            mayListAgain = false
            stage = .listing
            return [.emit(.completionFailed(error)), .listParts(uploadID: uploadID)]
        case _ where error.leavesOutcomeOpen:
            return checkTarget(after: error)
        default:
            return [.emit(.completionFailed(error))] + fail(error, discards: false)
        }
    }

    mutating func wholeFailed(_ error: TransferError) -> [Action] {
        if error.code != .uploadNotFound, error.leavesOutcomeOpen { return checkTarget(after: error) }
        return [.emit(.completionFailed(error))] + announce(error) + finish(error)
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
        var isKnownToDiffer = true
        if case .failure(let lookup) = result { isKnownToDiffer = lookup.code == .notFound }
        guard error.code == .uploadNotFound else {
            return [.emit(.completionFailed(error))] + fail(error, discards: false)
        }
        // The upload is gone and the object is not there, or another one: all there is to do is to begin again.
        guard isKnownToDiffer else {
            var unknown = error
            unknown.code = .outcomeUnknown
            unknown.message = "the upload is gone, and whether it was completed could not be found out"
            unknown.underlying = error
            return [.emit(.completionFailed(unknown))] + fail(unknown, discards: false)
        }
        if stop != nil {
            uploadID = nil
            return [.emit(.completionFailed(error))] + settle()
        }
        return [.emit(.completionFailed(error))] + restart(.uploadNotFound)
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
        return remove(then: .success(receipt), announcing: nil)
    }

    /// The object stands, and is wrong. It is reported, not deleted; the upload is used up.
    private mutating func failStored(_ receipt: TransferReceipt, _ reason: String) -> [Action] {
        let error = TransferError(.checksumMismatch, reason, object: inspection?.checkpoint.target, receipt: receipt)
        return [.emit(.completionFailed(error))] + remove(then: .failure(error), announcing: error)
    }
}

extension TransferError {
    /// Whether the request may have been performed although it failed here.
    var leavesOutcomeOpen: Bool {
        [
            .uploadNotFound, .outcomeUnknown, .connectionFailed, .timedOut, .serviceUnavailable, .malformedResponse,
            .lengthMismatch, .throttled, .conflict, .disposed, .cut,
        ].contains(code)
    }
}
