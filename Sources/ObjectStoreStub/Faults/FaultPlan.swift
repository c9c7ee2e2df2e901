/// The faults of one request, sorted by the moment at which they act.
struct FaultPlan: Sendable {
    enum InRequest: Sendable {
        case reset
        case answer(Fault.Refusal)
        case stopReading
    }

    enum Step: Sendable {
        case delay(Duration)
        case hold(HoldGate)
        case stall
        case reset
        case close
        case refuse(Fault.Refusal)
        case throttle(TokenBucket, Fault.Refusal)
        case takeTurns(UploadTurns, wait: Duration, Fault.Refusal)
        case expireUpload
        case expireToken
    }

    enum AnswerStep: Sendable {
        case delay(Duration)
        case hold(HoldGate)
        case lose(isReset: Bool)
        case edit(@Sendable (inout WireAnswer) -> Void)
    }

    var names: [String] = []
    var skew: Duration = .zero
    /// What happens once so many bytes of the body have been read; the earliest one acts.
    var inRequest: (after: UInt64, effect: InRequest)?
    var readRate: UInt64?
    var withholdsContinue = false
    var corruptedByte: UInt64?
    var steps: [Step] = []
    var adjustments = ResultAdjustments()
    var lateFailure: Fault.Refusal?
    var failureAfterAction: Fault.Refusal?
    var answerSteps: [AnswerStep] = []
    var resetInAnswer: Fault.AnswerPoint?
    var truncation: UInt64?
    var trickle: (interval: Duration, count: Int)?
    var writeRate: UInt64?
    var closesAfterAnswer = false

    init(_ active: [FaultControl.Active]) {
        for item in active {
            names.append(item.fault.name)
            add(item.fault.effect, item.gate)
        }
    }

    private mutating func add(_ effect: Fault.Effect, _ gate: HoldGate) {
        switch effect {
        case .resetInRequest(let after): addInRequest(after, .reset)
        case .answerInRequest(let after, let refusal): addInRequest(after, .answer(refusal))
        case .stopReading(let after): addInRequest(after, .stopReading)
        case .readSlowly(let rate): readRate = rate
        case .withholdContinue: withholdsContinue = true
        case .corruptBody(let offset): corruptedByte = offset
        case .skewClock(let duration): skew += duration
        case .delay(let duration): steps.append(.delay(duration))
        case .hold: steps.append(.hold(gate))
        case .stall: steps.append(.stall)
        case .reset: steps.append(.reset)
        case .close: steps.append(.close)
        case .refuse(let refusal): steps.append(.refuse(refusal))
        case .throttle(let bucket, let refusal): steps.append(.throttle(bucket, refusal))
        case .takeTurns(let turns, let wait, let refusal): steps.append(.takeTurns(turns, wait: wait, refusal))
        case .expireUpload: steps.append(.expireUpload)
        case .expireToken: steps.append(.expireToken)
        case .holdAnswer: answerSteps.append(.hold(gate))
        case .delayAnswer(let duration): answerSteps.append(.delay(duration))
        case .loseAnswer(let isReset): answerSteps.append(.lose(isReset: isReset))
        case .replaceETag(let etag): adjustments.etag = .some(etag)
        case .replaceChecksum(let crc64): adjustments.crc64 = .some(crc64)
        case .edit(let change): answerSteps.append(.edit(change))
        case .lateFailure(let refusal): lateFailure = refusal
        case .failAfterAction(let refusal): failureAfterAction = refusal
        case .resetInAnswer(let point): resetInAnswer = point
        case .truncate(let count): truncation = count
        case .trickle(let interval, let count): trickle = (interval, count)
        case .writeSlowly(let rate): writeRate = rate
        case .closeAfterAnswer: closesAfterAnswer = true
        }
    }

    private mutating func addInRequest(_ after: UInt64, _ effect: InRequest) {
        if let inRequest, inRequest.after <= after { return }
        inRequest = (after, effect)
    }
}
