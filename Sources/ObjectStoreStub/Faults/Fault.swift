/// Something that goes wrong with a request. Several faults may meet one request; each acts at its own moment.
///
/// The moments, in order: while the body is read, before the action, the action itself, before the answer, while the
/// answer is written. A request with a wrong signature is refused before any fault in place of its action: what a
/// client signs wrongly shows through every fault.
public struct Fault: Sendable {
    enum Effect: Sendable {
        // While the body is read
        case resetInRequest(after: UInt64)
        case answerInRequest(after: UInt64, Refusal)
        case stopReading(after: UInt64)
        case readSlowly(bytesPerSecond: UInt64)
        case withholdContinue
        case corruptBody(at: UInt64)
        // Before the action
        case skewClock(Duration)
        case delay(Duration)
        case hold
        case stall
        case reset
        case close
        case refuse(Refusal)
        case throttle(TokenBucket, Refusal)
        case takeTurns(UploadTurns, wait: Duration, Refusal)
        case expireUpload
        case expireToken
        // Before the answer
        case holdAnswer
        case delayAnswer(Duration)
        case loseAnswer(isReset: Bool)
        case replaceETag(String?)
        case replaceChecksum(UInt64?)
        case edit(@Sendable (inout WireAnswer) -> Void)
        case lateFailure(Refusal)
        case failAfterAction(Refusal)
        // While the answer is written
        case resetInAnswer(AnswerPoint)
        case truncate(to: UInt64)
        case trickle(every: Duration, count: Int)
        case writeSlowly(bytesPerSecond: UInt64)
        case closeAfterAnswer
    }

    /// An answer in place of the action.
    struct Refusal: Sendable {
        var status: Int
        var code: String
        var message: String
        var fields: [WireAnswer.Field]
        /// Sent as it is when set, instead of the dialect's error document.
        var body: WireAnswer?
    }

    enum AnswerPoint: Sendable {
        case afterStatusLine
        case afterBodyBytes(UInt64)
    }

    /// What the log says of it.
    public let name: String
    let effect: Effect

    private init(_ name: String, _ effect: Effect) {
        self.name = name
        self.effect = effect
    }
}

// MARK: Before the action

extension Fault {
    /// Answers with an error of the dialect in place of the action.
    ///
    /// - Parameters:
    ///   - status: the HTTP status.
    ///   - code: the error code of the document. Default: the usual one of the status.
    ///   - message: the message of the document.
    ///   - retryAfter: whole seconds for a `Retry-After` line.
    ///   - headers: further header lines.
    public static func status(
        _ status: Int, code: String? = nil, message: String = "Injected fault.", retryAfter: Int? = nil,
        headers: [String: String] = [:]
    ) -> Fault {
        Fault("status \(status)", .refuse(refusal(status, code, message, retryAfter, headers)))
    }

    /// Answers with this body in place of the action: an HTML page of a proxy, an empty 200, an unfinished document.
    public static func answer(_ status: Int, contentType: String? = nil, body: String = "") -> Fault {
        var answer = WireAnswer(status: status, body: Array(body.utf8))
        answer["Content-Type"] = contentType
        let refusal = Refusal(status: status, code: "", message: "", fields: [], body: answer)
        return Fault("answer \(status)", .refuse(refusal))
    }

    /// Waits before the action. The wait blocks no other connection.
    public static func delay(_ duration: Duration) -> Fault { Fault("delay", .delay(duration)) }

    /// Keeps the request, with its body read and nothing done, until the test releases it by the ``FaultHandle``.
    public static var hold: Fault { Fault("hold", .hold) }

    /// Never answers: the request ends when the client gives up, or the server stops. Nothing is done.
    public static var stall: Fault { Fault("stall", .stall) }

    /// Reads the body, then resets the connection with nothing done.
    public static var resetAfterBody: Fault { Fault("reset after body", .reset) }

    /// Reads the body, then closes the connection in order with nothing done and nothing said.
    public static var closeAfterBody: Fault { Fault("close after body", .close) }

    /// Removes the upload that the request names, so that it and all later ones meet NoSuchUpload.
    public static var expireUpload: Fault { Fault("expired upload", .expireUpload) }

    /// Answers as if the session token had run out; the token is echoed in the message, as real services do.
    public static var expiredToken: Fault { Fault("expired token", .expireToken) }

    /// Lets the server's clock for this request differ from its configured one; also in the answer's `Date`.
    public static func skewedClock(by duration: Duration) -> Fault { Fault("skewed clock", .skewClock(duration)) }

    /// Takes `rate` requests a second, with bursts of `burst`, and refuses the others.
    public static func throttle(
        rate: Double, burst: Int = 1, status: Int = 503, code: String? = nil, retryAfter: Int? = nil
    ) -> Fault {
        Fault(
            "throttled",
            .throttle(
                TokenBucket(rate: rate, burst: burst),
                refusal(status, code ?? (status == 429 ? "ExceedQPSLimit" : "SlowDown"), "Slow down.", retryAfter, [:]))
        )
    }

    /// Takes one request of each upload at a time, as services do that serialise the parts of an upload: one that comes while
    /// another is under way waits for `wait`, and is refused.
    public static func oneAtATime(
        wait: Duration = .zero, status: Int = 503, code: String? = nil,
        message: String = "Please reduce your request rate."
    ) -> Fault {
        Fault("one at a time", .takeTurns(UploadTurns(), wait: wait, refusal(status, code, message, nil, [:])))
    }

    fileprivate static func refusal(
        _ status: Int, _ code: String?, _ message: String, _ retryAfter: Int?, _ headers: [String: String]
    ) -> Refusal {
        var fields = headers.sorted { $0.key < $1.key }.map { WireAnswer.Field(name: $0.key, value: $0.value) }
        if let retryAfter { fields.append(WireAnswer.Field(name: "Retry-After", value: String(retryAfter))) }
        return Refusal(status: status, code: code ?? usualCode(status), message: message, fields: fields)
    }

    private static func usualCode(_ status: Int) -> String {
        switch status {
        case 400: "InvalidRequest"
        case 403: "AccessDenied"
        case 404: "NoSuchKey"
        case 405: "MethodNotAllowed"
        case 408: "RequestTimeout"
        case 409: "OperationAborted"
        case 412: "PreconditionFailed"
        case 429: "ExceedQPSLimit"
        case 503: "ServiceUnavailable"
        default: "InternalError"
        }
    }
}

// MARK: While the request's body is read

extension Fault {
    /// Resets the connection before a byte of the body is read.
    public static var resetBeforeBody: Fault { Fault("reset before body", .resetInRequest(after: 0)) }

    /// Resets the connection once `bytes` of the body have been read.
    public static func resetInBody(after bytes: UInt64) -> Fault {
        Fault("reset in body", .resetInRequest(after: bytes))
    }

    /// Answers with an error once `bytes` of the body have been read, while the client still writes; then closes.
    public static func earlyAnswer(
        after bytes: UInt64, status: Int, code: String? = nil, retryAfter: Int? = nil
    ) -> Fault {
        Fault("early answer", .answerInRequest(after: bytes, refusal(status, code, "Injected fault.", retryAfter, [:])))
    }

    /// Stops reading once `bytes` of the body have been read, and keeps the connection open.
    public static func stopReading(after bytes: UInt64) -> Fault { Fault("stop reading", .stopReading(after: bytes)) }

    /// Reads the body at this rate.
    public static func readSlowly(bytesPerSecond: UInt64) -> Fault {
        Fault("slow reading", .readSlowly(bytesPerSecond: max(1, bytesPerSecond)))
    }

    /// Does not answer `Expect: 100-continue`; reads the body when it comes.
    public static var withholdContinue: Fault { Fault("no 100-continue", .withholdContinue) }

    /// Inverts one byte of the body as it arrives, so that what is stored and its checksum are of other bytes.
    public static func corruptBody(at offset: UInt64 = 0) -> Fault { Fault("corrupted body", .corruptBody(at: offset)) }
}

// MARK: After the action

extension Fault {
    /// Performs the action, then resets the connection instead of answering.
    public static var loseAnswer: Fault { Fault("lost answer", .loseAnswer(isReset: true)) }

    /// Performs the action, then closes the connection in order instead of answering.
    public static var closeInsteadOfAnswer: Fault { Fault("closed instead of answer", .loseAnswer(isReset: false)) }

    /// Performs the action, and keeps the answer until the test releases it by the ``FaultHandle``.
    public static var holdAnswer: Fault { Fault("held answer", .holdAnswer) }

    /// Performs the action, and waits before the answer.
    public static func delayAnswer(_ duration: Duration) -> Fault { Fault("delayed answer", .delayAnswer(duration)) }

    /// Answers with another ETag than the one stored, or with none.
    public static func etag(_ etag: String?) -> Fault { Fault("wrong ETag", .replaceETag(etag)) }

    /// Answers with another CRC-64 than the one stored, or with none.
    public static func crc64(_ value: UInt64?) -> Fault { Fault("wrong CRC", .replaceChecksum(value)) }

    /// Answers 200 with an error document, and does nothing: a failure after the status line had been sent.
    public static func lateError(code: String = "InternalError", message: String = "Injected fault.") -> Fault {
        Fault("200 with error", .lateFailure(refusal(200, code, message, nil, [:])))
    }

    /// Performs the action and answers 203 with an error document, as OSS does when the object is stored and the
    /// callback of the request then failed. The answer keeps the ETag, checksum and version of what was stored.
    public static func failedCallback(message: String = "Error status: 502.") -> Fault {
        Fault("failed callback", .failAfterAction(refusal(203, "CallbackFailed", message, nil, [:])))
    }

    /// Changes the finished answer in any way.
    public static func edit(_ change: @escaping @Sendable (inout WireAnswer) -> Void) -> Fault {
        Fault("edited answer", .edit(change))
    }

    /// Sets a header line of the answer, or removes it.
    public static func header(_ name: String, _ value: String?) -> Fault {
        Fault("header \(name)", .edit { $0[name] = value })
    }

    /// Performs the action and answers 200 with an empty body.
    public static var emptyBody: Fault { Fault("empty body", .edit { $0.text = "" }) }
}

// MARK: While the answer is written

extension Fault {
    /// Resets the connection after the status line of the answer.
    public static var resetAfterStatusLine: Fault { Fault("reset after status line", .resetInAnswer(.afterStatusLine)) }

    /// Resets the connection once `bytes` of the answer's body have been sent.
    public static func resetInAnswer(after bytes: UInt64) -> Fault {
        Fault("reset in answer", .resetInAnswer(.afterBodyBytes(bytes)))
    }

    /// Announces the whole body, sends `bytes` of it and closes in order.
    public static func truncatedAnswer(to bytes: UInt64) -> Fault { Fault("truncated answer", .truncate(to: bytes)) }

    /// Sends the head, then `count` blanks, one after each `interval`, then the body.
    public static func trickle(every interval: Duration, count: Int) -> Fault {
        Fault("trickled answer", .trickle(every: interval, count: max(0, count)))
    }

    /// Writes the answer's body at this rate.
    public static func writeSlowly(bytesPerSecond: UInt64) -> Fault {
        Fault("slow writing", .writeSlowly(bytesPerSecond: max(1, bytesPerSecond)))
    }

    /// Answers as usual, and then closes the connection without having announced it: a stale connection in a pool.
    public static var closeAfterAnswer: Fault { Fault("closed after answer", .closeAfterAnswer) }
}
