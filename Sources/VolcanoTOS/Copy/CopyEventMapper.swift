internal import TransferCore

/// Turns the events of the engine into the seven of TOS (spec section 6.6).
struct CopyEventMapper {
    private var event: TOSCopyEvent
    private var hasPostedAbort = false

    init(source: ObjectLocation, target: ObjectLocation) {
        event = TOSCopyEvent(
            type: .createMultipartUploadSucceed, bucket: target.bucket, key: target.key, srcBucket: source.bucket,
            srcKey: source.key, srcVersionID: source.versionID)
    }

    /// The event to post, if there is one for `happening`.
    mutating func map(_ happening: TransferEvent) -> TOSCopyEvent? {
        switch happening {
        case .checkpointClaimed(let location, _):
            event.checkpointFile = location
            return nil
        case .resumed(let uploadID, _, _):
            event.uploadID = uploadID
            return nil
        case .restarted:
            event.uploadID = nil
            return nil
        case .uploadCreated(let uploadID):
            event.uploadID = uploadID
            return made(.createMultipartUploadSucceed)
        case .uploadCreationFailed(let error):
            return made(.createMultipartUploadFailed, error)
        case .partCompleted(let part, let range):
            return made(
                .uploadPartCopySucceed, part: TOSCopyPartInfo(number: part.number, range: range, etag: part.etag))
        case .partFailed(let number, let range, let error):
            return partFailed(TOSCopyPartInfo(number: number, range: range), error)
        case .stopping(let error):
            // A failure is told by the event of the step that failed; this one is for a wish to stop.
            let isWish = [.paused, .aborted, .disposed, .checkpointLost].contains(error.code)
            return isWish ? posted(made(.uploadPartCopyAborted, error)) : nil
        case .completed:
            return made(.completeMultipartUploadSucceed)
        case .completionFailed(let error):
            return made(.completeMultipartUploadFailed, error)
        default:
            // What the seven events of TOS do not tell is in the engine's own stream.
            return nil
        }
    }

    private mutating func partFailed(_ part: TOSCopyPartInfo, _ error: TransferError) -> TOSCopyEvent? {
        let isDenial = [.accessDenied, .notFound, .methodNotAllowed].contains(error.code)
        guard isDenial, !hasPostedAbort else { return made(.uploadPartCopyFailed, error, part: part) }
        return posted(made(.uploadPartCopyAborted, error, part: part))
    }

    /// The abort event is posted once, whatever else stops the copy.
    private mutating func posted(_ event: TOSCopyEvent) -> TOSCopyEvent? {
        defer { hasPostedAbort = true }
        return hasPostedAbort ? nil : event
    }

    private func made(
        _ type: TOSCopyEventType, _ error: TransferError? = nil, part: TOSCopyPartInfo? = nil
    ) -> TOSCopyEvent {
        var event = event
        event.type = type
        event.error = error
        event.copyPartInfo = part
        return event
    }
}
