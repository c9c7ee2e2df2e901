@testable import TransferCore

// Actions and events as short text, so that a whole history is one comparable line.

extension TransferMachine.Action {
    var label: String {
        switch self {
        case .claim: "claim"
        case .inspect: "inspect"
        case .listParts(let id): "list \(id)"
        case .checkLocal(let parts): "local \(Self.numbers(parts))"
        case .create: "create"
        case .begin(let checkpoint): "begin \(checkpoint.uploadID)"
        case .transferWhole: "whole"
        case .start(let part, let id): "start \(part.number) of \(id)"
        case .record(let part): "record \(part.number)"
        case .recheckSource: "recheck"
        case .markCompleting: "mark"
        case .complete(let id, let parts): "complete \(id) with \(Self.numbers(parts))"
        case .checkTarget: "head"
        case .flush: "flush"
        case .abortUpload(let id, _): "abort \(id)"
        case .removeCheckpoint: "remove"
        case .cutRequest: "cut request"
        case .cutParts: "cut parts"
        case .startGrace: "grace"
        case .emit(let event): "!\(event.label)"
        case .finish(let outcome): "= \(outcome.label)"
        }
    }

    private static func numbers(_ parts: [CompletedPart]) -> String {
        parts.map { String($0.number) }.joined(separator: ",")
    }
}

extension TransferMachine.Outcome {
    var label: String {
        switch self {
        case .success(let receipt): "success \(receipt.verification)"
        case .failure(let error): "\(error.code)"
        case .cancelled: "cancelled"
        }
    }

    var error: TransferError? { if case .failure(let error) = self { error } else { nil } }
    var receipt: TransferReceipt? { if case .success(let receipt) = self { receipt } else { nil } }
}

extension TransferEvent {
    var label: String {
        switch self {
        case .checkpointClaimed: "claimed"
        case .unrecorded(let error): "unrecorded(\(error.code))"
        case .partSizeRaised(let from, let to): "raised(\(from) to \(to))"
        case .resumed(let id, let parts, let bytes): "resumed(\(id) \(parts) \(bytes))"
        case .restarted(let reason): "restarted(\(reason))"
        case .uploadCreated(let id): "created(\(id))"
        case .uploadCreationFailed(let error): "creationFailed(\(error.code))"
        case .partCompleted(let part, _): "done(\(part.number))"
        case .partFailed(let number, _, let error): "failed(\(number) \(error.code))"
        case .partCut(let number, _): "cut(\(number))"
        case .tagsNotCarried(let count): "tagsNotCarried(\(count.map(String.init) ?? "?"))"
        case .uploadLeftBehind(let id, let error): "left(\(id)\(error.map { " \($0.code)" } ?? ""))"
        case .stopping(let error): "stopping(\(error.code))"
        case .completionFailed(let error): "completionFailed(\(error.code))"
        case .completed: "completed"
        case .progress(let progress): "progress(\(progress.completedBytes)\(progress.isFinished ? " end" : ""))"
        @unknown default: "unknown"
        }
    }
}
