import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One request and its answer on a connection, with the faults that meet it.
struct RequestExchange {
    let connection: Connection
    let reader: ConnectionReader
    let head: RequestHead
    let exchange: any DialectExchange
    let plan: FaultPlan
    private let arrival = ContinuousClock.now
    /// The number of the request in the log, when it is kept there.
    private let entry: Int?
    var body: RequestBodyReader
    /// Whether the client may still be sending, so that the connection cannot be used again.
    var bodyIsUnread = false

    init(_ connection: Connection, _ reader: ConnectionReader, _ head: RequestHead) {
        self.connection = connection
        self.reader = reader
        self.head = head
        let core = connection.core
        exchange = core.open(head)
        plan = FaultPlan(exchange.isService ? core.faults.meet(exchange.request) : [])
        body = RequestBodyReader(reader, framing: head.framing)
        entry =
            exchange.isService
            ? core.log.begin(
                exchange.request, head: head.raw, connection: connection.number, time: core.configuration.clock.now,
                faults: plan.names) : nil
    }

    /// The server's clock as this request sees it.
    var now: Date {
        connection.core.configuration.clock.now.addingTimeInterval(plan.skew / .seconds(1))
    }

    /// Serves the request; false when the connection must not be used for another.
    mutating func serve() throws -> Bool {
        do {
            let answer = try makeAnswer()
            let latency = connection.core.configuration.latency
            if latency > .zero && exchange.isService { try wait(until: arrival + latency) }
            let closes = head.wantsClose || bodyIsUnread
            // Before the answer goes out: a test that has read it finds the log complete.
            note(answer)
            try AnswerWriter(connection: connection, plan: plan, isHead: head.method == "HEAD", closes: closes)
                .write(answer)
            end { _ in }
            if bodyIsUnread { connection.drain() }
            return !closes && !plan.closesAfterAnswer
        } catch {
            end { $0.answerWasCut = true }
            throw error
        }
    }

    private func note(_ answer: WireAnswer) {
        guard let entry else { return }
        let requestID = answer[exchange.requestIDField]
        connection.core.log.update(entry) { logged in
            logged.status = answer.status
            logged.code = answer.code
            logged.requestID = requestID
            logged.bodyLength = body.received
        }
    }

    /// Keeps the beginning of a document in the log.
    func noteDocument(_ document: [UInt8]) {
        guard let entry, !document.isEmpty else { return }
        let kept = Array(document.prefix(WireEntry.documentLimit))
        connection.core.log.update(entry) { $0.document = kept }
    }

    private func end(_ change: (inout WireEntry) -> Void) {
        guard let entry else { return }
        connection.core.log.end(entry) { logged in
            logged.bodyLength = body.received
            change(&logged)
        }
    }

    private mutating func makeAnswer() throws -> WireAnswer {
        var refusal: ServiceFailure?
        do throws(ServiceFailure) { try exchange.authorise(at: now) } catch { refusal = error }
        let received: ReceivedBody
        switch try receiveBody(isRefused: refusal != nil) {
        case .whole(let body): received = body
        case .refused(let answer): return answer
        }
        var answer = try refusal.map { refuse($0) } ?? act(on: received)
        try finish(&answer)
        return answer
    }

    /// Does what is asked, unless a fault comes first.
    private func act(on body: ReceivedBody) throws -> WireAnswer {
        var turns: UploadTurns?
        let uploadID = exchange.request.uploadID ?? ""
        defer { turns?.give(uploadID) }
        for step in plan.steps {
            if case .takeTurns(let taken, let wait, let refusal) = step {
                guard taken.take(uploadID) else {
                    try self.wait(until: .now + wait)
                    return refuse(refusal)
                }
                turns = taken
            }
            if let answer = try perform(step) { return answer }
        }
        if let late = plan.lateFailure { return refuse(late) }
        do throws(ServiceFailure) {
            let answer = try exchange.perform(body, plan.adjustments, at: now)
            guard let failure = plan.failureAfterAction else { return answer }
            return keepingMarks(of: answer, in: refuse(failure))
        } catch {
            return refuse(error)
        }
    }

    // MARK: Faults around the action

    private func perform(_ step: FaultPlan.Step) throws -> WireAnswer? {
        switch step {
        case .delay(let duration): try wait(until: .now + duration)
        case .hold(let gate): try hold(gate)
        case .stall: try waitForPeerToGo()
        case .reset: throw Connection.Ending.reset
        case .close: throw Connection.Ending.close
        case .refuse(let refusal): return refuse(refusal)
        case .throttle(let bucket, let refusal): return bucket.admit() ? nil : refuse(refusal)
        case .takeTurns: break
        case .expireUpload:
            if let uploadID = exchange.request.uploadID { connection.core.storage.expireUpload(uploadID) }
        case .expireToken: return refuse(exchange.expiredToken())
        }
        return nil
    }

    private func finish(_ answer: inout WireAnswer) throws {
        for step in plan.answerSteps {
            switch step {
            case .delay(let duration): try wait(until: .now + duration)
            case .hold(let gate): try hold(gate)
            case .lose(let isReset): throw isReset ? Connection.Ending.reset : .close
            case .edit(let change): change(&answer)
            }
        }
    }

    private func refuse(_ failure: ServiceFailure) -> WireAnswer {
        if let entry, let diagnosis = failure.diagnosis {
            connection.core.log.update(entry) { $0.diagnosis = diagnosis }
        }
        return exchange.refuse(failure, at: now)
    }

    func refuse(_ refusal: Fault.Refusal) -> WireAnswer {
        if let body = refusal.body { return body }
        var failure = ServiceFailure(refusal.status, refusal.code, refusal.message)
        failure.fields = refusal.fields
        failure.isVerbatim = true
        return refuse(failure)
    }

    /// A refusal that also says what was stored, by the header lines that the answer would have had.
    private func keepingMarks(of answer: WireAnswer, in refusal: WireAnswer) -> WireAnswer {
        var refusal = refusal
        for field in answer.fields where refusal[field.name] == nil { refusal.fields.append(field) }
        return refusal
    }

    // MARK: Waits

    func wait(until deadline: ContinuousClock.Instant) throws {
        let outcome = connection.pause.wait(until: deadline) { notePeerEnd() }
        if case .stopped = outcome { throw Connection.Ending.abandoned }
    }

    private func hold(_ gate: HoldGate) throws {
        guard let wake = gate.enter() else { return }
        defer { gate.leave(wake) }
        let outcome = connection.pause.wait(until: nil, release: wake) { notePeerEnd() }
        if case .stopped = outcome { throw Connection.Ending.abandoned }
    }

    /// Waits until the client has gone or the server stops, whichever is first, and never goes on.
    func waitForPeerToGo() throws {
        _ = connection.pause.wait(until: nil) {
            _ = notePeerEnd()
            return false
        }
        throw Connection.Ending.abandoned
    }

    private func notePeerEnd() -> Bool {
        if let entry { connection.core.log.update(entry) { $0.peerClosedEarly = true } }
        return true
    }
}
