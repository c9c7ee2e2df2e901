import TestSupport

@testable import TransferCore

// How the model answers: what is performed, and what is said of it, are two things.

extension Simulation {
    mutating func answer(_ operation: Operation) -> TransferMachine.Input {
        let fails = random.chance(weather.failures)
        switch operation {
        case .claim: return fails ? .claimFailed(TransferError(.checkpointUnusable, "disk")) : .claimed(service.record)
        case .inspect:
            if isRequestCut { return .inspectionFailed(.sampleCut) }
            if fails { return .inspectionFailed(transient()) }
            return .inspected(isWhole ? Sample.wholeInspection : Sample.inspection())
        case .list(let id): return list(id, fails: fails)
        case .local(let numbers):
            if isRequestCut { return .localCheckFailed(.sampleCut) }
            if fails {
                return .localCheckFailed(TransferError(random.chance(50) ? .sourceChanged : .fileUnreadable, "io"))
            }
            return .localChecked(
                numbers.filter { _ in weather.failures == 0 || random.chance(80) }.map { Sample.part($0) })
        case .create: return create(fails: fails)
        case .begin:
            if isLost { return .beginFailed(TransferError(.checkpointLost, "lost")) }
            if fails { return .beginFailed(TransferError(.diskFull, "full")) }
            if settings.keepsCheckpoint { service.record = beginning }
            return .begun
        case .part(let number, let id): return part(number, id, fails: fails)
        case .recheck:
            if isRequestCut { return .sourceCheckFailed(.sampleCut) }
            return fails
                ? .sourceCheckFailed(TransferError(random.chance(50) ? .sourceChanged : .timedOut, "?"))
                : .sourceUnchanged
        case .mark:
            if isLost { return .markFailed(TransferError(.checkpointLost, "lost")) }
            if fails { return .markFailed(TransferError(.diskFull, "full")) }
            if settings.keepsCheckpoint { service.record?.isCompleting = true }
            return .marked
        case .complete(let id): return complete(id, fails: fails)
        case .whole: return whole(fails: fails)
        case .head: return .targetChecked(head(fails: fails))
        case .flush:
            if isLost { return .flushed(TransferError(.checkpointLost, "lost")) }
            return .flushed(fails ? TransferError(.diskFull, "full") : nil)
        case .abort(let id):
            if fails { return .uploadAborted(transient()) }
            service.abort(id)
            return .uploadAborted(nil)
        case .remove:
            if isLost || fails { return .checkpointRemoved(TransferError(isLost ? .checkpointLost : .diskFull, "?")) }
            if settings.keepsCheckpoint { service.record = nil }
            return .checkpointRemoved(nil)
        case .grace: return .graceExpired
        }
    }

    private mutating func transient() -> TransferError {
        let codes = [
            TransferError.Code.timedOut, .serviceUnavailable, .connectionFailed, .credentialsExpired, .refused,
        ]
        return TransferError(codes.randomElement(using: &random) ?? .timedOut, "later")
    }

    private mutating func list(_ id: String, fails: Bool) -> TransferMachine.Input {
        if isRequestCut { return .listingFailed(.sampleCut) }
        guard let parts = service.uploads[id] else { return .listingFailed(TransferError(.uploadNotFound, "404")) }
        if fails { return .listingFailed(random.chance(30) ? TransferError(.accessDenied, "403") : transient()) }
        return .listed(parts.sorted().map { Sample.part($0) })
    }

    private mutating func create(fails: Bool) -> TransferMachine.Input {
        if isRequestCut, random.chance(80) { return .creationFailed(.sampleCut) }
        if fails {
            // Its answer may be lost although it was performed, and then nobody ever learns the id.
            if random.chance(50) { service.unknowable.insert(service.create()) }
            return .creationFailed(transient())
        }
        return .created(uploadID: service.create())
    }

    private mutating func part(_ number: Int, _ id: String, fails: Bool) -> TransferMachine.Input {
        if arePartsCut, random.chance(80) {
            if random.chance(50) { _ = service.store(number, in: id) }
            return .partFailed(number, .sampleCut)
        }
        if fails {
            if random.chance(50) { _ = service.store(number, in: id) }
            if random.chance(20) { return .partFailed(number, TransferError(.sourceChanged, "412")) }
            return .partFailed(number, random.chance(30) ? TransferError(.accessDenied, "403") : transient())
        }
        guard let part = service.store(number, in: id) else {
            return .partFailed(number, TransferError(.uploadNotFound, "404"))
        }
        return .partDone(part)
    }

    private mutating func complete(_ id: String, fails: Bool) -> TransferMachine.Input {
        guard let stored = service.uploads[id] else { return .completionFailed(TransferError(.uploadNotFound, "404")) }
        guard stored == [1, 2, 3] else { return .completionFailed(TransferError(.invalidPart, "400")) }
        guard fails else {
            service.commit(id)
            return .completed(random.chance(70) ? Sample.receipt : TransferReceipt(etag: Sample.objectETag))
        }
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            service.commit(id)
            return .completionFailed(TransferError(.storedCallbackFailed, "203", receipt: Sample.receipt))
        case 1:
            // The answer is lost; Complete was performed, goes on being performed, or never arrived.
            switch Int.random(in: 0..<3, using: &random) {
            case 0: service.commit(id)
            case 1: service.committing.insert(id)
            default: break
            }
            let codes = [TransferError.Code.timedOut, .connectionFailed, .malformedResponse]
            return .completionFailed(TransferError(codes.randomElement(using: &random) ?? .timedOut, "?"))
        case 2: return .completionFailed(TransferError(.refused, "400"))
        case 3: return .completionFailed(TransferError(.serviceUnavailable, "503"))
        default:
            if random.chance(50) { service.commit(id) }
            return .completed(TransferReceipt(etag: ETag("")))
        }
    }

    private mutating func whole(fails: Bool) -> TransferMachine.Input {
        guard fails else {
            service.hasObject = true
            return .completed(TransferReceipt(etag: Sample.objectETag, checksums: Sample.receipt.checksums))
        }
        if random.chance(50) { return .completionFailed(TransferError(.refused, "400")) }
        if random.chance(50) { service.hasObject = true }
        return .completionFailed(TransferError(.timedOut, "?"))
    }

    private mutating func head(fails: Bool) -> Result<ObjectInfo, TransferError> {
        if fails { return .failure(random.chance(30) ? TransferError(.accessDenied, "403") : transient()) }
        return service.hasObject ? .success(Sample.info) : .failure(TransferError(.notFound, "404"))
    }
}
