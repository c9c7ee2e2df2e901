internal import TransferCore
internal import TransferPrimitives

/// Turns the events of the engine into the seven steps of TOS.
struct StepMapper {
    /// What is known so far, for the next step.
    private var step = TransferStep()
    private var hasPostedStop = false

    /// The step that `happening` is, if it is one.
    mutating func map(_ happening: TransferEvent) -> TransferStep? {
        switch happening {
        case .checkpointClaimed(let location, _):
            step.checkpointFile = location
            return nil
        case .resumed(let uploadID, _, _):
            step.uploadID = uploadID
            return nil
        case .restarted:
            step.uploadID = nil
            return nil
        case .uploadCreated(let uploadID):
            step.uploadID = uploadID
            return made(.opened)
        case .uploadCreationFailed(let error):
            return made(.openingFailed, error)
        case .partCompleted(let part, let range):
            return made(.partStored, part: TransferStep.Part(number: part.number, range: range, stored: part))
        case .partFailed(let number, let range, let error):
            return partFailed(TransferStep.Part(number: number, range: range), error)
        case .stopping(let error):
            // A failure is told by the event of the step that failed; this one is for a wish to stop.
            let isWish = [.paused, .aborted, .disposed, .checkpointLost].contains(error.code)
            return isWish ? posted(made(.stopped, error)) : nil
        case .completed:
            return made(.completed)
        case .completionFailed(let error):
            return made(.completionFailed, error)
        default:
            // What the seven events of TOS do not tell is in the engine's own stream.
            return nil
        }
    }

    private mutating func partFailed(_ part: TransferStep.Part, _ error: TransferError) -> TransferStep? {
        let isDenial = [.accessDenied, .notFound, .methodNotAllowed].contains(error.code)
        guard isDenial, !hasPostedStop else { return made(.partFailed, error, part: part) }
        return posted(made(.stopped, error, part: part))
    }

    /// That the transfer stops is told once, whatever else stops it.
    private mutating func posted(_ step: TransferStep) -> TransferStep? {
        defer { hasPostedStop = true }
        return hasPostedStop ? nil : step
    }

    private func made(
        _ kind: TransferStep.Kind, _ error: TransferError? = nil, part: TransferStep.Part? = nil
    ) -> TransferStep {
        var step = step
        step.kind = kind
        step.error = error
        step.part = part
        return step
    }
}

extension StepMapper {
    /// A listener of the engine's events that tells `other` everything and `listener` the seven steps as events of its own.
    static func listener<Event>(
        posting event: @escaping @Sendable (TransferStep) -> Event?, to listener: (@Sendable (Event) -> Void)?,
        besides other: (@Sendable (TransferEvent) -> Void)? = nil
    ) -> (@Sendable (TransferEvent) -> Void)? {
        guard let listener else { return other }
        let mapper = LockBox(StepMapper())
        return { happening in
            if let step = mapper.withLock({ $0.map(happening) }), let event = event(step) { listener(event) }
            other?(happening)
        }
    }
}
